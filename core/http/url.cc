#include "core/http/url.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::http {
namespace {

constexpr int kMaxPort = 65535;
constexpr std::size_t kMaxHostBytes = 253;  // as DNS allows
constexpr std::size_t kMaxLoggedBytes = 300;

bool IsUnreserved(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

bool IsHexDigit(char c) {
  return absl::ascii_isxdigit(static_cast<unsigned char>(c));
}

int HexValue(char c) {
  if (c <= '9') return c - '0';
  return absl::ascii_tolower(static_cast<unsigned char>(c)) - 'a' + 10;
}

bool Contains(absl::string_view characters, char c) {
  return characters.find(c) != absl::string_view::npos;
}

std::string Encode(absl::string_view text, absl::string_view kept) {
  constexpr char kDigits[] = "0123456789ABCDEF";
  std::string encoded;
  encoded.reserve(text.size());
  for (const char c : text) {
    if (IsUnreserved(c) || Contains(kept, c)) {
      encoded.push_back(c);
    } else {
      const auto byte = static_cast<unsigned char>(c);
      encoded.push_back('%');
      encoded.push_back(kDigits[byte >> 4]);
      encoded.push_back(kDigits[byte & 0xf]);
    }
  }
  return encoded;
}

// A character in the form for error messages: always printable.
std::string Quoted(char c) {
  return absl::StrCat("'", absl::CHexEscape(absl::string_view(&c, 1)), "'");
}

// The error in an encoded path or query, if any; `also` are the characters that
// are allowed in addition to those of a path segment.
std::optional<std::string> FindFault(absl::string_view encoded,
                                     absl::string_view also) {
  constexpr absl::string_view kSegmentCharacters = "!$&'()*+,;=:@";
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    const char c = encoded[i];
    if (c == '%') {
      if (i + 2 >= encoded.size() || !IsHexDigit(encoded[i + 1]) ||
          !IsHexDigit(encoded[i + 2])) {
        return "'%' without two hexadecimal digits behind it";
      }
    } else if (!IsUnreserved(c) && !Contains(kSegmentCharacters, c) &&
               !Contains(also, c)) {
      return absl::StrCat(Quoted(c), " has to be percent-encoded");
    }
  }
  return std::nullopt;
}

// Checks the syntax only, not whether the host exists.
bool IsHost(absl::string_view host) {
  if (host.empty() || host.size() > kMaxHostBytes) return false;
  if (host.front() == '[') {
    if (host.size() < 4 || host.back() != ']') return false;
    for (const char c : host.substr(1, host.size() - 2)) {
      if (!IsHexDigit(c) && c != ':' && c != '.') return false;
    }
    return Contains(host, ':');
  }
  for (const char c : host) {
    if (!absl::ascii_isalnum(static_cast<unsigned char>(c)) && c != '-' &&
        c != '.' && c != '_') {
      return false;
    }
  }
  return true;
}

int DefaultPort(absl::string_view scheme) {
  return scheme == "https" ? 443 : 80;
}

// 0 if `text` is not a port. Digits only: SimpleAtoi() also accepts signs and
// spaces.
int ParsePort(absl::string_view text) {
  for (const char c : text) {
    if (!absl::ascii_isdigit(static_cast<unsigned char>(c))) return 0;
  }
  int port = 0;
  if (!absl::SimpleAtoi(text, &port) || port > kMaxPort) return 0;
  return port;
}

// `text` split before its first character that is one of `characters`.
std::pair<absl::string_view, absl::string_view> SplitBefore(
    absl::string_view text, absl::string_view characters) {
  const std::size_t position = text.find_first_of(characters);
  if (position == absl::string_view::npos) return {text, ""};
  return {text.substr(0, position), text.substr(position)};
}

// Parses "host" or "host:port" into `url`; returns the error, if any.
std::optional<std::string> ParseAuthority(absl::string_view authority,
                                          Url& url) {
  if (Contains(authority, '@')) {
    return "user info is not allowed: pass credentials in a header";
  }
  // The colons of an IPv6 address are inside its brackets.
  const std::size_t bracket = authority.rfind(']');
  const std::size_t colon =
      authority.find(':', bracket == absl::string_view::npos ? 0 : bracket);
  const absl::string_view host = authority.substr(0, colon);
  if (host.empty()) return "the host is missing";
  if (!IsHost(host)) return "the host is not a name or an address";
  url.host = absl::AsciiStrToLower(host);
  url.port = DefaultPort(url.scheme);
  if (colon != absl::string_view::npos) {
    url.port = ParsePort(authority.substr(colon + 1));
    if (url.port == 0) return "the port is not a number from 1 to 65535";
  }
  return std::nullopt;
}

// Parses `text` into `url`; returns the error, if any.
std::optional<std::string> Parse(absl::string_view text, Url& url) {
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == absl::string_view::npos) {
    return "expected http:// or https:// at its beginning";
  }
  url.scheme = absl::AsciiStrToLower(text.substr(0, scheme_end));
  if (url.scheme != "http" && url.scheme != "https") {
    return "the scheme is neither http nor https";
  }
  const auto [authority, rest] =
      SplitBefore(text.substr(scheme_end + 3), "/?#");
  if (std::optional<std::string> fault = ParseAuthority(authority, url)) {
    return fault;
  }
  if (Contains(rest, '#')) return "a fragment is not allowed";
  const auto [path, query] = SplitBefore(rest, "?");
  if (std::optional<std::string> fault = FindFault(path, "/")) {
    return absl::StrCat("in its path, ", *fault);
  }
  if (std::optional<std::string> fault = FindFault(query, "/?")) {
    return absl::StrCat("in its query, ", *fault);
  }
  url.path = path.empty() ? "/" : std::string(path);
  url.query = std::string(absl::StripPrefix(query, "?"));
  return std::nullopt;
}

// Removes the authority's user info, if it is unambiguous.
std::string WithoutUserInfo(absl::string_view text) {
  const std::size_t scheme_end = text.find("://");
  if (scheme_end == absl::string_view::npos) return std::string(text);
  const absl::string_view scheme = text.substr(0, scheme_end + 3);
  const auto [authority, rest] = SplitBefore(text.substr(scheme.size()), "/?#");
  const std::size_t at = authority.rfind('@');
  if (at == absl::string_view::npos) return std::string(text);
  return absl::StrCat(scheme, authority.substr(at + 1), rest);
}

std::string Shortened(absl::string_view text) {
  if (text.size() <= kMaxLoggedBytes) return std::string(text);
  return absl::StrCat(text.substr(0, kMaxLoggedBytes), "...");
}

// "+" is a space and %XX a byte. FindFault() has found no error.
std::string Decode(absl::string_view encoded) {
  std::string decoded;
  decoded.reserve(encoded.size());
  for (std::size_t i = 0; i < encoded.size(); ++i) {
    if (encoded[i] == '%') {
      decoded.push_back(static_cast<char>(HexValue(encoded[i + 1]) * 16 +
                                          HexValue(encoded[i + 2])));
      i += 2;
    } else {
      decoded.push_back(encoded[i] == '+' ? ' ' : encoded[i]);
    }
  }
  return decoded;
}

}  // namespace

absl::StatusOr<Url> ParseUrl(absl::string_view text) {
  Url url;
  if (const std::optional<std::string> fault = Parse(text, url)) {
    return absl::InvalidArgumentError(
        absl::StrCat("the URL ", UrlForLog(text), " is malformed: ", *fault));
  }
  return url;
}

std::string HostAndPort(const Url& url) {
  if (url.port == DefaultPort(url.scheme)) return url.host;
  return absl::StrCat(url.host, ":", url.port);
}

std::string Origin(const Url& url) {
  return absl::StrCat(url.scheme, "://", HostAndPort(url));
}

absl::StatusOr<std::string> JoinUrl(
    absl::string_view base, absl::string_view path,
    const std::vector<QueryParameter>& parameters) {
  const absl::StatusOr<Url> url = ParseUrl(base);
  if (!url.ok()) return url.status();
  if (Contains(base, '?')) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the base URL ", UrlForLog(base),
        " has a query: give only what comes before the path to be added"));
  }
  if (!absl::StartsWith(path, "/")) {
    return absl::InvalidArgumentError(absl::StrCat(
        "the path \"", absl::CHexEscape(path), "\" does not begin with '/'"));
  }
  absl::string_view base_path = url->path;
  while (absl::ConsumeSuffix(&base_path, "/")) {
  }
  std::string joined =
      absl::StrCat(Origin(*url), base_path, PercentEncodePath(path));
  if (!parameters.empty()) {
    absl::StrAppend(&joined, "?", FormatQuery(parameters));
  }
  return joined;
}

std::string PercentEncode(absl::string_view text) { return Encode(text, ""); }

std::string PercentEncodePath(absl::string_view path) {
  return Encode(path, "/");
}

std::string FormatQuery(const std::vector<QueryParameter>& parameters) {
  std::string query;
  for (const QueryParameter& parameter : parameters) {
    absl::StrAppend(&query, query.empty() ? "" : "&",
                    PercentEncode(parameter.name), "=",
                    PercentEncode(parameter.value));
  }
  return query;
}

absl::StatusOr<std::vector<QueryParameter>> ParseQuery(
    absl::string_view query) {
  std::vector<QueryParameter> parameters;
  if (query.empty()) return parameters;
  if (const std::optional<std::string> fault = FindFault(query, "/?")) {
    return absl::InvalidArgumentError(
        absl::StrCat("the query is malformed: ", *fault));
  }
  for (const absl::string_view part : absl::StrSplit(query, '&')) {
    const std::size_t equals = part.find('=');
    QueryParameter parameter{.name = Decode(part.substr(0, equals))};
    if (equals != absl::string_view::npos) {
      parameter.value = Decode(part.substr(equals + 1));
    }
    if (parameter.name.empty()) {
      return absl::InvalidArgumentError(
          absl::StrCat("the query is malformed: parameter ",
                       parameters.size() + 1, " has no name"));
    }
    parameters.push_back(std::move(parameter));
  }
  return parameters;
}

std::string UrlForLog(absl::string_view url) {
  Url parts;
  if (!Parse(WithoutUserInfo(url), parts).has_value()) {
    return Shortened(absl::StrCat(Origin(parts), parts.path));
  }
  // A malformed one may have a password anywhere before an '@', also after a
  // '/' or '?' that should have been encoded.
  if (Contains(url, '@')) {
    for (const absl::string_view scheme : {"http://", "https://"}) {
      if (absl::StartsWithIgnoreCase(url, scheme)) {
        return absl::StrCat(scheme, "[hidden]");
      }
    }
    return "[hidden]";
  }
  const absl::string_view shown = SplitBefore(url, "?#").first;
  return Shortened(absl::CHexEscape(shown.substr(0, kMaxLoggedBytes + 1)));
}

}  // namespace byoshin::http

// Parses, builds and displays URLs.
//
//   absl::StatusOr<std::string> url =
//       http::JoinUrl("https://api.example.com/prod/", "/response_count",
//                     {{"from", "2025-12-02T10:23:00Z"}});
//   //
//   https://api.example.com/prod/response_count?from=2025-12-02T10%3A23%3A00Z
//
//   absl::StatusOr<http::Url> parts = http::ParseUrl(*url);
//   http::ParseQuery(parts->query);  // {{"from", "2025-12-02T10:23:00Z"}}
//
// URLs come from configuration and from the network, so nothing is corrected: a
// URL conforms to RFC 3986, or is rejected with the reason.
#ifndef BYOSHIN_CORE_HTTP_URL_H_
#define BYOSHIN_CORE_HTTP_URL_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::http {

struct Url {
  std::string scheme{};  // "http" or "https"
  std::string host{};    // lower case; an IPv6 address in its brackets
  int port = 0;          // the scheme's own, 80 or 443, if the URL names none
  std::string path{};    // still encoded, begins with "/"
  std::string query{};   // still encoded, without the "?"

  friend bool operator==(const Url&, const Url&) = default;
};

// InvalidArgument, with the reason, for anything but an absolute http or https
// URL: another scheme, user info, a fragment, characters that need encoding,
// invalid escapes, an invalid host or port. The message shows the URL as
// UrlForLog does.
absl::StatusOr<Url> ParseUrl(absl::string_view text);

// "host", or "host:port" if the port is not the scheme's default: the value of
// the Host header.
std::string HostAndPort(const Url& url);

// "https://host" or "https://host:port".
std::string Origin(const Url& url);

struct QueryParameter {
  std::string name{};
  std::string value{};

  friend bool operator==(const QueryParameter&,
                         const QueryParameter&) = default;
};

// `path`, which starts with "/" and is not encoded yet, appended to the path of
// `base`, with the parameters in the order given. InvalidArgument if `base` is
// not a URL or has a query, or `path` does not begin with "/".
absl::StatusOr<std::string> JoinUrl(
    absl::string_view base, absl::string_view path,
    const std::vector<QueryParameter>& parameters = {});

// All but A-Z a-z 0-9 - . _ ~ as %XX, in upper case: RFC 3986's unreserved
// characters, as AWS's signatures require. The second does not encode "/".
std::string PercentEncode(absl::string_view text);
std::string PercentEncodePath(absl::string_view path);

// name=value&name=value, encoded.
std::string FormatQuery(const std::vector<QueryParameter>& parameters);

// The parameters of a query, decoded, in their order and with repetitions; "+"
// is a space. A parameter without "=" has an empty value. InvalidArgument for
// an invalid escape, a character that needs encoding, and a parameter without a
// name. Decoded text can hold any bytes.
absl::StatusOr<std::vector<QueryParameter>> ParseQuery(absl::string_view query);

// The part of a URL that may be shown in logs and errors: no user info, no
// query, no fragment. For any text, on one line and of bounded length; if it is
// unclear where a password ends, only the scheme is shown.
std::string UrlForLog(absl::string_view url);

}  // namespace byoshin::http

#endif  // BYOSHIN_CORE_HTTP_URL_H_

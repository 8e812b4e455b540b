#include "local/gateway/access_flags.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/aws/credentials.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "local/gateway/credential_set.h"
#include "local/gateway/gateway.h"
#include "local/gateway/guard.h"

namespace byoshin::local {
namespace {

// AWS's keys with a session token, and those that functions get here.
constexpr char kTemporaryKeyPrefix[] = "ASIA";

bool IsOfLettersDigitsAnd(absl::string_view others, absl::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [&](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
           others.find(c) != absl::string_view::npos;
  });
}

bool IsDefault(const LocalCredentials& credentials) {
  return credentials.access_key_id == kDefaultAccessKeyId &&
         credentials.secret_access_key.Reveal() == kDefaultSecretAccessKey;
}

}  // namespace

absl::StatusOr<LocalCredentials> ParseCredentials(absl::string_view text) {
  const std::size_t colon = text.find(':');
  const absl::string_view key = text.substr(0, colon);
  if (!IsOfLettersDigitsAnd("_-.", key) || colon == absl::string_view::npos ||
      colon + 1 == text.size()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", kCredentialsFlag,
                     " expects KEY:SECRET, with a key of letters, digits, "
                     "underscores, dashes and dots"));
  }
  if (absl::StartsWith(key, kTemporaryKeyPrefix)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", kCredentialsFlag, " expects a key that does not begin with ",
        kTemporaryKeyPrefix, ", as those of temporary credentials do"));
  }
  return LocalCredentials{
      .access_key_id = std::string(key),
      .secret_access_key = aws::Secret(std::string(text.substr(colon + 1)))};
}

absl::StatusOr<std::string> ParseOrigin(absl::string_view text) {
  const absl::StatusOr<http::Url> url =
      http::ParseUrl(absl::StrCat(absl::StripSuffix(text, "/"), "/"));
  if (!url.ok() || url->path != "/" || !url->query.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--", kAllowOriginFlag,
        " expects the origin of a web page, such as http://localhost:3000 or "
        "https://app.example.com, not ",
        json::Excerpt(text)));
  }
  return http::Origin(*url);
}

absl::StatusOr<std::string> ParseHostName(absl::string_view text) {
  if (!IsOfLettersDigitsAnd("_-.", text)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--", kAllowHostFlag,
                     " expects a host name without a port, such as "
                     "host.docker.internal, not ",
                     json::Excerpt(text)));
  }
  return absl::AsciiStrToLower(text);
}

absl::Status CheckCredentials(
    const GatewayOptions& gateway,
    const std::vector<LocalCredentials>& credentials) {
  const bool has_open_address = IsOpenAddress(gateway.address);
  const bool accepts_default =
      credentials.empty() ||
      std::any_of(credentials.begin(), credentials.end(), IsDefault);
  if (!accepts_default ||
      (!has_open_address && gateway.allowed_hosts.empty())) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      has_open_address ? absl::StrCat("--", kAddressFlag, "=", gateway.address)
                       : absl::StrCat("--", kAllowHostFlag),
      " requires --", kCredentialsFlag, "=KEY:SECRET, other than ",
      kDefaultAccessKeyId, ":", kDefaultSecretAccessKey,
      ": everybody knows the default credentials, and web pages could use "
      "them"));
}

}  // namespace byoshin::local

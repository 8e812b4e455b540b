#include "core/aws/sigv4.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::aws {
namespace {

constexpr char kAlgorithm[] = "AWS4-HMAC-SHA256";
constexpr char kTerminator[] = "aws4_request";
constexpr char kDateHeader[] = "X-Amz-Date";
constexpr char kTokenHeader[] = "X-Amz-Security-Token";
constexpr char kAuthorizationHeader[] = "Authorization";

// Headers that may differ at the other end, as AWS's SDKs leave them out.
constexpr absl::string_view kUnsignedHeaders[] = {
    "authorization",
    "cache-control",
    "connection",
    "expect",
    "from",
    "keep-alive",
    "max-forwards",
    "pragma",
    "referer",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
    "user-agent",
    "x-amzn-trace-id",
};

bool IsSigned(absl::string_view lower_case_name) {
  return std::find(std::begin(kUnsignedHeaders), std::end(kUnsignedHeaders),
                   lower_case_name) == std::end(kUnsignedHeaders) &&
         !absl::StartsWith(lower_case_name, "proxy-") &&
         !absl::StartsWith(lower_case_name, "sec-");
}

// Without "." and "..", without empty segments, and encoded once more than it
// is.
std::string CanonicalPath(absl::string_view path) {
  std::vector<absl::string_view> segments;
  for (const absl::string_view segment :
       absl::StrSplit(path, '/', absl::SkipEmpty())) {
    if (segment == ".") continue;
    if (segment != "..") {
      segments.push_back(segment);
    } else if (!segments.empty()) {
      segments.pop_back();
    }
  }
  const bool ends_with_slash = !segments.empty() && absl::EndsWith(path, "/");
  return http::PercentEncodePath(absl::StrCat("/", absl::StrJoin(segments, "/"),
                                              ends_with_slash ? "/" : ""));
}

// Sorted by name, then by value, both encoded.
std::string CanonicalQuery(const std::vector<http::QueryParameter>& query) {
  std::vector<std::pair<std::string, std::string>> encoded;
  for (const http::QueryParameter& parameter : query) {
    encoded.emplace_back(http::PercentEncode(parameter.name),
                         http::PercentEncode(parameter.value));
  }
  std::sort(encoded.begin(), encoded.end());
  return absl::StrJoin(encoded, "&", absl::PairFormatter("="));
}

// By name in lower case, the values of the same name joined in their order,
// spaces around them left out and those within taken together.
std::map<std::string, std::string> CanonicalHeaders(
    const std::vector<http::Header>& headers) {
  std::map<std::string, std::string> canonical;
  for (const http::Header& header : headers) {
    const std::string name = absl::AsciiStrToLower(header.name);
    if (!IsSigned(name)) continue;
    std::string value = header.value;
    absl::RemoveExtraAsciiWhitespace(&value);
    const auto [found, is_new] = canonical.emplace(name, value);
    if (!is_new) absl::StrAppend(&found->second, ",", value);
  }
  return canonical;
}

std::string SigningKeyDate(absl::Time time) {
  return absl::FormatTime("%Y%m%d", time, absl::UTCTimeZone());
}

crypto::Sha256Digest SigningKey(const Credentials& credentials,
                                const SigningScope& scope) {
  crypto::Sha256Digest key = crypto::HmacSha256(
      absl::StrCat("AWS4", credentials.secret_access_key.Reveal()),
      SigningKeyDate(scope.time));
  key = crypto::HmacSha256(key, scope.region);
  key = crypto::HmacSha256(key, scope.service);
  return crypto::HmacSha256(key, kTerminator);
}

}  // namespace

Signature Sign(RequestParts request, const Credentials& credentials,
               const SigningScope& scope) {
  Signature signature;
  const std::string time =
      absl::FormatTime("%Y%m%dT%H%M%SZ", scope.time, absl::UTCTimeZone());
  signature.headers.push_back({kDateHeader, time});
  if (!credentials.session_token.empty()) {
    signature.headers.push_back(
        {kTokenHeader, credentials.session_token.Reveal()});
  }
  request.headers.insert(request.headers.end(), signature.headers.begin(),
                         signature.headers.end());

  const std::map<std::string, std::string> headers =
      CanonicalHeaders(request.headers);
  const std::string signed_headers = absl::StrJoin(
      headers, ";",
      [](std::string* out, const auto& header) { out->append(header.first); });
  signature.canonical_request = absl::StrJoin(
      {request.method, CanonicalPath(request.path),
       CanonicalQuery(request.query),
       absl::StrCat(absl::StrJoin(headers, "\n", absl::PairFormatter(":")),
                    "\n"),
       signed_headers, crypto::HexEncode(crypto::Sha256(request.body))},
      "\n");

  const std::string credential_scope =
      absl::StrJoin({SigningKeyDate(scope.time), scope.region, scope.service,
                     std::string(kTerminator)},
                    "/");
  signature.string_to_sign = absl::StrJoin(
      {std::string(kAlgorithm), time, credential_scope,
       crypto::HexEncode(crypto::Sha256(signature.canonical_request))},
      "\n");
  const crypto::Sha256Digest digest = crypto::HmacSha256(
      SigningKey(credentials, scope), signature.string_to_sign);
  signature.headers.push_back(
      {kAuthorizationHeader,
       absl::StrCat(kAlgorithm, " Credential=", credentials.access_key_id, "/",
                    credential_scope, ", SignedHeaders=", signed_headers,
                    ", Signature=", crypto::HexEncode(digest))});
  return signature;
}

absl::StatusOr<Signature> Sign(const http::Request& request,
                               const Credentials& credentials,
                               const SigningScope& scope) {
  absl::StatusOr<http::Url> url = http::ParseUrl(request.url);
  if (!url.ok()) return url.status();
  absl::StatusOr<std::vector<http::QueryParameter>> query =
      http::ParseQuery(url->query);
  if (!query.ok()) return query.status();
  bool has_host = false;
  for (const http::Header& header : request.headers) {
    for (const char* added :
         {kDateHeader, kTokenHeader, kAuthorizationHeader}) {
      if (absl::EqualsIgnoreCase(header.name, added)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "the request to be signed has the header ", added, " already"));
      }
    }
    if (absl::EqualsIgnoreCase(header.name, "Host")) has_host = true;
  }

  RequestParts parts{.method = request.method,
                     .path = std::move(url->path),
                     .query = *std::move(query),
                     .headers = request.headers,
                     .body = request.body};
  if (has_host) return Sign(std::move(parts), credentials, scope);
  const http::Header host{"Host", http::HostAndPort(*url)};
  parts.headers.push_back(host);
  Signature signature = Sign(std::move(parts), credentials, scope);
  signature.headers.insert(signature.headers.begin(), host);
  return signature;
}

}  // namespace byoshin::aws

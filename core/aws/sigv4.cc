#include "core/aws/sigv4.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/canonical_request.h"
#include "core/aws/credentials.h"
#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::aws {
namespace {

constexpr char kDateHeader[] = "X-Amz-Date";
constexpr char kTokenHeader[] = "X-Amz-Security-Token";
constexpr char kAuthorizationHeader[] = "Authorization";

// Headers that may change in transit; AWS's SDKs don't sign them either.
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

  CanonicalRequest canonical{
      .method = std::move(request.method),
      .path = std::move(request.path),
      .query = std::move(request.query),
      .payload_hash = crypto::HexEncode(crypto::Sha256(request.body))};
  for (const http::Header& header : request.headers) {
    if (IsSigned(absl::AsciiStrToLower(header.name))) {
      AddCanonicalHeader(header.name, header.value, canonical.headers);
    }
  }
  signature.canonical_request = WriteCanonicalRequest(canonical);

  const CredentialScope credential_scope{
      .date = absl::FormatTime("%Y%m%d", scope.time, absl::UTCTimeZone()),
      .region = scope.region,
      .service = scope.service};
  signature.string_to_sign =
      WriteStringToSign(time, credential_scope, signature.canonical_request);
  const crypto::Sha256Digest digest = crypto::HmacSha256(
      SigningKey(credentials.secret_access_key, credential_scope),
      signature.string_to_sign);
  signature.headers.push_back(
      {kAuthorizationHeader,
       absl::StrCat(kSignatureAlgorithm,
                    " Credential=", credentials.access_key_id, "/",
                    WriteCredentialScope(credential_scope),
                    ", SignedHeaders=", SignedHeaderNames(canonical.headers),
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

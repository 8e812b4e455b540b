// The canonical request of Signature Version 4, for signing requests
// (core/aws/sigv4.h) and verifying signatures.
//
//   const std::string canonical = WriteCanonicalRequest(
//       {.method = "POST", .path = "/", .headers = headers,
//        .payload_hash = crypto::HexEncode(crypto::Sha256(body))});
//   const CredentialScope scope{"20150830", "us-east-1", "sqs"};
//   const std::string text =
//       WriteStringToSign("20150830T123600Z", scope, canonical);
//   crypto::HmacSha256(SigningKey(secret, scope), text);
//
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-create-signed-request.html
#ifndef BYOSHIN_CORE_AWS_CANONICAL_REQUEST_H_
#define BYOSHIN_CORE_AWS_CANONICAL_REQUEST_H_

#include <map>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/aws/credentials.h"
#include "core/crypto/sha256.h"
#include "core/http/url.h"

namespace byoshin::aws {

inline constexpr char kSignatureAlgorithm[] = "AWS4-HMAC-SHA256";
// The end of every credential scope.
inline constexpr char kScopeTerminator[] = "aws4_request";

// Values by name in lower case.
using CanonicalHeaders = std::map<std::string, std::string>;

// Adds a header: trims the value, collapses spaces, and joins the values of the
// same name in their order.
void AddCanonicalHeader(absl::string_view name, absl::string_view value,
                        CanonicalHeaders& headers);

// The names with semicolons between them.
std::string SignedHeaderNames(const CanonicalHeaders& headers);

struct CanonicalRequest {
  std::string method = "GET";
  // As it is sent, encoded or not.
  std::string path = "/";
  // Decoded.
  std::vector<http::QueryParameter> query{};
  CanonicalHeaders headers{};
  // SHA-256 of the body in hexadecimal, or a placeholder such as
  // UNSIGNED-PAYLOAD.
  std::string payload_hash{};
};
std::string WriteCanonicalRequest(const CanonicalRequest& request);

// The scope of a signing key.
struct CredentialScope {
  std::string date{};  // "20150830"
  std::string region{};
  std::string service{};
};
// "20150830/us-east-1/sqs/aws4_request"
std::string WriteCredentialScope(const CredentialScope& scope);

// `time` is the request's: "20150830T123600Z".
std::string WriteStringToSign(absl::string_view time,
                              const CredentialScope& scope,
                              absl::string_view canonical_request);

crypto::Sha256Digest SigningKey(const Secret& secret_access_key,
                                const CredentialScope& scope);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_CANONICAL_REQUEST_H_

// The signature of a request as it is sent, in the Authorization header or,
// presigned, in the URL's query.
//
//   absl::StatusOr<SignatureClaim> claim =
//       ReadSignatureClaim(request, WireProtocol::kJson10);
//   if (!claim.ok()) return claim.status();
//   claim->credential;  // "AKID/20150830/us-east-1/sqs/aws4_request"
//
// Only checks that all parts are present; local/gateway/authenticator.h
// verifies them.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_sigv-authentication-methods.html
#ifndef BYOSHIN_LOCAL_GATEWAY_SIGNATURE_CLAIM_H_
#define BYOSHIN_LOCAL_GATEWAY_SIGNATURE_CLAIM_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "local/gateway/service.h"

namespace byoshin::local {

// The header, or parameter of a presigned request, with the session token of
// temporary credentials.
inline constexpr char kSessionTokenName[] = "X-Amz-Security-Token";

struct SignatureClaim {
  enum class Place { kHeader, kQuery };
  Place place = Place::kHeader;
  std::string algorithm{};
  // Access key and scope, with slashes between the parts.
  std::string credential{};
  // Names in lower case.
  std::vector<std::string> signed_headers{};
  std::string signature{};
  // X-Amz-Date, or else Date: "20150830T123600Z" if it is valid.
  std::string time{};
  // Empty if there is none.
  std::string session_token{};
  // X-Amz-Expires, of presigned requests only.
  std::optional<std::string> expires{};
  // The query's parameters that were signed, decoded: all but the signature.
  std::vector<http::QueryParameter> query{};
};

// Errors are AuthError()s, for a missing, incomplete or second signature, or
// one with a part twice, which others may read differently;
// MalformedQueryString if the query can't be parsed.
absl::StatusOr<SignatureClaim> ReadSignatureClaim(
    const http::ServerRequest& request, WireProtocol protocol);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_SIGNATURE_CLAIM_H_

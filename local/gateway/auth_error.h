// Authentication errors, with AWS's codes and messages.
//
//   return AuthError(AuthFault::kInvalidSignature, "Signature expired: ...",
//                    WireProtocol::kQuery);  // SignatureDoesNotMatch, 403
//
// The two protocols name the same fault differently, and give it different
// HTTP statuses.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Programming.Errors.html
#ifndef BYOSHIN_LOCAL_GATEWAY_AUTH_ERROR_H_
#define BYOSHIN_LOCAL_GATEWAY_AUTH_ERROR_H_

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local {

enum class AuthFault {
  kMissingToken,         // the request is not signed
  kIncompleteSignature,  // the signature is malformed
  kUnknownClient,        // no such access key, or not with this session token
  kExpiredToken,         // the temporary credentials are no longer valid
  kInvalidSignature,     // the signature does not match this request
};

// A ServiceError().
absl::Status AuthError(AuthFault fault, absl::string_view message,
                       WireProtocol protocol);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_AUTH_ERROR_H_

#include "local/gateway/auth_error.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"

namespace byoshin::local {
namespace {

struct Names {
  const char* json;
  const char* query;
  int query_status;
};

// With the JSON protocol all of them are 400.
constexpr int kJsonStatus = 400;

Names NamesOf(AuthFault fault) {
  switch (fault) {
    case AuthFault::kMissingToken:
      return {"MissingAuthenticationTokenException",
              "MissingAuthenticationToken", 403};
    case AuthFault::kIncompleteSignature:
      return {"IncompleteSignatureException", "IncompleteSignature", 400};
    case AuthFault::kUnknownClient:
      return {"UnrecognizedClientException", "InvalidClientTokenId", 403};
    case AuthFault::kExpiredToken:
      return {"ExpiredTokenException", "ExpiredToken", 403};
    case AuthFault::kInvalidSignature:
      break;
  }
  return {"InvalidSignatureException", "SignatureDoesNotMatch", 403};
}

}  // namespace

absl::Status AuthError(AuthFault fault, absl::string_view message,
                       WireProtocol protocol) {
  const Names names = NamesOf(fault);
  return ServiceError({.code = names.json,
                       .query_code = names.query,
                       .message = std::string(message),
                       .http_status = protocol == WireProtocol::kQuery
                                          ? names.query_status
                                          : kJsonStatus});
}

}  // namespace byoshin::local

#include "local/apigateway/iam_authorization.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/http/server_message.h"
#include "local/apigateway/authorization.h"
#include "local/apigateway/gateway_response.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kExecuteApi[] = "execute-api";
constexpr char kInvokeMethod[] = "execute-api:Invoke";

bool IsSigned(const http::ServerRequest& request) {
  return !request.FindHeader("Authorization").empty() ||
         absl::StrContains(request.query, "X-Amz-Signature=");
}

AuthorizationOutcome Refused(ResponseType type, std::string message) {
  return {.refusal = GatewayError{
              .type = type, .message = message, .reason = message}};
}

AuthorizationOutcome BadSignature(const absl::Status& status) {
  const ErrorAnswer error = ErrorAnswerOf(status);
  return Refused(absl::StartsWith(error.code, "ExpiredToken")
                     ? ResponseType::kExpiredToken
                     : ResponseType::kInvalidSignature,
                 error.message);
}

}  // namespace

AuthorizationOutcome IamAuthorization::Check(
    const http::ServerRequest& request, const std::string& method_arn) const {
  if (!IsSigned(request)) {
    return Refused(ResponseType::kMissingAuthenticationToken,
                   "Missing Authentication Token");
  }
  const absl::StatusOr<Identity> identity = authenticator_.Authenticate(
      request, {.protocol = WireProtocol::kRestJson, .service = kExecuteApi});
  if (!identity.ok()) return BadSignature(identity.status());
  const std::string& key = identity->caller.access_key_id;
  const iam::Principal principal = world_.iam.PrincipalOf(key);
  const iam::AccessRequest wanted{
      .principal = principal, .action = kInvokeMethod, .resource = method_arn};
  const iam::Decision decision = world_.iam.Authorize(wanted);
  if (!decision.allowed()) {
    if (world_.on_denied) world_.on_denied(wanted, decision);
    return Refused(
        ResponseType::kAccessDenied,
        absl::StrCat(
            "User: ", principal.id, " is not authorized to perform: ",
            kInvokeMethod, " on resource: ", method_arn,
            decision.outcome == iam::Decision::Outcome::kExplicitlyDenied
                ? " with an explicit deny"
                : ""));
  }
  AuthorizationOutcome outcome;
  outcome.identity = {{"accessKey", key},
                      {"accountId", identity->caller.account_id},
                      {"caller", key},
                      {"user", key},
                      {"userArn", principal.id}};
  return outcome;
}

}  // namespace byoshin::local::apigateway

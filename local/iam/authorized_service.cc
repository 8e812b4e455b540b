#include "local/iam/authorized_service.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "local/gateway/error.h"

namespace byoshin::local::iam {
namespace {

Answer Denied(const ServiceTraits& traits, const Call& call,
              const std::string& message) {
  const bool query = call.protocol == WireProtocol::kQuery;
  const absl::Status status =
      ServiceError({.code = query ? "AccessDenied" : traits.access_denied_code,
                    .message = message,
                    .http_status = traits.access_denied_status});
  return query ? QueryErrorAnswer(status, call.request_id, traits.xml_namespace)
               : JsonErrorAnswer(status, traits.error_type_prefix,
                                 traits.access_denied_message_member);
}

}  // namespace

AuthorizedService::AuthorizedService(Service& service, const Iam& iam,
                                     Options options)
    : ForwardingService(service), iam_(iam), options_(std::move(options)) {}

void AuthorizedService::Handle(Call call, AnswerFunction answer) {
  const Principal principal = iam_.PrincipalOf(call.caller.access_key_id);
  // The account may do everything that is not denied. If no policy can deny
  // anything, there is no need to parse the body.
  if (principal.kind == Principal::Kind::kAccount &&
      !iam_.HasResourcePolicies(name())) {
    return service().Handle(std::move(call), std::move(answer));
  }
  for (NeededPermission& needed : PermissionsFor(call)) {
    const AccessRequest request{.principal = principal,
                                .action = std::move(needed.action),
                                .resource = std::move(needed.resource)};
    const Decision decision = iam_.Authorize(request);
    if (decision.allowed()) continue;
    if (options_.on_denied) options_.on_denied(request, decision);
    return answer(Denied(traits(), call, DenialMessage(request, decision)));
  }
  service().Handle(std::move(call), std::move(answer));
}

}  // namespace byoshin::local::iam

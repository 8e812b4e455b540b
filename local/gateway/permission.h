// Common forms of the permissions that calls need.
//
//   std::vector<NeededPermission> EventsService::PermissionsFor(
//       const Call& call) const {
//     return {PermissionByName(call, traits(), {{"Name", "rule/"}})};
//   }
#ifndef BYOSHIN_LOCAL_GATEWAY_PERMISSION_H_
#define BYOSHIN_LOCAL_GATEWAY_PERMISSION_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local {

// "arn:aws:sqs:REGION:ACCOUNT:orders", with the region and account of the call.
std::string ArnFor(const Call& call, absl::string_view service,
                   absl::string_view resource);

// The parameter of this name, in the Query protocol or in JSON; empty if there
// is none.
std::string ParameterOf(const Call& call, const char* name);

// A parameter that names a resource, and how the resource's ARN is formed.
struct ResourceForm {
  const char* parameter;
  // Before and after the name in the ARN.
  absl::string_view before{};
  absl::string_view after{};
};

// For services whose actions have the names of their operations: the action on
// the resource of the first form whose parameter is present.
NeededPermission PermissionByName(const Call& call, const ServiceTraits& traits,
                                  const std::vector<ResourceForm>& forms);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_PERMISSION_H_

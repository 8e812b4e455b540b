#include "local/gateway/permission.h"

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/gateway/query.h"

namespace byoshin::local {

std::string ArnFor(const Call& call, absl::string_view service,
                   absl::string_view resource) {
  return absl::StrCat("arn:aws:", service, ":", call.region, ":",
                      call.caller.account_id, ":", resource);
}

std::string ParameterOf(const Call& call, const char* name) {
  if (call.protocol != WireProtocol::kQuery) {
    return call.JsonBody().ok() ? json::TextMember(*call.JsonBody(), name) : "";
  }
  const absl::StatusOr<QueryParameters> parameters =
      QueryParameters::Parse(call.body);
  return parameters.ok() ? std::string(parameters->Find(name).value_or(""))
                         : "";
}

NeededPermission PermissionByName(const Call& call, const ServiceTraits& traits,
                                  const std::vector<ResourceForm>& forms) {
  NeededPermission needed{
      .action = absl::StrCat(traits.name, ":", call.operation),
      .resource = "*"};
  for (const ResourceForm& form : forms) {
    const std::string name = ParameterOf(call, form.parameter);
    if (name.empty()) continue;
    needed.resource = absl::StartsWith(name, "arn:")
                          ? name
                          : ArnFor(call, traits.name,
                                   absl::StrCat(form.before, name, form.after));
    break;
  }
  return needed;
}

}  // namespace byoshin::local

// Parts of an API in templates: keys, data sources, functions and resolvers,
// which differ only in names.
#ifndef BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PART_PROVIDER_H_
#define BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PART_PROVIDER_H_

#include <json/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/appsync/cloudformation/plane_calls.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::appsync {

struct PartType {
  // "AWS::AppSync::DataSource"
  std::string type{};
  cloudformation::ResourceSchema schema{};
  // The member of answers: "dataSource".
  std::string member{};
  // The path at which one is created: "/v1/apis/ID/datasources". Never null.
  std::function<std::string(const cloudformation::ResourceRequest&)> path{};
  // What follows it, with a slash, for the resource of this physical id. Never
  // null.
  std::function<std::string(absl::string_view physical_id)> id{};
  // The id that Create() would give, if the template decides it. May be null.
  std::function<std::string(const cloudformation::ResourceRequest&)>
      chosen_id{};
  // From the answer of the control plane. Never null.
  std::function<cloudformation::ResourceState(
      const cloudformation::ResourceRequest&, const Json::Value&)>
      state{};
};

std::unique_ptr<cloudformation::ResourceProvider> NewPartProvider(
    Plane plane, PartType type);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CLOUDFORMATION_PART_PROVIDER_H_

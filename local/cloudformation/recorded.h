// Types of resources that the local cloud only records: they can be deployed,
// referred to and described, but have no effect.
//
//   AddRecordedProviders(registry);  // after the providers of the services
//
// Each type has the reason why that is enough. A service that supports one adds
// its own provider first.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_

#include <string>
#include <vector>

#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::cloudformation {

struct RecordedType {
  std::string type{};
  std::string reason{};
  // Properties that determine Ref and Fn::GetAtt.
  std::vector<std::string> acted_on{};
  // The others, which have no effect because of `reason`.
  std::vector<std::string> inert{};
  std::vector<std::string> required{};
  std::vector<std::string> create_only{};
  std::vector<std::string> attributes{};
  // The name of one, as in "14 alarms", for users who may expect an effect;
  // empty if nothing is missing without one.
  std::string expected{};
  // The values of Ref and Fn::GetAtt for a resource of this type.
  ResourceState (*state)(const ResourceRequest& request) = nullptr;
};

const std::vector<RecordedType>& RecordedTypes();

// The resources of the stack from which users may expect an effect: "14 alarms,
// 1 topic"; empty if there are none.
std::string DescribeRecorded(const Stack& stack);

// Adds providers for types that have none yet.
void AddRecordedProviders(ProviderRegistry& registry);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_

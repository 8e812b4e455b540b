// Types of resources that the local cloud only records: they can be deployed,
// referred to and looked at, and do nothing else.
//
//   AddRecordedProviders(registry);  // after the providers of the services
//
// For each type stands here why that is enough. A service that comes to act on
// one adds its own provider first.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_

#include <string>
#include <vector>

#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"

namespace byoshin::local::cloudformation {

struct RecordedType {
  std::string type{};
  std::string reason{};
  // Properties that make up what Ref and Fn::GetAtt give.
  std::vector<std::string> acted_on{};
  // The others, which all have no effect for `reason`.
  std::vector<std::string> inert{};
  std::vector<std::string> required{};
  std::vector<std::string> create_only{};
  std::vector<std::string> attributes{};
  // What Ref and Fn::GetAtt give for a resource of this type.
  ResourceState (*state)(const ResourceRequest& request) = nullptr;
};

const std::vector<RecordedType>& RecordedTypes();

// Those that have no provider yet.
void AddRecordedProviders(ProviderRegistry& registry);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_RECORDED_H_

// The resource types that the local cloud supports.
//
//   ProviderRegistry registry;
//   registry.Add(std::make_unique<QueueProvider>(sqs));
//   AddRecordedProviders(registry);  // last: types without effect
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::cloudformation {

// Thread-safe once all providers are added.
class ProviderRegistry {
 public:
  // The first provider of a type is kept: false if there already is one.
  bool Add(std::unique_ptr<ResourceProvider> provider);

  // Null if there is none.
  ResourceProvider* Find(absl::string_view type) const;
  // The provider's schema; null if there is no provider.
  const SchemaTree* FindSchema(absl::string_view type) const;

  std::vector<std::string> Types() const;

 private:
  struct Entry {
    std::unique_ptr<ResourceProvider> provider;
    SchemaTree schema;
  };

  std::map<std::string, Entry> entries_;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_

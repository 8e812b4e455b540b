// The resource types that the local cloud supports.
//
//   ProviderRegistry registry;
//   registry.Add(std::make_unique<QueueProvider>(sqs));
//   AddRecordedProviders(registry);  // last: types without effect
//
// It also has the services whose values templates may refer to by
// "{{resolve:SERVICE:…}}".
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/schema.h"

namespace byoshin::local::cloudformation {

// The type of resources that a template's own code makes. Resources of a type
// "Custom::NAME" have the same provider.
inline constexpr char kCustomResourceType[] =
    "AWS::CloudFormation::CustomResource";

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

  // Returns the value that a dynamic reference stands for. `reference` is what
  // follows the service: "db:SecretString:password". An error must not contain
  // a secret value.
  using Resolver = std::function<absl::StatusOr<std::string>(
      const StackContext& stack, absl::string_view reference)>;
  // For references "{{resolve:SERVICE:…}}".
  void AddResolver(std::string service, Resolver resolver);
  // Null if there is none.
  const Resolver* FindResolver(absl::string_view service) const;

 private:
  struct Entry {
    std::unique_ptr<ResourceProvider> provider;
    SchemaTree schema;
  };

  std::map<std::string, Entry> entries_;
  std::map<std::string, Resolver> resolvers_;  // by service
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_REGISTRY_H_

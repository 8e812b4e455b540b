// Dynamic references: "{{resolve:secretsmanager:db:SecretString:password}}" in
// a resource's properties stands for a value of another service. It is replaced
// only in what a provider is given: the stack's record keeps the reference, so
// that it has no secret.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/dynamic-references.html
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"

namespace byoshin::local::cloudformation {

struct DynamicReference {
  std::string path{};               // "Environment.Variables.PASSWORD"
  std::string text{};               // "{{resolve:…}}"
  const Json::Value* at = nullptr;  // the text that it is in

  // The reason for its rejection.
  std::string Describe() const;
};

// The first reference to a service without a resolver, in any text inside the
// value, including arguments of functions.
std::optional<DynamicReference> FindUnknownReference(
    const Json::Value& value, const ProviderRegistry& registry);

// The value with its references replaced. An error names the reference.
absl::StatusOr<Json::Value> ResolveReferences(const Json::Value& value,
                                              const ProviderRegistry& registry,
                                              const StackContext& stack);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_DYNAMIC_REFERENCE_H_

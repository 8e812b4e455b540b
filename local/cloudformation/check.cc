#include "local/cloudformation/check.h"

#include <json/json.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/dynamic_reference.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/mistakes.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/cloudformation/resolver.h"
#include "local/cloudformation/schema.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

// Checks the references of a value. `where` is the start of the errors.
class ReferenceChecker final : public ReferenceVisitor {
 public:
  // Conditions and rules are evaluated before there are any resources.
  enum class Resources { kAllowed, kNotAllowed };

  ReferenceChecker(const Template& t, const ProviderRegistry& registry,
                   Mistakes& mistakes)
      : template_(t), registry_(registry), mistakes_(mistakes) {}

  void Enter(std::string where, Resources resources) {
    where_ = std::move(where);
    resources_ = resources;
  }

  void OnRef(const std::string& name, const Json::Value& at) override {
    if (IsPseudoParameter(name) || template_.parameters.count(name) != 0 ||
        (resources_ == Resources::kAllowed &&
         template_.resources.count(name) != 0)) {
      return;
    }
    OnMistake(absl::StrCat("refers to ", name, ", which is ",
                           resources_ == Resources::kAllowed
                               ? "neither a parameter nor a resource"
                               : "not a parameter"),
              at);
  }

  void OnAttribute(const Attribute& attribute, const Json::Value& at) override {
    const auto resource = template_.resources.find(attribute.resource);
    if (resource == template_.resources.end() ||
        resources_ == Resources::kNotAllowed) {
      OnMistake(absl::StrCat("refers to an attribute of ", attribute.resource,
                             ", which is not a resource"),
                at);
      return;
    }
    const ResourceProvider* provider = registry_.Find(resource->second.type);
    if (provider == nullptr) return;  // a mistake of that resource
    if (provider->schema().any_attribute) return;
    const std::vector<std::string>& known = provider->schema().attributes;
    if (std::find(known.begin(), known.end(), attribute.name) == known.end()) {
      OnMistake(absl::StrCat("refers to the attribute ", attribute.name, " of ",
                             attribute.resource, ", which a ",
                             resource->second.type, " does not have"),
                at);
    }
  }

  void OnCondition(const std::string& name, const Json::Value& at) override {
    if (template_.conditions.count(name) != 0) return;
    OnMistake(absl::StrCat("there is no condition ", name), at);
  }

  void OnMapping(const std::string& name, const Json::Value& at) override {
    if (template_.mappings.count(name) != 0) return;
    OnMistake(absl::StrCat("there is no mapping ", name), at);
  }

  void OnMistake(const std::string& what, const Json::Value& at) override {
    if (mistakes_.full()) return;
    mistakes_.Add(
        absl::StrCat("line ", template_.Line(at), ": ", where_, ": ", what));
  }

  Branches BranchesOf(const std::string&) override { return Branches::kBoth; }

 private:
  const Template& template_;
  const ProviderRegistry& registry_;
  Mistakes& mistakes_;
  std::string where_;
  Resources resources_ = Resources::kAllowed;
};

void CheckResource(const Template& t, const std::string& id,
                   const ProviderRegistry& registry,
                   ReferenceChecker& checker) {
  using Resources = ReferenceChecker::Resources;
  const TemplateResource& resource = t.resources.at(id);
  const std::string where =
      absl::StrCat("resource ", id, " (", resource.type, ")");
  checker.Enter(where, Resources::kAllowed);
  if (const SchemaTree* schema = registry.FindSchema(resource.type)) {
    for (const SchemaMistake& mistake : schema->Check(*resource.properties)) {
      // Missing properties have no position of their own.
      const Json::Value& at =
          mistake.at->getOffsetLimit() == 0 ? *resource.source : *mistake.at;
      checker.OnMistake(
          absl::StrCat("property ", mistake.path, " ", mistake.what), at);
    }
  } else {
    checker.OnMistake("the local cloud does not support this type of resource",
                      *resource.source);
  }
  if (!resource.condition.empty()) {
    checker.OnCondition(resource.condition, *resource.source);
  }
  for (const std::string& other : resource.depends_on) {
    if (t.resources.count(other) == 0) {
      checker.OnMistake(
          absl::StrCat("DependsOn names ", other, ", which is not a resource"),
          (*resource.source)["DependsOn"]);
    }
  }
  if (std::optional<DynamicReference> reference =
          FindUnknownReference(*resource.properties, registry)) {
    checker.OnMistake(reference->Describe(), *reference->at);
  }
  for (const std::string& name : resource.properties->getMemberNames()) {
    checker.Enter(absl::StrCat(where, ", property ", name),
                  Resources::kAllowed);
    VisitReferences((*resource.properties)[name], FunctionContext::kProperties,
                    checker);
  }
}

}  // namespace

absl::Status CheckTemplate(const Template& t,
                           const ProviderRegistry& registry) {
  using Resources = ReferenceChecker::Resources;
  Mistakes mistakes;
  ReferenceChecker checker(t, registry, mistakes);
  for (const auto& [name, condition] : t.conditions) {
    checker.Enter(absl::StrCat("condition ", name), Resources::kNotAllowed);
    VisitReferences(*condition, FunctionContext::kConditions, checker);
  }
  for (const auto& [name, rule] : t.rules) {
    checker.Enter(absl::StrCat("rule ", name), Resources::kNotAllowed);
    VisitReferences(*rule, FunctionContext::kRules, checker);
  }
  for (const auto& [id, resource] : t.resources) {
    CheckResource(t, id, registry, checker);
  }
  for (const auto& [name, output] : t.outputs) {
    checker.Enter(absl::StrCat("output ", name), Resources::kAllowed);
    if (!output.condition.empty()) {
      checker.OnCondition(output.condition, *output.value);
    }
    VisitReferences(*output.value, FunctionContext::kProperties, checker);
    if (output.export_name != nullptr) {
      VisitReferences(*output.export_name, FunctionContext::kProperties,
                      checker);
    }
  }
  return mistakes.ToStatus();
}

}  // namespace byoshin::local::cloudformation

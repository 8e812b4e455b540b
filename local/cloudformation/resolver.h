// Replaces the functions of a template by their values in a particular
// deployment.
//
//   absl::StatusOr<Resolver> resolver = Resolver::Make(t, parameters, stack);
//   resolver->IsTrue("HasMockApi");
//   absl::StatusOr<Json::Value> properties =
//       resolver->Properties(*t.resources.at("Queue").properties, lookup);
//
// Numbers from parameters are text, as in CloudFormation, where the type Number
// only restricts the text.
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_RESOLVER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_RESOLVER_H_

#include <json/forwards.h>

#include <functional>
#include <map>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {

// Returns the value of Ref (with an empty attribute) or Fn::GetAtt for a
// resource.
using ResourceLookup = std::function<absl::StatusOr<std::string>(
    const std::string& resource, const std::string& attribute)>;

// Immutable, so thread-safe. Its arguments must outlive it.
class Resolver {
 public:
  // Evaluates all conditions. Errors are those of the template.
  static absl::StatusOr<Resolver> Make(const Template& t,
                                       const ParameterValues& parameters,
                                       const StackContext& stack);

  // FailedPrecondition, with the template's own message, if the parameters
  // violate a rule.
  // https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/rules-section-structure.html
  absl::Status CheckRules() const;

  // True for an empty name; false for an unknown one.
  bool IsTrue(const std::string& condition) const;

  // Whether the resource is part of this deployment.
  bool Exists(const std::string& resource) const;

  // The properties of a resource, without those that are AWS::NoValue. Errors
  // have the property and the line.
  absl::StatusOr<Json::Value> Properties(const Json::Value& properties,
                                         const ResourceLookup& lookup) const;

  // A value that must be a text, such as an output's.
  absl::StatusOr<std::string> Text(const Json::Value& value,
                                   const ResourceLookup& lookup) const;

 private:
  Resolver(const Template& t, const ParameterValues& parameters,
           const StackContext& stack)
      : template_(&t), parameters_(&parameters), stack_(&stack) {}

  const Template* template_;
  const ParameterValues* parameters_;
  const StackContext* stack_;
  std::map<std::string, bool> conditions_;
};

// Whether there is a pseudo parameter of this name: "AWS::Region".
bool IsPseudoParameter(absl::string_view name);

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_RESOLVER_H_

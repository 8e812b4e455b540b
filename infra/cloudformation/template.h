// Builds a CloudFormation template.
//
//   Template stack("Collects counts every five seconds.");
//   Value retention = stack.AddParameter(
//       "RetentionDays", {.type = ParameterType::kNumber,
//                         .description = "Days that logs are kept.",
//                         .default_value = 30});
//   Resource dead_letters = stack.Add("DeadLetters", sqs::Queue{});
//   Resource queue = stack.Add(
//       "Jobs", sqs::Queue{.dead_letter_queue = dead_letters.Arn(),
//                          .max_receive_count = 5});
//   stack.AddOutput("JobsUrl", {.description = "…", .value = queue.Ref()});
//   absl::StatusOr<std::string> json = WriteTemplate(stack, Format::kJson);
//
// Resource types are structs (sqs.h, lambda.h, …) with a Type() and a
// ToProperties(). Errors in a template are found when it is written (see
// check.h), not while it is built: so resources may refer to others that come
// later.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/template-anatomy.html
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_TEMPLATE_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_TEMPLATE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {

// The properties of a resource type.
struct ResourceType {
  // As a list of keys and values, or as a user pool has them.
  enum class Tags { kNone, kList, kUserPool };

  std::string name;  // "AWS::SQS::Queue"
  // The attributes for GetAtt.
  std::vector<std::string> attributes{};
  Tags tags = Tags::kNone;
};

enum class ParameterType { kString, kNumber };

struct Parameter {
  ParameterType type = ParameterType::kString;
  std::string description{};
  // Without one, the deployment must give a value.
  Value default_value{};
  std::vector<Value> allowed_values{};
  std::string allowed_pattern{};
  // Shown when a value is rejected; required with a pattern.
  std::string constraint{};
  std::optional<int64_t> min_value{};
  std::optional<int64_t> max_value{};
};

// What happens to a resource when it is removed from the stack.
enum class RemovalPolicy { kDefault, kDelete, kRetain };

struct ResourceOptions {
  std::string condition{};
  std::vector<std::string> depends_on{};
  // For deletion as well as for replacement.
  RemovalPolicy removal = RemovalPolicy::kDefault;
  // Written into the template as a description.
  Value metadata{};
};

struct Output {
  std::string description{};
  Value value{};
  std::string condition{};
};

// Rejects a combination of parameters before anything is created.
struct Assertion {
  // When to check; absent for always.
  Value when{};
  Value assert_that{};
  std::string otherwise{};  // the reason for the rejection
};

// Names a resource of a template. Safe to copy and keep.
class Resource {
 public:
  explicit Resource(absl::string_view id) : id_(id) {}

  const std::string& id() const { return id_; }
  Value Ref() const { return cloudformation::Ref(id_); }
  Value Attribute(absl::string_view name) const { return GetAtt(id_, name); }
  Value Arn() const { return Attribute("Arn"); }

 private:
  std::string id_;
};

// Not thread-safe.
class Template {
 public:
  // One for each parameter, condition and so on, in the order of addition.
  struct ResourceEntry {
    std::string id;
    ResourceType type;
    Properties properties;
    ResourceOptions options;
  };
  template <typename T>
  using Named = std::vector<std::pair<std::string, T>>;

  explicit Template(absl::string_view description)
      : description_(description) {}

  // For every resource whose type supports tags, whenever it is added.
  void SetTags(Value::Members tags) { tags_ = std::move(tags); }

  void AddMetadata(absl::string_view key, Value value);
  // Returns a reference to the parameter.
  Value AddParameter(absl::string_view id, Parameter parameter);
  void AddAssertion(absl::string_view id, Assertion assertion);
  // Returns the name, to be used with If() and ResourceOptions.
  std::string AddCondition(absl::string_view id, Value condition);
  void AddOutput(absl::string_view id, Output output);

  template <typename T>
  Resource Add(absl::string_view id, const T& resource,
               ResourceOptions options = {}) {
    return AddResource(
        {std::string(id), T::Type(), resource.ToProperties(), options});
  }

  // The whole template. Not checked: see WriteTemplate.
  Value ToValue() const;
  // One resource of it as it will be written; absent if there is none.
  Value ResourceValue(absl::string_view id) const;

  const std::string& description() const { return description_; }
  const Named<Parameter>& parameters() const { return parameters_; }
  const Named<Value>& conditions() const { return conditions_; }
  const Named<Assertion>& assertions() const { return assertions_; }
  const Named<Output>& outputs() const { return outputs_; }
  const std::vector<ResourceEntry>& resources() const { return resources_; }

 private:
  Resource AddResource(ResourceEntry entry);
  Value ToValue(const ResourceEntry& entry) const;

  std::string description_;
  Value::Members tags_;
  Value::Members metadata_;
  Named<Parameter> parameters_;
  Named<Assertion> assertions_;
  Named<Value> conditions_;
  std::vector<ResourceEntry> resources_;
  Named<Output> outputs_;
};

}  // namespace byoshin::infra::cloudformation

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_TEMPLATE_H_

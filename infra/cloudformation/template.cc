#include "infra/cloudformation/template.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation {
namespace {

// The only version.
constexpr char kFormatVersion[] = "2010-09-09";

Value TextOrAbsent(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

Value ListOrAbsent(const std::vector<Value>& items) {
  return items.empty() ? Value() : Value(items);
}

Value NumberOrAbsent(const std::optional<int64_t>& number) {
  return number.has_value() ? Value(*number) : Value();
}

Value ToValue(const Parameter& parameter) {
  return Object(
      {{"Type", parameter.type == ParameterType::kNumber ? "Number" : "String"},
       {"Description", TextOrAbsent(parameter.description)},
       {"Default", parameter.default_value},
       {"AllowedValues", ListOrAbsent(parameter.allowed_values)},
       {"AllowedPattern", TextOrAbsent(parameter.allowed_pattern)},
       {"MinValue", NumberOrAbsent(parameter.min_value)},
       {"MaxValue", NumberOrAbsent(parameter.max_value)},
       {"ConstraintDescription", TextOrAbsent(parameter.constraint)}});
}

Value ToValue(const Assertion& assertion) {
  return Object(
      {{"RuleCondition", assertion.when},
       {"Assertions",
        List({Object({{"Assert", assertion.assert_that},
                      {"AssertDescription", assertion.otherwise}})})}});
}

Value ToValue(const Value& value) { return value; }

Value ToValue(const Output& output) {
  return Object({{"Condition", TextOrAbsent(output.condition)},
                 {"Description", TextOrAbsent(output.description)},
                 {"Value", output.value}});
}

Value ToValue(RemovalPolicy policy) {
  switch (policy) {
    case RemovalPolicy::kDefault:
      return Value();
    case RemovalPolicy::kDelete:
      return "Delete";
    case RemovalPolicy::kRetain:
      break;
  }
  return "Retain";
}

// One name is written as text, several as a list, as usual.
Value ToValue(const std::vector<std::string>& names) {
  if (names.empty()) return Value();
  if (names.size() == 1) return names.front();
  Value::Items items(names.begin(), names.end());
  return List(std::move(items));
}

template <typename T>
Value Section(const Template::Named<T>& entries) {
  if (entries.empty()) return Value();
  Value::Members members;
  for (const auto& [id, entry] : entries) {
    members.emplace_back(id, ToValue(entry));
  }
  return Value(std::move(members));
}

}  // namespace

void Template::AddMetadata(absl::string_view key, Value value) {
  metadata_.emplace_back(std::string(key), std::move(value));
}

Value Template::AddParameter(absl::string_view id, Parameter parameter) {
  parameters_.emplace_back(std::string(id), std::move(parameter));
  return Ref(id);
}

void Template::AddAssertion(absl::string_view id, Assertion assertion) {
  assertions_.emplace_back(std::string(id), std::move(assertion));
}

std::string Template::AddCondition(absl::string_view id, Value condition) {
  conditions_.emplace_back(std::string(id), std::move(condition));
  return std::string(id);
}

void Template::AddOutput(absl::string_view id, Output output) {
  outputs_.emplace_back(std::string(id), std::move(output));
}

Resource Template::AddResource(ResourceEntry entry) {
  resources_.push_back(std::move(entry));
  return Resource(resources_.back().id);
}

Value Template::ToValue(const ResourceEntry& entry) const {
  Value::Members properties = entry.properties.members();
  if (entry.type.tags == ResourceType::Tags::kList && !tags_.empty()) {
    Value::Items tags;
    for (const auto& [key, value] : tags_) {
      tags.push_back(Object({{"Key", key}, {"Value", value}}));
    }
    properties.emplace_back("Tags", List(std::move(tags)));
  }
  if (entry.type.tags == ResourceType::Tags::kUserPool && !tags_.empty()) {
    properties.emplace_back("UserPoolTags", Object(tags_));
  }
  return Object(
      {{"Type", entry.type.name},
       {"Condition", TextOrAbsent(entry.options.condition)},
       {"DependsOn", cloudformation::ToValue(entry.options.depends_on)},
       {"DeletionPolicy", cloudformation::ToValue(entry.options.removal)},
       {"UpdateReplacePolicy", cloudformation::ToValue(entry.options.removal)},
       {"Metadata", entry.options.metadata},
       {"Properties",
        properties.empty() ? Value() : Value(std::move(properties))}});
}

Value Template::ResourceValue(absl::string_view id) const {
  for (const ResourceEntry& entry : resources_) {
    if (entry.id == id) return ToValue(entry);
  }
  return Value();
}

Value Template::ToValue() const {
  Value::Members resources;
  for (const ResourceEntry& entry : resources_) {
    resources.emplace_back(entry.id, ToValue(entry));
  }
  return Object({{"AWSTemplateFormatVersion", kFormatVersion},
                 {"Description", TextOrAbsent(description_)},
                 {"Metadata", metadata_.empty() ? Value() : Value(metadata_)},
                 {"Parameters", Section(parameters_)},
                 {"Rules", Section(assertions_)},
                 {"Conditions", Section(conditions_)},
                 {"Resources", Value(std::move(resources))},
                 {"Outputs", Section(outputs_)}});
}

}  // namespace byoshin::infra::cloudformation

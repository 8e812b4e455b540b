#include "infra/gen/testing/deployed_template.h"

#include <json/json.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "infra/cloudformation/check.h"
#include "infra/gen/stack.h"

namespace byoshin::infra::testing {
namespace {

const std::map<std::string, std::string>& PseudoParameters() {
  static const auto* const kValues = new std::map<std::string, std::string>{
      {"AWS::AccountId", "123456789012"},
      {"AWS::Partition", "aws"},
      {"AWS::Region", "us-east-1"},
      {"AWS::StackName", "byoshin"},
      {"AWS::URLSuffix", "amazonaws.com"}};
  return *kValues;
}

bool IsFunction(const std::string& name) {
  return name == "Ref" || name == "Condition" || absl::StartsWith(name, "Fn::");
}

// Text and numbers are the same to Fn::Equals.
std::string AsText(const Json::Value& value) {
  return value.isString() ? value.asString() : json::WriteValue(value);
}

Json::Value ParseOrFail(const Stack& stack) {
  const absl::StatusOr<std::string> text = cloudformation::WriteTemplate(
      stack.build(), cloudformation::Format::kJson);
  EXPECT_TRUE(text.ok()) << text.status();
  if (!text.ok()) return Json::Value(Json::objectValue);
  const absl::StatusOr<Json::Value> value = json::ParseValue(*text);
  EXPECT_TRUE(value.ok()) << value.status();
  return value.ok() ? *value : Json::Value(Json::objectValue);
}

}  // namespace

DeployedTemplate::DeployedTemplate(
    const Stack& stack, std::map<std::string, std::string> parameters)
    : source_(ParseOrFail(stack)), parameters_(std::move(parameters)) {
  for (const auto& given : parameters_) {
    EXPECT_TRUE(source_["Parameters"].isMember(given.first))
        << "there is no parameter " << given.first;
  }
  for (const std::string& id : source_["Parameters"].getMemberNames()) {
    const Json::Value& parameter = source_["Parameters"][id];
    parameters_.emplace(id, parameter.isMember("Default")
                                ? AsText(parameter["Default"])
                                : absl::StrCat("value-of-", id));
  }
}

bool DeployedTemplate::Has(const std::string& id) const {
  const Json::Value& resource = source_["Resources"][id];
  return !resource.isNull() && (!resource.isMember("Condition") ||
                                IsTrue(resource["Condition"].asString()));
}

std::vector<std::string> DeployedTemplate::Ids(const std::string& type) const {
  std::vector<std::string> ids;
  for (const std::string& id : source_["Resources"].getMemberNames()) {
    if (Has(id) && (type.empty() || TypeOf(id) == type)) ids.push_back(id);
  }
  return ids;
}

std::string DeployedTemplate::TypeOf(const std::string& id) const {
  return source_["Resources"][id]["Type"].asString();
}

Json::Value DeployedTemplate::Properties(const std::string& id) const {
  EXPECT_TRUE(Has(id)) << "the deployment has no " << id;
  return EvaluateMembers(source_["Resources"][id]["Properties"]);
}

std::optional<Json::Value> DeployedTemplate::Output(
    const std::string& name) const {
  const Json::Value& output = source_["Outputs"][name];
  if (output.isNull()) return std::nullopt;
  if (output.isMember("Condition") && !IsTrue(output["Condition"].asString())) {
    return std::nullopt;
  }
  return Evaluate(output["Value"]);
}

std::vector<std::string> DeployedTemplate::Refusals() const {
  std::vector<std::string> refusals;
  for (const Json::Value& rule : source_["Rules"]) {
    if (rule.isMember("RuleCondition") && !IsTrue(rule["RuleCondition"])) {
      continue;
    }
    for (const Json::Value& assertion : rule["Assertions"]) {
      if (IsTrue(assertion["Assert"])) continue;
      refusals.push_back(assertion["AssertDescription"].asString());
    }
  }
  return refusals;
}

std::optional<Json::Value> DeployedTemplate::Evaluate(
    const Json::Value& value) const {
  if (value.isObject() && value.size() == 1) {
    const std::string name = value.getMemberNames().front();
    // A policy's Condition is an object, CloudFormation's is a name.
    if (IsFunction(name) && !(name == "Condition" && value[name].isObject())) {
      return Call(name, value[name]);
    }
  }
  return EvaluateMembers(value);
}

Json::Value DeployedTemplate::EvaluateMembers(const Json::Value& value) const {
  if (!value.isObject() && !value.isArray()) return value;
  Json::Value result(value.type());
  for (auto it = value.begin(); it != value.end(); ++it) {
    const std::optional<Json::Value> member = Evaluate(*it);
    if (!member.has_value()) continue;
    if (value.isArray()) {
      result.append(*member);
    } else {
      result[it.name()] = *member;
    }
  }
  return result;
}

std::optional<Json::Value> DeployedTemplate::Call(
    const std::string& function, const Json::Value& argument) const {
  if (function == "Ref") {
    if (argument.asString() == "AWS::NoValue") return std::nullopt;
    return Reference(argument.asString());
  }
  if (function == "Fn::GetAtt") {
    const std::string id = argument[0].asString();
    EXPECT_TRUE(Has(id)) << "GetAtt of " << id << ", which does not exist";
    return absl::StrCat(id, ".", argument[1].asString());
  }
  if (function == "Fn::If") {
    return Evaluate(argument[IsTrue(argument[0].asString()) ? 1 : 2]);
  }
  if (function == "Fn::Sub") {
    return argument.isString() ? Substitute(argument.asString(), Json::Value())
                               : Substitute(argument[0].asString(),
                                            EvaluateMembers(argument[1]));
  }
  if (function == "Fn::Join") {
    std::vector<std::string> parts;
    for (const Json::Value& part : EvaluateMembers(argument[1])) {
      parts.push_back(AsText(part));
    }
    return absl::StrJoin(parts, argument[0].asString());
  }
  ADD_FAILURE() << "no value for " << function;
  return std::nullopt;
}

bool DeployedTemplate::IsTrue(const std::string& condition) const {
  EXPECT_TRUE(source_["Conditions"].isMember(condition)) << condition;
  return IsTrue(source_["Conditions"][condition]);
}

bool DeployedTemplate::IsTrue(const Json::Value& condition) const {
  const std::string function = condition.getMemberNames().front();
  const Json::Value& argument = condition[function];
  if (function == "Condition") return IsTrue(argument.asString());
  if (function == "Fn::Not") return !IsTrue(argument[0]);
  if (function == "Fn::Equals") {
    return AsText(*Evaluate(argument[0])) == AsText(*Evaluate(argument[1]));
  }
  if (function == "Fn::And" || function == "Fn::Or") {
    const bool any = function == "Fn::Or";
    for (const Json::Value& part : argument) {
      if (IsTrue(part) == any) return any;
    }
    return !any;
  }
  ADD_FAILURE() << "no condition: " << function;
  return false;
}

Json::Value DeployedTemplate::Reference(const std::string& id) const {
  if (const auto found = parameters_.find(id); found != parameters_.end()) {
    return found->second;
  }
  const auto pseudo = PseudoParameters().find(id);
  if (pseudo != PseudoParameters().end()) return pseudo->second;
  EXPECT_TRUE(Has(id)) << "Ref to " << id << ", which does not exist";
  const std::string type = TypeOf(id);
  if (type == "AWS::SQS::Queue") {
    return absl::StrCat("https://sqs.us-east-1.amazonaws.com/123456789012/",
                        id);
  }
  if (type == "AWS::DynamoDB::Table") return Properties(id)["TableName"];
  return id;
}

std::string DeployedTemplate::Substitute(const std::string& text,
                                         const Json::Value& variables) const {
  std::string result;
  size_t at = 0;
  for (size_t start = text.find("${"); start != std::string::npos;
       start = text.find("${", at)) {
    const size_t end = text.find('}', start);
    const std::string name = text.substr(start + 2, end - start - 2);
    const size_t dot = name.find('.');
    result += text.substr(at, start - at);
    if (variables.isObject() && variables.isMember(name)) {
      result += AsText(variables[name]);
    } else if (dot != std::string::npos) {
      EXPECT_TRUE(Has(name.substr(0, dot))) << name << " does not exist";
      result += name;
    } else {
      result += AsText(Reference(name));
    }
    at = end + 1;
  }
  return result + text.substr(at);
}

}  // namespace byoshin::infra::testing

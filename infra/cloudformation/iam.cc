#include "infra/cloudformation/iam.h"

#include <string>
#include <utility>
#include <vector>

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::iam {
namespace {

// The version of the policy language; current since 2012.
constexpr char kPolicyVersion[] = "2012-10-17";

Value TextOrAbsent(const std::string& text) {
  return text.empty() ? Value() : Value(text);
}

// A single one is written without a list, as usual.
Value OneOrMany(const Value::Items& items) {
  if (items.empty()) return Value();
  return items.size() == 1 ? items.front() : List(items);
}

Value ToValue(const Statement& statement) {
  const bool allow = statement.effect == Statement::Effect::kAllow;
  return Object({{"Sid", TextOrAbsent(statement.sid)},
                 {"Effect", allow ? "Allow" : "Deny"},
                 {"Principal", statement.principal},
                 {"Action", OneOrMany(Value::Items(statement.actions.begin(),
                                                   statement.actions.end()))},
                 {"Resource", OneOrMany(statement.resources)},
                 {"Condition", statement.condition}});
}

}  // namespace

Statement Allow(std::vector<std::string> actions, Value::Items resources) {
  return {.actions = std::move(actions), .resources = std::move(resources)};
}

Statement DenyWithoutTls(const std::string& actions, Value resource) {
  return {.effect = Statement::Effect::kDeny,
          .sid = "DenyWithoutTls",
          .principal = "*",
          .actions = {actions},
          .resources = {std::move(resource)},
          .condition =
              Object({{"Bool", Object({{"aws:SecureTransport", "false"}})}})};
}

Value PolicyDocument(const std::vector<Statement>& statements) {
  Value::Items items;
  for (const Statement& statement : statements) {
    items.push_back(ToValue(statement));
  }
  return Object(
      {{"Version", kPolicyVersion}, {"Statement", List(std::move(items))}});
}

ResourceType Role::Type() {
  return {.name = "AWS::IAM::Role",
          .attributes = {"Arn", "RoleId"},
          .tags = ResourceType::Tags::kList};
}

Properties Role::ToProperties() const {
  Properties properties;
  properties.Set("Description", TextOrAbsent(description));
  if (assumed_by.empty()) {
    properties.Require("AssumeRolePolicyDocument", Value());
  } else {
    // Named, since GCC 16 takes a temporary one for dangling.
    const Statement trust = {.principal = Object({{"Service", assumed_by}}),
                             .actions = {"sts:AssumeRole"}};
    properties.Require("AssumeRolePolicyDocument", PolicyDocument({trust}));
  }
  properties.SetList("ManagedPolicyArns", managed_policies);
  if (!statements.empty()) {
    properties.Set(
        "Policies",
        List({Object({{"PolicyName", policy_name},
                      {"PolicyDocument", PolicyDocument(statements)}})}));
  }
  return properties;
}

}  // namespace byoshin::infra::cloudformation::iam

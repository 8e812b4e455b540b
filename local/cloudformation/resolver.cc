#include "local/cloudformation/resolver.h"

#include <json/json.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/evaluation.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/limits.h"
#include "local/cloudformation/mistakes.h"
#include "local/cloudformation/parameters.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/template.h"

namespace byoshin::local::cloudformation {
namespace {

// Conditions may refer to each other, in any order but without cycles.
class ConditionEvaluator {
 public:
  ConditionEvaluator(const Template& t, const ParameterValues& parameters,
                     const StackContext& stack)
      : template_(t), parameters_(parameters), stack_(stack) {}

  absl::StatusOr<bool> Evaluate(const std::string& name) {
    if (const auto known = known_.find(name); known != known_.end()) {
      return known->second;
    }
    if (const auto failed = failed_.find(name); failed != failed_.end()) {
      return failed->second;
    }
    const auto source = template_.conditions.find(name);
    if (source == template_.conditions.end()) {
      return absl::InvalidArgumentError(
          absl::StrCat("there is no condition ", name));
    }
    if (under_way_.contains(name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("condition ", name, " depends on itself"));
    }
    if (under_way_.size() >= kMaxConditionDepth) {
      return absl::InvalidArgumentError(
          absl::StrCat("more than ", kMaxConditionDepth,
                       " conditions build upon each other"));
    }
    under_way_.insert(name);
    Evaluation evaluation(
        {.t = template_,
         .parameters = parameters_,
         .stack = stack_,
         .context = FunctionContext::kConditions,
         .condition = [this](const std::string& n) { return Evaluate(n); }});
    absl::StatusOr<bool> holds = evaluation.IsTrue(*source->second);
    under_way_.erase(name);
    if (holds.ok()) {
      known_[name] = *holds;
    } else {
      failed_[name] = holds.status();
    }
    return holds;
  }

  std::map<std::string, bool> known() const { return known_; }

 private:
  const Template& template_;
  const ParameterValues& parameters_;
  const StackContext& stack_;
  std::map<std::string, bool> known_;
  std::map<std::string, absl::Status> failed_;
  std::set<std::string> under_way_;
};

std::function<absl::StatusOr<bool>(const std::string&)> KnownConditions(
    const std::map<std::string, bool>& conditions) {
  return [&conditions](const std::string& name) -> absl::StatusOr<bool> {
    const auto found = conditions.find(name);
    if (found != conditions.end()) return found->second;
    return absl::InvalidArgumentError(
        absl::StrCat("there is no condition ", name));
  };
}

}  // namespace

bool IsPseudoParameter(absl::string_view name) {
  static const auto& names = *new std::set<std::string>{
      "AWS::AccountId", "AWS::NoValue",  "AWS::NotificationARNs",
      "AWS::Partition", "AWS::Region",   "AWS::StackId",
      "AWS::StackName", "AWS::URLSuffix"};
  return names.count(std::string(name)) != 0;
}

absl::StatusOr<Resolver> Resolver::Make(const Template& t,
                                        const ParameterValues& parameters,
                                        const StackContext& stack) {
  Resolver resolver(t, parameters, stack);
  ConditionEvaluator evaluator(t, parameters, stack);
  Mistakes mistakes;
  for (const auto& [name, source] : t.conditions) {
    if (mistakes.full()) break;
    absl::StatusOr<bool> holds = evaluator.Evaluate(name);
    if (!holds.ok()) {
      mistakes.Add(
          absl::StrCat("condition ", name, ": ", holds.status().message()));
    }
  }
  if (absl::Status status = mistakes.ToStatus(); !status.ok()) return status;
  resolver.conditions_ = evaluator.known();
  return resolver;
}

absl::Status Resolver::CheckRules() const {
  Evaluation evaluation({.t = *template_,
                         .parameters = *parameters_,
                         .stack = *stack_,
                         .context = FunctionContext::kRules,
                         .condition = KnownConditions(conditions_)});
  for (const auto& [name, rule] : template_->rules) {
    const auto refuse = [&, name = name](absl::string_view what) {
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", template_->Line(*rule), ": rule ", name, ": ", what));
    };
    if (rule->isMember("RuleCondition")) {
      absl::StatusOr<bool> applies =
          evaluation.IsTrue((*rule)["RuleCondition"]);
      if (!applies.ok()) return refuse(applies.status().message());
      if (!*applies) continue;
    }
    if (!(*rule)["Assertions"].isArray()) {
      return refuse("Assertions must be a list");
    }
    for (const Json::Value& assertion : (*rule)["Assertions"]) {
      if (!assertion.isObject())
        return refuse("an assertion must be an object");
      absl::StatusOr<bool> holds = evaluation.IsTrue(assertion["Assert"]);
      if (!holds.ok()) return refuse(holds.status().message());
      if (*holds) continue;
      const Json::Value& description = assertion["AssertDescription"];
      return absl::FailedPreconditionError(
          absl::StrCat("rule ", name, ": ",
                       description.isString() ? description.asString()
                                              : "an assertion does not hold"));
    }
  }
  return absl::OkStatus();
}

bool Resolver::IsTrue(const std::string& condition) const {
  if (condition.empty()) return true;
  const auto found = conditions_.find(condition);
  return found != conditions_.end() && found->second;
}

bool Resolver::Exists(const std::string& resource) const {
  const auto found = template_->resources.find(resource);
  return found != template_->resources.end() && IsTrue(found->second.condition);
}

absl::StatusOr<Json::Value> Resolver::Properties(
    const Json::Value& properties, const ResourceLookup& lookup) const {
  Evaluation evaluation({.t = *template_,
                         .parameters = *parameters_,
                         .stack = *stack_,
                         .context = FunctionContext::kProperties,
                         .condition = KnownConditions(conditions_),
                         .lookup = &lookup});
  absl::StatusOr<std::optional<Json::Value>> value =
      evaluation.Evaluate(properties);
  if (!value.ok()) return value.status();
  if (!value->has_value() || !(*value)->isObject()) {
    return absl::InvalidArgumentError(
        absl::StrCat("line ", template_->Line(properties),
                     ": Properties must be an object"));
  }
  return **std::move(value);
}

absl::StatusOr<std::string> Resolver::Text(const Json::Value& value,
                                           const ResourceLookup& lookup) const {
  return Evaluation({.t = *template_,
                     .parameters = *parameters_,
                     .stack = *stack_,
                     .context = FunctionContext::kProperties,
                     .condition = KnownConditions(conditions_),
                     .lookup = &lookup})
      .Text(value);
}

}  // namespace byoshin::local::cloudformation

#include "local/applications/scheduler/scheduler_parts.h"

#include <json/json.h>

#include <optional>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/scheduler/config.h"
#include "local/applications/function_variables.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::applications {
namespace {

std::set<std::string> RulesThatInvoke(const cloudformation::Stack& stack,
                                      const std::string& function_arn) {
  std::set<std::string> rules;
  for (const auto& [id, resource] : stack.resources) {
    if (resource.type != "AWS::Events::Rule") continue;
    for (const Json::Value& target : resource.properties["Targets"]) {
      if (cloudformation::TextProperty(target, "Arn").value_or("") ==
          function_arn) {
        rules.insert(cloudformation::ArnAttribute(resource));
      }
    }
  }
  return rules;
}

}  // namespace

std::optional<SchedulerParts> FindScheduler(
    const cloudformation::Stack& stack) {
  SchedulerParts parts{.stack_name = stack.name};
  bool has_sender = false;
  bool has_collector = false;
  for (const auto& [id, resource] : stack.resources) {
    const env::Environment variables = VariablesOf(resource);
    if (absl::StatusOr<scheduler::CollectorConfig> collector =
            scheduler::LoadCollectorConfig(variables);
        collector.ok()) {
      has_collector = true;
      parts.collector = *std::move(collector);
    }
    if (absl::StatusOr<scheduler::SenderConfig> sender =
            scheduler::LoadSenderConfig(variables);
        sender.ok()) {
      has_sender = true;
      parts.sender = *std::move(sender);
      parts.rule_arns =
          RulesThatInvoke(stack, cloudformation::ArnAttribute(resource));
    }
  }
  if (!has_sender || !has_collector) return std::nullopt;
  return parts;
}

}  // namespace byoshin::local::applications

#include "local/events/rule_changes.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/events/pattern.h"
#include "local/events/rule.h"
#include "local/events/rule_json.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"

namespace byoshin::local::events {
namespace {

constexpr char kInvalidRequest[] = "ValidationException";
constexpr std::size_t kMaxRuleNameLength = 64;

using RuleOrError = absl::StatusOr<std::optional<Rule>>;

absl::Status InvalidRequest(absl::string_view message) {
  return ServiceError(
      {.code = kInvalidRequest, .message = std::string(message)});
}

// What the API says about an error of Events.
absl::Status ToApiError(const absl::Status& status) {
  const bool is_service_error =
      ErrorAnswerOf(status).code != ErrorAnswerOf(absl::Status()).code;
  if (is_service_error || status.code() != absl::StatusCode::kInvalidArgument) {
    return status;
  }
  if (absl::StartsWith(status.message(), "Event pattern is not valid")) {
    return ServiceError({.code = "InvalidEventPatternException",
                         .message = std::string(status.message())});
  }
  return InvalidRequest(status.message());
}

bool IsRuleName(absl::string_view name) {
  return !name.empty() && name.size() <= kMaxRuleNameLength &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  c == '.' || c == '-' || c == '_';
         });
}

// Rules of a stack are changed by its template.
absl::Status CheckOrigin(const Rule& rule) {
  if (rule.origin == Rule::Origin::kApi) return absl::OkStatus();
  return ServiceError(
      {.code = "ManagedRuleException",
       .message = absl::StrCat("Rule ", rule.name,
                               " is managed by a CloudFormation stack: change "
                               "the stack's template.")});
}

// The answer of PutTargets and RemoveTargets when all went well.
Json::Value NoneFailed() {
  Json::Value answer(Json::objectValue);
  answer["FailedEntryCount"] = 0;
  answer["FailedEntries"] = Json::arrayValue;
  return answer;
}

// A change of a rule, and what to answer after it.
struct Change {
  std::string rule_name{};
  Events::RuleChange apply{};
  Json::Value answer{Json::objectValue};
};

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutRule.html
absl::StatusOr<Change> PutRule(const Call& call, JsonFields& fields) {
  Rule rule{.name = fields.Required("Name"),
            .region = call.region,
            .account_id = call.caller.account_id,
            .description = fields.Text("Description"),
            .schedule_expression = fields.Text("ScheduleExpression"),
            .event_pattern = fields.Text("EventPattern"),
            .origin = Rule::Origin::kApi};
  const std::string state =
      fields.Has("State") ? fields.Text("State") : std::string("ENABLED");
  if (!fields.status().ok()) return fields.status();
  if (!IsRuleName(rule.name)) {
    return InvalidRequest(
        "1 validation error detected: Value at 'name' failed to satisfy "
        "constraint: Member must satisfy regular expression pattern: "
        "[\\.\\-_A-Za-z0-9]+");
  }
  const absl::StatusOr<Rule::State> parsed = ReadState(state);
  if (!parsed.ok()) return InvalidRequest(parsed.status().message());
  rule.state = *parsed;
  rule.arn = RuleArn(call, rule.name);
  Change change{.rule_name = rule.name};
  change.answer["RuleArn"] = rule.arn;
  change.apply = [rule](const Rule* current) -> RuleOrError {
    Rule next = rule;
    if (current != nullptr) {
      if (absl::Status ours = CheckOrigin(*current); !ours.ok()) return ours;
      next.targets = current->targets;
    }
    return next;
  };
  return change;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DeleteRule.html
absl::StatusOr<Change> DeleteRule(const Call&, JsonFields& fields) {
  Change change{.rule_name = fields.Required("Name")};
  if (!fields.status().ok()) return fields.status();
  change.apply = [](const Rule* current) -> RuleOrError {
    // A missing rule is not an error.
    if (current == nullptr) return std::nullopt;
    if (absl::Status ours = CheckOrigin(*current); !ours.ok()) return ours;
    if (!current->targets.empty()) {
      return InvalidRequest("Rule can't be deleted since it has targets.");
    }
    return std::nullopt;
  };
  return change;
}

absl::StatusOr<std::vector<Target>> ReadTargets(const Call& call) {
  const absl::StatusOr<Json::Value>& body = call.JsonBody();
  std::vector<Target> targets;
  if (!body.ok() || !body->isObject()) return targets;
  for (const Json::Value& json : (*body)["Targets"]) {
    absl::StatusOr<Target> target = ReadTarget(json);
    if (!target.ok()) return InvalidRequest(target.status().message());
    if (target->id.empty()) return InvalidRequest("a target has no Id");
    targets.push_back(*std::move(target));
  }
  return targets;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutTargets.html
absl::StatusOr<Change> PutTargets(const Call& call, JsonFields& fields) {
  Change change{.rule_name = fields.Required("Rule"), .answer = NoneFailed()};
  const bool has_targets = !fields.Objects("Targets").empty();
  if (!fields.status().ok()) return fields.status();
  absl::StatusOr<std::vector<Target>> targets = ReadTargets(call);
  if (!targets.ok()) return targets.status();
  if (!has_targets) return InvalidRequest("Targets must not be empty.");
  change.apply = [name = change.rule_name, targets = *std::move(targets)](
                     const Rule* current) -> RuleOrError {
    if (current == nullptr) return NoRule(name);
    if (absl::Status ours = CheckOrigin(*current); !ours.ok()) return ours;
    Rule next = *current;
    for (const Target& target : targets) {
      std::erase_if(next.targets,
                    [&](const Target& old) { return old.id == target.id; });
      next.targets.push_back(target);
    }
    if (next.targets.size() > kMaxTargets) {
      return ServiceError(
          {.code = "LimitExceededException",
           .message = "The requested resource exceeds the maximum number "
                      "allowed."});
    }
    return next;
  };
  return change;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_RemoveTargets.html
absl::StatusOr<Change> RemoveTargets(const Call&, JsonFields& fields) {
  Change change{.rule_name = fields.Required("Rule"), .answer = NoneFailed()};
  const std::vector<std::string> ids = fields.Texts("Ids");
  if (!fields.status().ok()) return fields.status();
  change.apply = [name = change.rule_name,
                  ids](const Rule* current) -> RuleOrError {
    if (current == nullptr) return NoRule(name);
    if (absl::Status ours = CheckOrigin(*current); !ours.ok()) return ours;
    Rule next = *current;
    std::erase_if(next.targets, [&](const Target& target) {
      return std::find(ids.begin(), ids.end(), target.id) != ids.end();
    });
    return next;
  };
  return change;
}

}  // namespace

absl::Status NoRule(absl::string_view name) {
  return ServiceError(
      {.code = "ResourceNotFoundException",
       .message = absl::StrCat("Rule ", name, " does not exist on EventBus ",
                               kDefaultBus, ".")});
}

absl::Status CheckBus(JsonFields& fields) {
  const std::string bus = fields.Text("EventBusName");
  if (!fields.status().ok()) return fields.status();
  if (bus.empty() || bus == kDefaultBus ||
      absl::EndsWith(bus, ":event-bus/default")) {
    return absl::OkStatus();
  }
  return ServiceError(
      {.code = "ResourceNotFoundException",
       .message = absl::StrCat("Event bus ", bus, " does not exist.")});
}

std::string RuleArn(const Call& call, absl::string_view name) {
  return absl::StrCat("arn:aws:events:", call.region, ":",
                      call.caller.account_id, ":rule/", name);
}

bool HandleRuleChange(const Call& call, Events& events,
                      const AnswerFunction& answer) {
  using ReadChange = absl::StatusOr<Change> (*)(const Call&, JsonFields&);
  static const auto& operations =
      *new std::map<std::string, ReadChange>{{"DeleteRule", DeleteRule},
                                             {"PutRule", PutRule},
                                             {"PutTargets", PutTargets},
                                             {"RemoveTargets", RemoveTargets}};
  const auto operation = operations.find(call.operation);
  if (operation == operations.end()) return false;
  JsonFields fields(call, kInvalidRequest);
  absl::Status bus = CheckBus(fields);
  absl::StatusOr<Change> change =
      bus.ok() ? operation->second(call, fields) : bus;
  if (!change.ok()) {
    answer(Json11Answer(change.status()));
    return true;
  }
  events.ChangeRule(
      RuleArn(call, change->rule_name), std::move(change->apply),
      [answer, result = std::move(change->answer)](const absl::Status& done) {
        answer(Json11Answer(
            done.ok() ? absl::StatusOr<Json::Value>(result)
                      : absl::StatusOr<Json::Value>(ToApiError(done))));
      });
  return true;
}

}  // namespace byoshin::local::events

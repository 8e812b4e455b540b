#include "local/events/rule_changes.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/events/events.h"
#include "local/events/pattern.h"
#include "local/events/request.h"
#include "local/events/rule.h"
#include "local/events/rule_json.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"

namespace byoshin::local::events {
namespace {

constexpr char kInvalidRequest[] = "ValidationException";

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
absl::StatusOr<Change> ReadPutRule(const Call& call, JsonFields& fields) {
  Rule rule{.name = fields.Text("Name"),
            .region = call.region,
            .account_id = call.caller.account_id,
            .description = fields.Text("Description"),
            .schedule_expression = fields.Text("ScheduleExpression"),
            .event_pattern = fields.Text("EventPattern"),
            .origin = Rule::Origin::kApi};
  const std::string state =
      fields.Has("State") ? fields.Text("State") : std::string("ENABLED");
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
absl::StatusOr<Change> ReadDeleteRule(const Call&, JsonFields& fields) {
  Change change{.rule_name = fields.Text("Name")};
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
    targets.push_back(*std::move(target));
  }
  return targets;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_PutTargets.html
absl::StatusOr<Change> ReadPutTargets(const Call& call, JsonFields& fields) {
  Change change{.rule_name = fields.Text("Rule"), .answer = NoneFailed()};
  absl::StatusOr<std::vector<Target>> targets = ReadTargets(call);
  if (!targets.ok()) return targets.status();
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
absl::StatusOr<Change> ReadRemoveTargets(const Call&, JsonFields& fields) {
  Change change{.rule_name = fields.Text("Rule"), .answer = NoneFailed()};
  const std::vector<std::string> ids = fields.Texts("Ids");
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

using ReadChange = absl::StatusOr<Change> (*)(const Call&, JsonFields&);

void Apply(ReadChange read, Request request) {
  absl::Status bus = CheckBus(request.fields);
  absl::StatusOr<Change> change =
      bus.ok() ? read(request.call, request.fields) : bus;
  if (!change.ok()) return request.answer(Json11Answer(change.status()));
  request.events.ChangeRule(
      RuleArn(request.call, change->rule_name), std::move(change->apply),
      [answer = std::move(request.answer),
       result = std::move(change->answer)](const absl::Status& done) {
        answer(Json11Answer(
            done.ok() ? absl::StatusOr<Json::Value>(result)
                      : absl::StatusOr<Json::Value>(ToApiError(done))));
      });
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

void DeleteRule(Request request) { Apply(ReadDeleteRule, std::move(request)); }

void PutRule(Request request) { Apply(ReadPutRule, std::move(request)); }

void PutTargets(Request request) { Apply(ReadPutTargets, std::move(request)); }

void RemoveTargets(Request request) {
  Apply(ReadRemoveTargets, std::move(request));
}

}  // namespace byoshin::local::events

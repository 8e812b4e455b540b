#include "local/events/service.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/events/put_events.h"
#include "local/events/request.h"
#include "local/events/rule.h"
#include "local/events/rule_changes.h"
#include "local/events/rule_json.h"
#include "local/events/test_pattern.h"
#include "local/gateway/json_api.h"
#include "local/gateway/paging.h"
#include "local/gateway/permission.h"
#include "local/gateway/service_traits.h"
#include "local/wire/models.h"

namespace byoshin::local::events {
namespace {

constexpr ServiceTraits kTraits = {.name = "events",
                                   .target_prefix = "AWSEvents",
                                   .json_content_type = kJson11ContentType};

constexpr FieldErrors kErrors = {.model = &wire::kEventsModel,
                                 .invalid_code = "ValidationException"};
constexpr char kPutEvents[] = "PutEvents";
constexpr char kTestEventPattern[] = "TestEventPattern";
constexpr std::int64_t kMaxListed = 100;

using Rules = std::vector<Rule>;

const Rule* FindRule(const Rules& rules, absl::string_view name) {
  for (const Rule& rule : rules) {
    if (rule.name == name) return &rule;
  }
  return nullptr;
}

// Returns the page of `entries`, which are sorted by key, that the request asks
// for, under `name`.
absl::StatusOr<Json::Value> ListAnswer(
    const char* name, const std::map<std::string, Json::Value>& entries,
    JsonFields& fields) {
  const std::int64_t limit = fields.Integer("Limit", {.otherwise = kMaxListed});
  const std::string token = fields.Text("NextToken");
  std::vector<std::string> keys;
  keys.reserve(entries.size());
  for (const auto& [key, entry] : entries) keys.push_back(key);
  const std::optional<Page> page =
      PageOf(keys, {.limit = static_cast<std::size_t>(limit), .token = token});
  if (!page.has_value()) {
    fields.Fail("The NextToken is not valid.");
    return fields.status();
  }
  Json::Value answer(Json::objectValue);
  answer[name] = Json::arrayValue;
  for (std::size_t i = page->begin; i < page->end; ++i) {
    answer[name].append(entries.at(keys[i]));
  }
  if (!page->next_token.empty()) answer["NextToken"] = page->next_token;
  return answer;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListRules.html
absl::StatusOr<Json::Value> ListRules(const Rules& rules, JsonFields& fields) {
  const std::string prefix = fields.Text("NamePrefix");
  std::map<std::string, Json::Value> entries;
  for (const Rule& rule : rules) {
    if (absl::StartsWith(rule.name, prefix)) entries[rule.name] = ToJson(rule);
  }
  return ListAnswer("Rules", entries, fields);
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListRuleNamesByTarget.html
absl::StatusOr<Json::Value> ListRuleNamesByTarget(const Rules& rules,
                                                  JsonFields& fields) {
  const std::string arn = fields.Text("TargetArn");
  std::map<std::string, Json::Value> entries;
  for (const Rule& rule : rules) {
    for (const Target& target : rule.targets) {
      if (target.arn == arn) entries[rule.name] = rule.name;
    }
  }
  return ListAnswer("RuleNames", entries, fields);
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DescribeRule.html
absl::StatusOr<Json::Value> DescribeRule(const Rules& rules,
                                         JsonFields& fields) {
  const std::string name = fields.Text("Name");
  const Rule* rule = FindRule(rules, name);
  if (rule == nullptr) return NoRule(name);
  Json::Value answer = ToJson(*rule);
  answer["CreatedBy"] = rule->account_id;
  return answer;
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_ListTargetsByRule.html
absl::StatusOr<Json::Value> ListTargetsByRule(const Rules& rules,
                                              JsonFields& fields) {
  const std::string name = fields.Text("Rule");
  const Rule* rule = FindRule(rules, name);
  if (rule == nullptr) return NoRule(name);
  std::map<std::string, Json::Value> entries;
  for (const Target& target : rule->targets) {
    entries[target.id] = ToJson(target);
  }
  return ListAnswer("Targets", entries, fields);
}

// The rules in a region.
Rules RulesIn(const std::string& region,
              const std::vector<RuleStatus>& statuses) {
  Rules rules;
  for (const RuleStatus& status : statuses) {
    if (status.rule.region == region) rules.push_back(status.rule);
  }
  return rules;
}

// Answers with what `Read` returns for the rules of the region.
template <absl::StatusOr<Json::Value> (*Read)(const Rules&, JsonFields&)>
void Inspect(Request request) {
  request.events.Inspect([region = request.call.region, fields = request.fields,
                          answer = std::move(request.answer)](
                             const std::vector<RuleStatus>& statuses) mutable {
    absl::Status bus = CheckBus(fields);
    answer(Json11Answer(bus.ok() ? Read(RulesIn(region, statuses), fields)
                                 : absl::StatusOr<Json::Value>(bus)));
  });
}

// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_EnableRule.html
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_DisableRule.html
template <Rule::State state>
void SetState(Request request) {
  if (absl::Status bus = CheckBus(request.fields); !bus.ok()) {
    return request.answer(Json11Answer(bus));
  }
  const std::string name = request.fields.Text("Name");
  request.events.SetRuleState(
      RuleArn(request.call, name), state,
      [name, answer = std::move(request.answer)](const absl::Status& status) {
        if (status.ok()) {
          return answer(Json11Answer(Json::Value(Json::objectValue)));
        }
        answer(Json11Answer(status.code() == absl::StatusCode::kNotFound
                                ? NoRule(name)
                                : status));
      });
}

using Operation = void (*)(Request request);

const std::map<std::string, Operation>& Operations() {
  static const auto& operations = *new std::map<std::string, Operation>{
      {"DeleteRule", DeleteRule},
      {"DescribeRule", Inspect<DescribeRule>},
      {"DisableRule", SetState<Rule::State::kDisabled>},
      {"EnableRule", SetState<Rule::State::kEnabled>},
      {"ListRuleNamesByTarget", Inspect<ListRuleNamesByTarget>},
      {"ListRules", Inspect<ListRules>},
      {"ListTargetsByRule", Inspect<ListTargetsByRule>},
      {kPutEvents, PutEvents},
      {"PutRule", PutRule},
      {"PutTargets", PutTargets},
      {"RemoveTargets", RemoveTargets},
      {kTestEventPattern, TestEventPattern},
  };
  return operations;
}

}  // namespace

const ServiceTraits& EventsService::traits() const { return kTraits; }

std::vector<NeededPermission> EventsService::PermissionsFor(
    const Call& call) const {
  if (call.operation == kPutEvents) {
    return {{.action = "events:PutEvents",
             .resource = ArnFor(call, "events", "event-bus/default")}};
  }
  if (call.operation == kTestEventPattern) {
    return {{.action = "events:TestEventPattern", .resource = "*"}};
  }
  return {
      PermissionByName(call, traits(), {{"Name", "rule/"}, {"Rule", "rule/"}})};
}

void EventsService::Handle(Call call, AnswerFunction answer) {
  const auto operation = Operations().find(call.operation);
  if (operation == Operations().end()) {
    return answer(
        Json11Answer(UnknownJsonOperation("EventBridge", call.operation)));
  }
  JsonFields fields(call, kErrors);
  if (!fields.status().ok()) return answer(Json11Answer(fields.status()));
  operation->second({.call = call,
                     .fields = fields,
                     .events = events_,
                     .answer = std::move(answer)});
}

}  // namespace byoshin::local::events

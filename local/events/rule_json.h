// Rules and targets as the API, templates and the store have them.
#ifndef BYOSHIN_LOCAL_EVENTS_RULE_JSON_H_
#define BYOSHIN_LOCAL_EVENTS_RULE_JSON_H_

#include <json/json.h>

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/events/rule.h"

namespace byoshin::local::events {

inline constexpr char kDefaultBus[] = "default";
inline constexpr std::size_t kMaxTargets = 5;

// As DescribeRule answers; without targets.
Json::Value ToJson(const Rule& rule);
// https://docs.aws.amazon.com/eventbridge/latest/APIReference/API_Target.html
Json::Value ToJson(const Target& target);

// InvalidArgument, naming the target, for what the local cloud does not
// support.
absl::StatusOr<Target> ReadTarget(const Json::Value& json);

// Reads "ENABLED" or "DISABLED".
absl::StatusOr<Rule::State> ReadState(absl::string_view text);

// All of a rule, for the store.
std::string WriteRule(const Rule& rule);
absl::StatusOr<Rule> ReadRule(absl::string_view text);

}  // namespace byoshin::local::events

#endif  // BYOSHIN_LOCAL_EVENTS_RULE_JSON_H_

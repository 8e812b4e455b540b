#include "local/events/put_events.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "local/events/bus_event.h"
#include "local/events/rule_json.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"

namespace byoshin::local::events {
namespace {

constexpr std::size_t kMaxEntriesBytes = 262144;

Json::Value Refusal(const char* code, const std::string& message) {
  Json::Value value(Json::objectValue);
  value["ErrorCode"] = code;
  value["ErrorMessage"] = message;
  return value;
}

absl::StatusOr<absl::Time> TimeOf(const Json::Value& entry, absl::Time now) {
  const Json::Value& time = entry["Time"];
  if (time.isNull()) return now;
  if (!time.isNumeric()) return absl::InvalidArgumentError("Time");
  return absl::UnixEpoch() + absl::Seconds(time.asDouble());
}

bool IsDefaultBus(const std::string& bus) {
  return bus.empty() || bus == kDefaultBus ||
         absl::EndsWith(bus, ":event-bus/default");
}

// The event of an entry, with the call's account and region; or why it is
// refused.
std::variant<BusEvent, Json::Value> Take(const Json::Value& entry,
                                         const Call& call, absl::Time now) {
  for (const char* name : {"Source", "DetailType", "Detail"}) {
    if (json::TextMember(entry, name).empty()) {
      return Refusal("InvalidArgument",
                     absl::StrCat("Parameter ", name, " is not valid. Reason: ",
                                  name, " is a required argument."));
    }
  }
  BusEvent event{.id = random::NewUuid(),
                 .source = json::TextMember(entry, "Source"),
                 .detail_type = json::TextMember(entry, "DetailType"),
                 .account_id = call.caller.account_id,
                 .region = call.region,
                 .detail = json::TextMember(entry, "Detail")};
  if (absl::StartsWith(event.source, "aws.")) {
    return Refusal(
        "NotAuthorizedForSourceException",
        absl::StrCat("Not authorized for the source: ", event.source));
  }
  if (const std::string bus = json::TextMember(entry, "EventBusName");
      !IsDefaultBus(bus)) {
    return Refusal("ResourceNotFoundException",
                   absl::StrCat("Event bus ", bus, " does not exist."));
  }
  const absl::StatusOr<Json::Value> detail = json::ParseValue(event.detail);
  if (!detail.ok() || !detail->isObject()) {
    return Refusal("MalformedDetail", "Detail is malformed.");
  }
  const absl::StatusOr<absl::Time> time = TimeOf(entry, now);
  if (!time.ok()) {
    return Refusal("InvalidArgument", "Parameter Time is not valid.");
  }
  event.time = *time;
  for (const Json::Value& resource : entry["Resources"]) {
    if (resource.isString()) event.resources.push_back(resource.asString());
  }
  return event;
}

}  // namespace

void PutEvents(Request request) {
  const Call& call = request.call;
  const AnswerFunction& answer = request.answer;
  if (call.body.size() > kMaxEntriesBytes) {
    return answer(Json11Answer(ServiceError(
        {.code = "ValidationException",
         .message =
             "Total size of the entries in the request is over the limit."})));
  }
  Json::Value result(Json::objectValue);
  std::vector<BusEvent> taken;
  int failed = 0;
  // The request's fields have been read from it.
  for (const Json::Value& entry : (*call.JsonBody())["Entries"]) {
    std::variant<BusEvent, Json::Value> event =
        Take(entry, call, request.events.now());
    if (auto* refusal = std::get_if<Json::Value>(&event)) {
      ++failed;
      result["Entries"].append(std::move(*refusal));
      continue;
    }
    taken.push_back(std::get<BusEvent>(std::move(event)));
    Json::Value id(Json::objectValue);
    id["EventId"] = taken.back().id;
    result["Entries"].append(std::move(id));
  }
  result["FailedEntryCount"] = failed;
  if (taken.empty()) return answer(Json11Answer(result));
  request.events.Publish(std::move(taken), [answer, result = std::move(result)](
                                               const absl::Status& stored) {
    answer(Json11Answer(stored.ok() ? absl::StatusOr<Json::Value>(result)
                                    : absl::StatusOr<Json::Value>(stored)));
  });
}

}  // namespace byoshin::local::events

#include "local/events/test_pattern.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "local/events/pattern.h"
#include "local/events/request.h"
#include "local/gateway/error.h"
#include "local/gateway/json_api.h"

namespace byoshin::local::events {
namespace {

// The members that an event must have.
constexpr const char* kEventMembers[] = {
    "id", "account", "source", "time", "region", "resources", "detail-type"};

absl::Status InvalidEvent(const std::string& reason) {
  return ServiceError({.code = "ValidationException",
                       .message = absl::StrCat(
                           "Parameter Event is not valid. Reason: ", reason)});
}

absl::StatusOr<Json::Value> Match(JsonFields& fields) {
  const std::string pattern_text = fields.Text("EventPattern");
  const std::string event_text = fields.Text("Event");
  const absl::StatusOr<EventPattern> pattern =
      EventPattern::Parse(pattern_text);
  if (!pattern.ok()) {
    return ServiceError({.code = "InvalidEventPatternException",
                         .message = std::string(pattern.status().message())});
  }
  const absl::StatusOr<Json::Value> event = json::ParseValue(event_text);
  if (!event.ok() || !event->isObject()) {
    return InvalidEvent("it is not a JSON object");
  }
  for (const char* member : kEventMembers) {
    if (!event->isMember(member)) {
      return InvalidEvent(absl::StrCat(member, " is missing"));
    }
  }
  Json::Value answer(Json::objectValue);
  answer["Result"] = pattern->Matches(*event);
  return answer;
}

}  // namespace

void TestEventPattern(Request request) {
  request.answer(Json11Answer(Match(request.fields)));
}

}  // namespace byoshin::local::events

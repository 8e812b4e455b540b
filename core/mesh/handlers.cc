#include "core/mesh/handlers.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "core/mesh/answer.h"
#include "core/mesh/arguments.h"
#include "core/mesh/constants.h"
#include "core/mesh/error.h"
#include "core/mesh/group.h"
#include "core/mesh/service.h"
#include "core/time/clock.h"

namespace byoshin::mesh {
namespace {

absl::StatusOr<Json::Value> ParseEvent(absl::string_view payload,
                                       const std::string& field) {
  absl::StatusOr<Json::Value> event = json::ParseValue(payload);
  if (!event.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the event is not JSON: ", event.status().message()));
  }
  if (!event->isObject() || !(*event)["info"].isObject() ||
      json::TextMember((*event)["info"], "fieldName") != field) {
    return absl::InvalidArgumentError(
        absl::StrCat("the event is not one of AppSync for the field ", field,
                     "; expected info.fieldName and arguments"));
  }
  return event;
}

absl::StatusOr<absl::Time> TimeOf(const Json::Value& event,
                                  const time::Clock& clock) {
  const Json::Value& now = event["now"];
  if (now.isNull()) return clock.Now();
  if (now.isInt64()) return absl::FromUnixMillis(now.asInt64());
  return absl::InvalidArgumentError(
      absl::StrCat("the event's now is ", json::Describe(now),
                   "; expected milliseconds since 1970"));
}

}  // namespace

FieldHandler::FieldHandler(absl::string_view field,
                           HandlerDependencies dependencies)
    : field_(field), dependencies_(dependencies) {}

void FieldHandler::Count(absl::string_view metric, double count) const {
  dependencies_.logger.EmitMetrics(kMetricsNamespace,
                                   {{kFunctionDimension, field_}},
                                   {{.name = std::string(metric),
                                     .unit = log::Metric::Unit::kCount,
                                     .value = count}});
}

absl::StatusOr<std::string> FieldHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<Json::Value> event =
      ParseEvent(invocation.payload, field_);
  if (!event.ok()) return event.status();
  const absl::StatusOr<absl::Time> now = TimeOf(*event, dependencies_.clock);
  if (!now.ok()) return now.status();
  const absl::StatusOr<Json::Value> value =
      Resolve((*event)["arguments"],
              {.now = *now, .deadline = invocation.deadline - kDeadlineMargin});
  if (value.ok()) return DataAnswer(*value);
  if (!IsClientError(value.status())) return value.status();
  dependencies_.logger.Info(
      "request rejected",
      {{"field", field_},
       {"errorType", lambda::ErrorTypeOf(value.status()).value_or("")}});
  Count(kRejectedMetric, 1);
  return ErrorAnswer(value.status());
}

CreateGroupHandler::CreateGroupHandler(HandlerDependencies dependencies)
    : FieldHandler(kCreateGroupField, dependencies) {}

absl::StatusOr<Json::Value> CreateGroupHandler::Resolve(
    const Json::Value& json, const CallTimes& times) {
  Arguments arguments(json);
  const CreateGroupRequest request = {
      .name = arguments.Text("name"),
      .host_id = arguments.Text("hostId"),
      .domain = arguments.Text("domain"),
      .max_connection_seconds =
          arguments.OptionalInteger("maxConnectionTimeSeconds")};
  if (!arguments.status().ok()) return arguments.status();
  const absl::StatusOr<CreatedGroup> created =
      service().CreateGroup(request, times);
  if (!created.ok()) return created.status();
  Count(created->origin == CreatedGroup::Origin::kNew ? kCreatedMetric
                                                      : kFoundMetric,
        1);
  return ToJson(created->group);
}

LeaveGroupHandler::LeaveGroupHandler(HandlerDependencies dependencies)
    : FieldHandler(kLeaveGroupField, dependencies) {}

absl::StatusOr<Json::Value> LeaveGroupHandler::Resolve(const Json::Value& json,
                                                       const CallTimes& times) {
  Arguments arguments(json);
  const GroupKey key = arguments.Group();
  const std::string node_id = arguments.Text("nodeId");
  if (!arguments.status().ok()) return arguments.status();
  absl::Status left = service().LeaveGroup(key, node_id, times);
  if (!left.ok()) return left;
  Count(kLeftMetric, 1);
  return LeftJson(key, node_id);
}

DissolveGroupHandler::DissolveGroupHandler(HandlerDependencies dependencies)
    : FieldHandler(kDissolveGroupField, dependencies) {}

absl::StatusOr<Json::Value> DissolveGroupHandler::Resolve(
    const Json::Value& json, const CallTimes& times) {
  Arguments arguments(json);
  const GroupKey key = arguments.Group();
  const std::string host_id = arguments.Text("hostId");
  if (!arguments.status().ok()) return arguments.status();
  const absl::StatusOr<int64_t> removed =
      service().DissolveGroup(key, host_id, times);
  if (!removed.ok()) return removed.status();
  Count(kDissolvedMetric, 1);
  Count(kRemovedMetric, static_cast<double>(*removed));
  return DissolvedJson(key);
}

FireEventsHandler::FireEventsHandler(HandlerDependencies dependencies)
    : FieldHandler(kFireEventsField, dependencies) {}

absl::StatusOr<Json::Value> FireEventsHandler::Resolve(const Json::Value& json,
                                                       const CallTimes& times) {
  Arguments arguments(json);
  FireEventsRequest request = {.group = arguments.Group(),
                               .node_id = arguments.Text("nodeId")};
  const std::vector<Json::Value> events = arguments.Objects("events");
  if (!arguments.status().ok()) return arguments.status();
  for (std::size_t i = 0; i < events.size(); ++i) {
    Arguments event(events[i], absl::StrCat("arguments.events[", i, "]"));
    request.events.push_back({.name = event.Text("eventName"),
                              .payload = event.OptionalText("payload"),
                              .fired_at = event.Text("firedAt")});
    if (!event.status().ok()) return event.status();
  }
  const absl::StatusOr<EventBatch> batch = service().FireEvents(request, times);
  if (!batch.ok()) return batch.status();
  Count(kEventsMetric, static_cast<double>(batch->events.size()));
  return ToJson(*batch);
}

}  // namespace byoshin::mesh

#include "core/mesh/group.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/mesh/answer.h"
#include "core/mesh/constants.h"
#include "core/mesh/error.h"

namespace byoshin::mesh {

std::string GroupKey::FullId() const {
  return absl::StrCat(group_id, kDomainSeparator, domain);
}

int64_t SecondsOf(absl::Time time) { return absl::ToUnixSeconds(time); }

std::string FormatMilliseconds(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E3SZ", time, absl::UTCTimeZone());
}

std::string FormatSeconds(int64_t seconds) {
  return FormatMilliseconds(absl::FromUnixSeconds(seconds));
}

int64_t Deadline(absl::Time heartbeat, absl::Duration interval) {
  return SecondsOf(heartbeat) +
         absl::ToInt64Seconds(kHeartbeatFactor * interval);
}

int64_t GroupDeadline(absl::Time heartbeat, absl::Duration host_interval,
                      int64_t expires_at) {
  return std::min(Deadline(heartbeat, host_interval), expires_at);
}

bool IsOver(int64_t deadline, absl::Time now) {
  return SecondsOf(now) > deadline;
}

bool IsAlive(const Group& group, absl::Time now) {
  return !IsOver(group.expires_at, now) && !IsOver(group.ttl, now);
}

absl::Status CheckExists(const GroupKey& key,
                         const std::optional<Group>& group) {
  return group.has_value() ? absl::OkStatus() : GroupNotFoundError(key);
}

absl::Status CheckAlive(const GroupKey& key, const std::optional<Group>& group,
                        absl::Time now) {
  if (!group.has_value()) return GroupNotFoundError(key);
  if (IsOver(group->expires_at, now)) {
    return GroupExpiredError(key, group->expires_at);
  }
  if (IsOver(group->ttl, now)) return HeartbeatExpiredError(key);
  return absl::OkStatus();
}

std::size_t RealtimeBytes(const EventBatch& batch) {
  Json::Value message(Json::objectValue);
  Json::Value& published = message["data"]["onBatchEventInGroup"];
  published = ToJson(batch);
  published["__typename"] = "BatchEvent";
  for (Json::Value& event : published["events"]) event["__typename"] = "Event";
  return json::WriteValue(message).size();
}

}  // namespace byoshin::mesh

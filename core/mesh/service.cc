#include "core/mesh/service.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/mesh/error.h"
#include "core/mesh/group.h"
#include "core/mesh/limits.h"

namespace byoshin::mesh {
namespace {

std::optional<std::string> NonEmptyPayload(
    const std::optional<std::string>& payload) {
  if (!payload.has_value() || payload->empty()) return std::nullopt;
  return payload;
}

}  // namespace

Service::Service(Dependencies dependencies)
    : dependencies_(std::move(dependencies)) {}

absl::StatusOr<std::optional<Group>> Service::Find(const GroupKey& key,
                                                   const CallTimes& times) {
  if (!IsPossibleKey(key)) return std::nullopt;
  return dependencies_.store.FindGroup(key, times.deadline);
}

absl::StatusOr<Group> Service::FindAlive(const GroupKey& key,
                                         const CallTimes& times) {
  absl::StatusOr<std::optional<Group>> group = Find(key, times);
  if (!group.ok()) return group.status();
  absl::Status alive = CheckAlive(key, *group, times.now);
  if (!alive.ok()) return alive;
  return **std::move(group);
}

absl::Status Service::Validate(const CreateGroupRequest& request) const {
  absl::Status status = CheckLength(
      request.domain,
      {.argument = "domain", .min = 1, .max = kMaxDomainCharacters});
  status.Update(
      CheckLength(request.host_id,
                  {.argument = "hostId", .min = 1, .max = kMaxIdCharacters}));
  status.Update(CheckLength(
      request.name, {.argument = "name", .min = 0, .max = kMaxNameCharacters}));
  const int64_t max =
      absl::ToInt64Seconds(dependencies_.config.max_connection_time);
  const std::optional<int64_t> seconds = request.max_connection_seconds;
  if (status.ok() && seconds.has_value() && (*seconds < 1 || *seconds > max)) {
    return ValidationError(
        absl::StrCat("maxConnectionTimeSeconds must be from 1 to ", max,
                     ", not ", *seconds));
  }
  return status;
}

Group Service::NewGroup(const CreateGroupRequest& request, absl::Time now) {
  const int64_t expires_at =
      SecondsOf(now) +
      request.max_connection_seconds.value_or(
          absl::ToInt64Seconds(dependencies_.config.max_connection_time));
  return {.key = {.group_id = dependencies_.new_id(), .domain = request.domain},
          .name = request.name,
          .host_id = request.host_id,
          .created_at = FormatMilliseconds(now),
          .expires_at = expires_at,
          .ttl = GroupDeadline(now, dependencies_.config.host_interval,
                               expires_at)};
}

// The group of a claim, if it is alive.
absl::StatusOr<std::optional<Group>> Service::FindClaimed(
    const GroupKey& claimed, absl::string_view host_id,
    const CallTimes& times) {
  absl::StatusOr<std::optional<Group>> group = Find(claimed, times);
  if (!group.ok() || !group->has_value()) return group;
  if ((*group)->host_id != host_id || !IsAlive(**group, times.now)) {
    return std::nullopt;
  }
  return group;
}

absl::StatusOr<CreatedGroup> Service::CreateGroup(
    const CreateGroupRequest& request, const CallTimes& times) {
  if (absl::Status valid = Validate(request); !valid.ok()) return valid;
  absl::Status status;
  for (int attempt = 1; attempt <= kCreateAttempts; ++attempt) {
    const absl::StatusOr<std::optional<std::string>> claim =
        dependencies_.store.FindClaim(request.host_id, request.domain,
                                      times.deadline);
    if (!claim.ok()) return claim.status();
    if (claim->has_value()) {
      absl::StatusOr<std::optional<Group>> found =
          FindClaimed({.group_id = **claim, .domain = request.domain},
                      request.host_id, times);
      if (!found.ok()) return found.status();
      if (found->has_value()) {
        return CreatedGroup{.group = **std::move(found),
                            .origin = CreatedGroup::Origin::kFound};
      }
    }
    const Group group = NewGroup(request, times.now);
    status = dependencies_.store.AddGroup(group, *claim, times.deadline);
    if (status.ok()) return CreatedGroup{.group = group};
    // Another call of this host was faster: its group is the one.
    if (!absl::IsAborted(status)) return status;
    dependencies_.clock.SleepUntil(dependencies_.clock.Now() +
                                   dependencies_.random() * kCreateRetryPause);
  }
  return status;
}

absl::Status Service::LeaveGroup(const GroupKey& key, absl::string_view node_id,
                                 const CallTimes& times) {
  const absl::StatusOr<Group> group = FindAlive(key, times);
  if (!group.ok()) return group.status();
  if (!IsPossibleId(node_id)) return absl::OkStatus();
  return dependencies_.store.RemoveNode(key, node_id, times.deadline);
}

absl::StatusOr<int64_t> Service::DissolveGroup(const GroupKey& key,
                                               absl::string_view host_id,
                                               const CallTimes& times) {
  const absl::StatusOr<std::optional<Group>> group = Find(key, times);
  if (!group.ok()) return group.status();
  if (!group->has_value()) return GroupNotFoundError(key);
  if ((*group)->host_id != host_id) return OnlyHostDissolvesError();
  const absl::Time now = times.now;
  if (IsAlive(**group, now)) {
    absl::Status closed = dependencies_.store.CloseGroup(
        **group, SecondsOf(now - kClosedFor), times.deadline);
    if (!closed.ok()) return closed;
  }
  return dependencies_.store.RemoveGroup(**group, times.deadline);
}

absl::Status Service::CheckMember(const Group& group, absl::string_view node_id,
                                  const CallTimes& times) {
  if (node_id == group.host_id) return absl::OkStatus();
  if (!IsPossibleId(node_id)) return NodeNotFoundError();
  const absl::StatusOr<std::optional<int64_t>> node =
      dependencies_.store.FindNode(group.key, node_id, times.deadline);
  if (!node.ok()) return node.status();
  if (!node->has_value() || IsOver(**node, times.now)) {
    return NodeNotFoundError();
  }
  return absl::OkStatus();
}

absl::StatusOr<EventBatch> Service::FireEvents(const FireEventsRequest& request,
                                               const CallTimes& times) {
  const absl::StatusOr<Group> group = FindAlive(request.group, times);
  if (!group.ok()) return group.status();
  if (absl::Status member = CheckMember(*group, request.node_id, times);
      !member.ok()) {
    return member;
  }
  EventBatch batch = {.group = group->key,
                      .fired_by_node_id = request.node_id,
                      .timestamp = FormatMilliseconds(times.now)};
  for (const FiredEvent& event : request.events) {
    if (absl::Status valid = CheckLength(
            event.fired_at,
            {.argument = "firedAt", .min = 1, .max = kMaxIdCharacters});
        !valid.ok()) {
      return valid;
    }
    batch.events.push_back({.id = dependencies_.new_id(),
                            .name = event.name,
                            .payload = NonEmptyPayload(event.payload),
                            .timestamp = event.fired_at});
  }
  if (const size_t bytes = RealtimeBytes(batch); bytes > kMaxRealtimeBytes) {
    return ValidationError(
        absl::StrCat("the events have ", bytes, " bytes as a message; at most ",
                     kMaxRealtimeBytes, " can be published at once"));
  }
  if (absl::Status stored =
          dependencies_.store.AddEvents(*group, batch, times.deadline);
      !stored.ok()) {
    return stored;
  }
  if (absl::Status kept = KeepEvents(batch, times); !kept.ok()) return kept;
  return batch;
}

absl::Status Service::KeepEvents(const EventBatch& batch,
                                 const CallTimes& times) {
  const absl::StatusOr<std::optional<Group>> group = Find(batch.group, times);
  if (!group.ok()) return group.status();
  absl::Status alive = CheckAlive(batch.group, *group, times.now);
  if (alive.ok()) return absl::OkStatus();
  absl::Status removed =
      dependencies_.store.RemoveEvents(batch, times.deadline);
  return removed.ok() ? alive : removed;
}

}  // namespace byoshin::mesh

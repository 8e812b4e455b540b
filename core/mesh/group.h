// Groups of programs, their nodes and events, and when they are over. No I/O.
//
//   absl::Status alive = CheckAlive(key, group, clock.Now());
//   if (!alive.ok()) return alive;  // says why; see error.h
//
// Time is counted in whole seconds since 1970, as DynamoDB's time to live is,
// so that functions and resolvers come to the same result: now is the second
// that has begun, and something with a deadline is alive during that second.
#ifndef BYOSHIN_CORE_MESH_GROUP_H_
#define BYOSHIN_CORE_MESH_GROUP_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::mesh {

struct GroupKey {
  std::string group_id{};
  std::string domain{};

  // "{id}@{domain}".
  std::string FullId() const;

  friend bool operator==(const GroupKey&, const GroupKey&) = default;
};

struct Group {
  GroupKey key{};
  std::string name{};
  std::string host_id{};
  // ISO 8601 with milliseconds.
  std::string created_at{};
  // The end, whatever the heartbeats.
  int64_t expires_at = 0;
  // The end without a further heartbeat of the host; never after expires_at.
  int64_t ttl = 0;

  friend bool operator==(const Group&, const Group&) = default;
};

struct Event {
  // Chosen by the server; subscribers don't see it.
  std::string id{};
  std::string name{};
  // Never empty: an empty payload is none.
  std::optional<std::string> payload{};
  // When the node fired it, as the node wrote it.
  std::string timestamp{};

  friend bool operator==(const Event&, const Event&) = default;
};

// What subscribers get: the events of one call, in its order.
struct EventBatch {
  GroupKey group{};
  std::string fired_by_node_id{};
  std::vector<Event> events{};
  // When the server took them: ISO 8601 with milliseconds.
  std::string timestamp{};
};

// The second that has begun.
int64_t SecondsOf(absl::Time time);

// ISO 8601 in UTC, always with three digits for milliseconds.
std::string FormatMilliseconds(absl::Time time);
std::string FormatSeconds(int64_t seconds);

// The deadline after a heartbeat.
int64_t Deadline(absl::Time heartbeat, absl::Duration interval);
// For a group, which ends at `expires_at` in any case.
int64_t GroupDeadline(absl::Time heartbeat, absl::Duration host_interval,
                      int64_t expires_at);

// Whether something with this deadline is over.
bool IsOver(int64_t deadline, absl::Time now);
// A group whose end, or whose last heartbeat's deadline, has not passed.
bool IsAlive(const Group& group, absl::Time now);

// The checks that come before those of an operation, in this order: the group
// is there, has not expired, and has had its heartbeat. GroupNotFound.
absl::Status CheckAlive(const GroupKey& key, const std::optional<Group>& group,
                        absl::Time now);
// The first of them alone.
absl::Status CheckExists(const GroupKey& key,
                         const std::optional<Group>& group);

// The length of the message with which AppSync publishes the batch, if all
// fields are selected, as clients select them: with __typename.
std::size_t RealtimeBytes(const EventBatch& batch);

}  // namespace byoshin::mesh

#endif  // BYOSHIN_CORE_MESH_GROUP_H_

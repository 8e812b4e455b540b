#include "tests/mesh/mesh_model.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {
namespace {

constexpr char kNoGroup[] = "none";
constexpr char kNoDomain[] = "nowhere";

constexpr char kFiredAt[] = "2026-01-01T00:00:00Z";

int64_t FiveOf(absl::Duration interval) {
  return kHeartbeatFactor * absl::ToInt64Seconds(interval);
}

std::string Iso(int64_t seconds) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%S.000Z",
                          absl::FromUnixSeconds(seconds), absl::UTCTimeZone());
}

std::string FullIdOf(const ModelGroup* group) {
  return group == nullptr ? absl::StrCat(kNoGroup, "@", kNoDomain)
                          : group->FullId();
}

Arguments With(const ModelGroup* group, const char* name,
               absl::string_view value) {
  Arguments arguments = KeyOf(group);
  arguments[name] = Quoted(value);
  return arguments;
}

// What all results that are published have.
Json::Value PublishedBy(const ModelGroup& group) {
  Json::Value result(Json::objectValue);
  result["groupId"] = group.id;
  result["domain"] = group.domain;
  return result;
}

// The events of a call, as literals of its argument and as its result has them.
struct Events {
  std::string argument{};
  Json::Value result = Json::Value(Json::arrayValue);
};

// With a payload, with an empty one, which is null, and without any, by turns.
Events MakeEvents(const ModelGroup* group, const std::string& node, int count) {
  Events events;
  for (int i = 0; i < count; ++i) {
    Json::Value event = group == nullptr ? Json::Value() : PublishedBy(*group);
    event["name"] = absl::StrCat("event", i);
    event["firedByNodeId"] = node;
    event["payload"] = Json::Value();
    event["timestamp"] = kFiredAt;
    std::string payload;
    if (i % 3 == 0) {
      event["payload"] = absl::StrCat("payload", i);
      payload = absl::StrCat(", payload: ", Quoted(absl::StrCat("payload", i)));
    } else if (i % 3 == 1) {
      payload = ", payload: \"\"";
    }
    absl::StrAppend(&events.argument, "{eventName: \"event", i,
                    "\", firedAt: ", Quoted(kFiredAt), payload, "} ");
    events.result.append(std::move(event));
  }
  return events;
}

}  // namespace

Arguments KeyOf(const ModelGroup* group) {
  return {{"groupId", Quoted(group == nullptr ? kNoGroup : group->id)},
          {"domain", Quoted(group == nullptr ? kNoDomain : group->domain)}};
}

absl::Status Differs(absl::string_view what, absl::string_view actual,
                     absl::string_view expected) {
  return absl::InternalError(
      absl::StrCat(what, ": ", actual, " instead of ", expected));
}

std::string ModelGroup::FullId() const { return absl::StrCat(id, "@", domain); }

MeshModel::MeshModel(DeployedMesh& mesh, time::SimulatedClock& clock,
                     Options options)
    : mesh_(mesh),
      clock_(clock),
      options_(options),
      removal_(options.removal),
      caller_(mesh) {
  EnableTimeToLive(mesh_, removal_ == Removal::kAtOnce);
}

int64_t MeshModel::Now() const { return absl::ToUnixSeconds(clock_.Now()); }

void MeshModel::Advance(int64_t seconds) {
  clock_.RunUntil(clock_.Now() + absl::Seconds(seconds));
}

bool MeshModel::IsKept(int64_t ttl) const {
  return removal_ == Removal::kLate || Now() <= ttl;
}

bool MeshModel::IsAlive(const ModelGroup& group) const {
  return !group.dissolved && Now() <= group.ttl;
}

bool MeshModel::IsMember(const ModelGroup& group,
                         const std::string& node) const {
  const auto found = group.nodes.find(node);
  return node == group.host ||
         (found != group.nodes.end() && Now() <= found->second);
}

CallError MeshModel::GroupError(const ModelGroup* group) const {
  const std::string full_id = FullIdOf(group);
  const CallError not_found = {
      .type = "GroupNotFound",
      .message = absl::StrCat("Group not found: ", full_id)};
  if (group == nullptr || group->dissolved || !IsKept(group->ttl)) {
    return not_found;
  }
  if (Now() > group->expires_at) {
    return {.type = "GroupNotFound",
            .message = absl::StrCat("Group expired: ", full_id, " (expiresAt: ",
                                    Iso(group->expires_at), ")")};
  }
  if (Now() > group->ttl) {
    return {.type = "GroupNotFound",
            .message = absl::StrCat(not_found.message, " (heartbeat expired)")};
  }
  return {};
}

CallError MeshModel::MemberError(const ModelGroup* group,
                                 const std::string& node) const {
  CallError error = GroupError(group);
  if (!error.ok() || IsMember(*group, node)) return error;
  return {.type = "NodeNotFound", .message = "Node not found"};
}

CallError MeshModel::HostError(const ModelGroup* group, const std::string& host,
                               absl::string_view message) const {
  if (group->host == host) return {};
  return {.type = "Unauthorized", .message = std::string(message)};
}

absl::Status MeshModel::Mutate(const Call& call, const CallError& expected,
                               Json::Value* answer) {
  CallResult result = caller_.Make(call);
  if (result.error != expected) {
    return Differs(call.field, result.error.ToString(), expected.ToString());
  }
  if (answer != nullptr) *answer = std::move(result.data);
  return absl::OkStatus();
}

absl::Status MeshModel::Publish(const Call& call, const CallError& expected,
                                Published published) {
  Json::Value answer;
  absl::Status status = Mutate(call, expected, &answer);
  if (!status.ok() || !expected.ok()) return status;
  if (answer != published.result) {
    return Differs(call.field, json::WriteValue(answer),
                   json::WriteValue(published.result));
  }
  published_.push_back(std::move(published));
  return absl::OkStatus();
}

absl::Status MeshModel::Create(const NewGroup& wanted) {
  Arguments arguments = {{"name", Quoted("n")},
                         {"hostId", Quoted(wanted.host)},
                         {"domain", Quoted(wanted.domain)}};
  int64_t seconds =
      absl::ToInt64Seconds(options_.intervals.max_connection_time);
  if (wanted.max_seconds > 0) {
    seconds = wanted.max_seconds;
    arguments["maxConnectionTimeSeconds"] = absl::StrCat(seconds);
  }
  Json::Value answer;
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "createGroup",
                                .arguments = std::move(arguments),
                                .selection = "{ id expiresAt }"},
                               {}, &answer);
  if (!status.ok()) return status;
  const std::string id = answer["id"].asString();
  for (const ModelGroup& group : groups_) {
    if (group.host == wanted.host && group.domain == wanted.domain &&
        IsAlive(group)) {
      return id == group.id ? absl::OkStatus()
                            : Differs("createGroup", id, group.id);
    }
    if (group.id == id) return Differs("createGroup", id, "a new group");
  }
  const int64_t expires_at = Now() + seconds;
  if (answer["expiresAt"] != Iso(expires_at)) {
    return Differs("expiresAt", answer["expiresAt"].asString(),
                   Iso(expires_at));
  }
  groups_.push_back(
      {.id = id,
       .domain = wanted.domain,
       .host = wanted.host,
       .expires_at = expires_at,
       .ttl = std::min(Now() + FiveOf(options_.intervals.host_heartbeat),
                       expires_at)});
  claims_[{wanted.host, wanted.domain}] = {.group_id = id, .ttl = expires_at};
  return absl::OkStatus();
}

absl::Status MeshModel::Join(ModelGroup* group, const std::string& node) {
  const CallError error = GroupError(group);
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "joinGroup",
                                .arguments = With(group, "nodeId", node),
                                .selection = "{ id }"},
                               error);
  if (status.ok() && error.ok()) {
    group->nodes[node] = Now() + FiveOf(options_.intervals.member_heartbeat);
  }
  return status;
}

absl::Status MeshModel::Report(ModelGroup* group, const std::string& node,
                               const std::string& value) {
  const CallError error = MemberError(group, node);
  Arguments arguments = With(group, "nodeId", node);
  arguments["data"] =
      absl::StrCat("[{key: \"k\", value: ", Quoted(value), "}]");
  Published published = {.field = "onDataUpdateInGroup"};
  if (error.ok()) {
    published.result = PublishedBy(*group);
    published.result["nodeId"] = node;
    published.result["timestamp"] = Iso(Now());
    published.result["data"][0]["key"] = "k";
    published.result["data"][0]["value"] = value;
  }
  absl::Status status = Publish({.kind = "mutation",
                                 .field = "reportDataByNode",
                                 .arguments = std::move(arguments),
                                 .selection = kStatusSelection},
                                error, std::move(published));
  if (status.ok() && error.ok()) {
    group->statuses[node] = value;
    latest_[node] = {.group = group, .value = value};
  }
  return status;
}

absl::Status MeshModel::Fire(ModelGroup* group, const std::string& node,
                             int count) {
  const CallError error = MemberError(group, node);
  Events events = MakeEvents(group, node, count);
  Arguments arguments = With(group, "nodeId", node);
  arguments["events"] = absl::StrCat("[", events.argument, "]");
  Published published = {.field = "onBatchEventInGroup"};
  if (error.ok()) {
    published.result = PublishedBy(*group);
    published.result["firedByNodeId"] = node;
    published.result["timestamp"] = Iso(Now());
    published.result["events"] = std::move(events.result);
  }
  absl::Status status = Publish({.kind = "mutation",
                                 .field = "fireEventsByNode",
                                 .arguments = std::move(arguments),
                                 .selection = kBatchSelection},
                                error, std::move(published));
  if (status.ok() && error.ok()) group->events += count;
  return status;
}

absl::Status MeshModel::Renew(ModelGroup* group, const std::string& host) {
  CallError error = GroupError(group);
  if (error.ok()) {
    error = HostError(group, host, "Only the host can renew the heartbeat");
  }
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "renewHeartbeat",
                                .arguments = With(group, "hostId", host),
                                .selection = "{ expiresAt }"},
                               error);
  if (status.ok() && error.ok()) {
    group->ttl = std::min(Now() + FiveOf(options_.intervals.host_heartbeat),
                          group->expires_at);
  }
  return status;
}

absl::Status MeshModel::Beat(ModelGroup* group, const std::string& node) {
  const CallError error = MemberError(group, node);
  Json::Value answer;
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "sendMemberHeartbeat",
                                .arguments = With(group, "nodeId", node),
                                .selection = "{ expiresAt }"},
                               error, &answer);
  if (!status.ok() || !error.ok()) return status;
  int64_t deadline = group->ttl;
  if (node != group->host) {
    deadline = Now() + FiveOf(options_.intervals.member_heartbeat);
    group->nodes[node] = deadline;
  }
  return answer["expiresAt"] == Iso(deadline)
             ? absl::OkStatus()
             : Differs("deadline", answer["expiresAt"].asString(),
                       Iso(deadline));
}

absl::Status MeshModel::Leave(ModelGroup* group, const std::string& node) {
  const CallError error = GroupError(group);
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "leaveGroup",
                                .arguments = With(group, "nodeId", node),
                                .selection = "{ peerId }"},
                               error);
  if (!status.ok() || !error.ok()) return status;
  group->nodes.erase(node);
  group->statuses.erase(node);
  const auto latest = latest_.find(node);
  if (latest != latest_.end() && latest->second.group == group) {
    latest_.erase(latest);
  }
  return absl::OkStatus();
}

absl::Status MeshModel::Dissolve(ModelGroup* group, const std::string& host) {
  // One that is over may be dissolved as long as it is there.
  const bool is_there =
      group != nullptr && !group->dissolved && IsKept(group->ttl);
  const CallError error =
      is_there ? HostError(group, host, "Only the host can dissolve the group")
               : GroupError(group);
  Published published = {.field = "onGroupDissolve"};
  if (error.ok()) {
    published.result = PublishedBy(*group);
    published.result["message"] = absl::StrCat(
        "Group ", group->FullId(), " has been dissolved successfully.");
  }
  absl::Status status = Publish({.kind = "mutation",
                                 .field = "dissolveGroup",
                                 .arguments = With(group, "hostId", host),
                                 .selection = kDissolvedSelection},
                                error, std::move(published));
  if (!status.ok() || !error.ok()) return status;
  group->dissolved = true;
  group->nodes.clear();
  group->statuses.clear();
  group->events = 0;
  std::erase_if(latest_,
                [&](const auto& entry) { return entry.second.group == group; });
  const auto claim = claims_.find({group->host, group->domain});
  if (claim != claims_.end() && claim->second.group_id == group->id) {
    claims_.erase(claim);
  }
  return absl::OkStatus();
}

}  // namespace byoshin::mesh

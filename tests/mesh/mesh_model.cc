#include "tests/mesh/mesh_model.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/simulated_clock.h"
#include "tests/mesh/deployed_mesh.h"
#include "tests/mesh/mesh_caller.h"

namespace byoshin::mesh {
namespace {

using Arguments = std::map<std::string, std::string>;

constexpr char kNoGroup[] = "none";
constexpr char kNoDomain[] = "nowhere";

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

Arguments KeyOf(const ModelGroup* group) {
  return {{"groupId", Quoted(group == nullptr ? kNoGroup : group->id)},
          {"domain", Quoted(group == nullptr ? kNoDomain : group->domain)}};
}

Arguments With(const ModelGroup* group, const char* name,
               absl::string_view value) {
  Arguments arguments = KeyOf(group);
  arguments[name] = Quoted(value);
  return arguments;
}

absl::Status Differs(absl::string_view what, absl::string_view actual,
                     absl::string_view expected) {
  return absl::InternalError(
      absl::StrCat(what, ": ", actual, " instead of ", expected));
}

template <typename Container>
absl::Status CheckEqual(absl::string_view what, const Container& actual,
                        const Container& expected) {
  if (actual == expected) return absl::OkStatus();
  return Differs(what, absl::StrCat("[", absl::StrJoin(actual, ", "), "]"),
                 absl::StrCat("[", absl::StrJoin(expected, ", "), "]"));
}

std::vector<std::string> IdsOf(const Json::Value& list) {
  std::vector<std::string> ids;
  for (const Json::Value& element : list) {
    ids.push_back(element["id"].asString());
  }
  return ids;
}

}  // namespace

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
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "reportDataByNode",
                                .arguments = std::move(arguments),
                                .selection = "{ nodeId groupId domain }"},
                               error);
  if (status.ok() && error.ok()) {
    group->statuses[node] = value;
    latest_[node] = {.group = group, .value = value};
  }
  return status;
}

absl::Status MeshModel::Fire(ModelGroup* group, const std::string& node,
                             int count) {
  const CallError error = MemberError(group, node);
  std::string events;
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    names.push_back(absl::StrCat(i));
    absl::StrAppend(&events, "{eventName: ", Quoted(names.back()),
                    ", firedAt: \"2026-01-01T00:00:00Z\"} ");
  }
  Arguments arguments = With(group, "nodeId", node);
  arguments["events"] = absl::StrCat("[", events, "]");
  Json::Value answer;
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "fireEventsByNode",
                                .arguments = std::move(arguments),
                                .selection = "{ events { id: name } }"},
                               error, &answer);
  if (!status.ok() || !error.ok()) return status;
  group->events += count;
  return CheckEqual("events", IdsOf(answer["events"]), names);
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
  absl::Status status = Mutate({.kind = "mutation",
                                .field = "dissolveGroup",
                                .arguments = With(group, "hostId", host),
                                .selection = "{ groupId domain }"},
                               error);
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

absl::Status MeshModel::CheckQueries() {
  std::set<std::string> domains;
  for (const ModelGroup& group : groups_) domains.insert(group.domain);
  absl::Status status;
  for (const std::string& domain : domains) status.Update(CheckDomain(domain));
  for (const ModelGroup& group : groups_) status.Update(CheckGroup(group));
  for (const auto& [node, latest] : latest_) {
    status.Update(CheckLatest(node, latest));
  }
  return status;
}

absl::Status MeshModel::CheckDomain(const std::string& domain) {
  std::vector<std::string> expected;
  for (const ModelGroup& group : groups_) {
    if (group.domain == domain && IsAlive(group)) expected.push_back(group.id);
  }
  std::vector<std::string> listed =
      IdsOf(caller_
                .Make({.kind = "query",
                       .field = "listGroupsByDomain",
                       .arguments = {{"domain", Quoted(domain)}},
                       .selection = "{ id }"})
                .data);
  // Of two that were created in the same millisecond, either is first.
  std::sort(expected.begin(), expected.end());
  std::sort(listed.begin(), listed.end());
  return CheckEqual(domain, listed, expected);
}

absl::Status MeshModel::CheckGroup(const ModelGroup& group) {
  const CallResult found = caller_.Make({.kind = "query",
                                         .field = "getGroup",
                                         .arguments = KeyOf(&group),
                                         .selection = "{ id }"});
  if (found.data.isNull() == IsAlive(group)) {
    return Differs(group.FullId(), found.data.isNull() ? "over" : "alive",
                   IsAlive(group) ? "alive" : "over");
  }
  // A query of nodes alone: those of a group without a heartbeat are listed
  // until their own deadlines.
  std::vector<std::string> members;
  for (const auto& [node, ttl] : group.nodes) {
    if (Now() <= ttl && Now() <= group.expires_at) members.push_back(node);
  }
  const CallResult listed = caller_.Make({.kind = "query",
                                          .field = "listNodesInGroup",
                                          .arguments = KeyOf(&group),
                                          .selection = "{ id }"});
  absl::Status status =
      CheckEqual("listNodesInGroup", IdsOf(listed.data), members);
  status.Update(CheckStatuses(group));
  return status;
}

absl::Status MeshModel::CheckStatuses(const ModelGroup& group) {
  const CallResult listed =
      caller_.Make({.kind = "query",
                    .field = "listGroupStatuses",
                    .arguments = KeyOf(&group),
                    .selection = "{ nodeId data { value } }"});
  const CallError error = GroupError(&group);
  if (listed.error != error) {
    return Differs("listGroupStatuses", listed.error.ToString(),
                   error.ToString());
  }
  if (!error.ok()) return absl::OkStatus();
  std::set<std::string> expected, shown;
  for (const auto& [node, value] : group.statuses) {
    if (IsMember(group, node)) expected.insert(absl::StrCat(node, "=", value));
  }
  for (const Json::Value& status : listed.data) {
    shown.insert(absl::StrCat(status["nodeId"].asString(), "=",
                              status["data"][0]["value"].asString()));
  }
  return CheckEqual("listGroupStatuses", shown, expected);
}

absl::Status MeshModel::CheckLatest(const std::string& node,
                                    const LatestStatus& latest) {
  const CallResult found =
      caller_.Make({.kind = "query",
                    .field = "getNodeStatus",
                    .arguments = {{"nodeId", Quoted(node)}},
                    .selection = "{ groupId data { value } }"});
  if (Now() > latest.group->expires_at) {
    return found.data.isNull() ? absl::OkStatus()
                               : Differs("getNodeStatus", "a status", "null");
  }
  return CheckEqual<std::vector<std::string>>(
      "getNodeStatus",
      {found.data["groupId"].asString(),
       found.data["data"][0]["value"].asString()},
      {latest.group->id, latest.value});
}

std::multiset<std::string> MeshModel::ExpectedItems() const {
  std::multiset<std::string> items;
  for (const ModelGroup& group : groups_) {
    const std::string partition = absl::StrCat("GROUP#", group.FullId(), " ");
    if (!group.dissolved && IsKept(group.ttl)) {
      items.insert(absl::StrCat("DOMAIN#", group.domain, " GROUP#", group.id,
                                "#METADATA"));
    }
    for (const auto& [node, ttl] : group.nodes) {
      if (IsKept(ttl)) items.insert(absl::StrCat(partition, "NODE#", node));
    }
    if (!IsKept(group.expires_at)) continue;
    for (const auto& [node, value] : group.statuses) {
      items.insert(absl::StrCat(partition, "STATUS#", node));
    }
    for (int i = 0; i < group.events; ++i) {
      items.insert(absl::StrCat(partition, "EVENT#"));
    }
  }
  for (const auto& [key, claim] : claims_) {
    if (!IsKept(claim.ttl)) continue;
    items.insert(absl::StrCat("DOMAIN#", key.second, " HOST#", key.first));
  }
  for (const auto& [node, latest] : latest_) {
    if (!IsKept(latest.group->expires_at)) continue;
    items.insert(absl::StrCat("NODE#", node, " STATUS#LATEST"));
  }
  return items;
}

absl::Status MeshModel::CheckStored() {
  const std::multiset<std::string> stored = StoredItems(mesh_);
  const std::multiset<std::string> expected = ExpectedItems();
  std::vector<std::string> extra, missing;
  std::set_difference(stored.begin(), stored.end(), expected.begin(),
                      expected.end(), std::back_inserter(extra));
  std::set_difference(expected.begin(), expected.end(), stored.begin(),
                      stored.end(), std::back_inserter(missing));
  absl::Status status = CheckEqual("left in the table", extra, {});
  status.Update(CheckEqual("missing in the table", missing, {}));
  return status;
}

absl::Status MeshModel::CheckThatEverythingGoes() {
  removal_ = Removal::kAtOnce;
  EnableTimeToLive(mesh_, /*enabled=*/true);
  Advance(0);
  absl::Status status = CheckStored();
  int64_t last = Now();
  for (const ModelGroup& group : groups_) {
    last = std::max(last, group.expires_at);
    for (const auto& [node, ttl] : group.nodes) last = std::max(last, ttl);
  }
  Advance(last - Now() + 1);
  status.Update(CheckEqual("left in the table", StoredItems(mesh_), {}));
  status.Update(CheckEqual("notes of the cloud", mesh_.notes->all(), {}));
  return status;
}

}  // namespace byoshin::mesh

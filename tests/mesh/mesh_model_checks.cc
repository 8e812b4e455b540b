// What queries answer and the table has, compared with the model.
#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "tests/mesh/mesh_caller.h"
#include "tests/mesh/mesh_model.h"

namespace byoshin::mesh {
namespace {

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

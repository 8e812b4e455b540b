#include "tests/mesh/mesh_history.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "tests/mesh/mesh_model.h"

namespace byoshin::mesh {
namespace {

constexpr int kNodes = 3;
constexpr int kDomains = 2;
// Groups that still count in the choice.
constexpr std::size_t kRecent = 8;

}  // namespace

std::string MeshHistory::AnyNode() {
  return absl::StrCat("node", choose_(kNodes), suffix_);
}

std::string MeshHistory::AnyDomain() {
  return absl::StrCat("domain", choose_(kDomains), suffix_);
}

ModelGroup* MeshHistory::AnyGroup() {
  std::deque<ModelGroup>& groups = model_.groups();
  if (groups.empty() || choose_(10) == 0) return nullptr;
  const std::size_t recent = std::min(groups.size(), kRecent);
  return &groups[groups.size() - 1 - choose_(static_cast<int>(recent))];
}

std::string MeshHistory::HostOf(const ModelGroup* group) {
  return group == nullptr || choose_(3) == 0 ? AnyNode() : group->host;
}

int64_t MeshHistory::AnyDeadline() {
  std::vector<int64_t> deadlines;
  const auto add = [&](int64_t deadline) {
    if (deadline >= model_.Now()) deadlines.push_back(deadline);
  };
  for (const ModelGroup& group : model_.groups()) {
    if (group.dissolved) continue;
    add(group.ttl);
    add(group.expires_at);
    for (const auto& [node, ttl] : group.nodes) add(ttl);
  }
  if (deadlines.empty()) return 0;
  return deadlines[choose_(static_cast<int>(deadlines.size()))];
}

void MeshHistory::PassTime() {
  if (choose_(4) > 0) return model_.Advance(choose_(30));
  if (const int64_t deadline = AnyDeadline(); deadline > 0) {
    model_.Advance(deadline - model_.Now() + choose_(2));
  }
}

absl::Status MeshHistory::Mutate() {
  const int kind = choose_(8);
  if (kind == 0) {
    return model_.Create({.host = AnyNode(),
                          .domain = AnyDomain(),
                          .max_seconds = choose_(2) * (1 + choose_(300))});
  }
  ModelGroup* const group = AnyGroup();
  switch (kind) {
    case 1:
      return model_.Join(group, AnyNode());
    case 2:
      return model_.Report(group, AnyNode(), absl::StrCat(choose_(1000)));
    case 3:
      return model_.Fire(group, AnyNode(), choose_(30));
    case 4:
      return model_.Renew(group, HostOf(group));
    case 5:
      return model_.Beat(group, AnyNode());
    case 6:
      return model_.Leave(group, AnyNode());
    default:
      return model_.Dissolve(group, HostOf(group));
  }
}

absl::Status MeshHistory::Publish() {
  std::vector<ModelGroup*> alive;
  for (ModelGroup& group : model_.groups()) {
    if (model_.IsAlive(group)) alive.push_back(&group);
  }
  if (alive.empty()) {
    return model_.Create({.host = AnyNode(), .domain = AnyDomain()});
  }
  ModelGroup* const group = alive[choose_(static_cast<int>(alive.size()))];
  std::vector<std::string> senders = {group->host, AnyNode()};
  for (const auto& [node, ttl] : group->nodes) senders.push_back(node);
  const std::string& sender =
      senders[choose_(static_cast<int>(senders.size()))];
  const int kind = choose_(10);
  if (kind == 0) return model_.Dissolve(group, sender);
  if (kind <= 3) return model_.Fire(group, sender, choose_(4));
  return model_.Report(group, sender, absl::StrCat(choose_(1000)));
}

absl::Status MeshHistory::SendHeartbeats(int64_t due) {
  const auto is_due = [&](int64_t deadline) {
    return deadline >= model_.Now() && deadline - model_.Now() <= due;
  };
  absl::Status status;
  for (ModelGroup& group : model_.groups()) {
    if (!model_.IsAlive(group)) continue;
    if (is_due(group.ttl) && group.ttl < group.expires_at && choose_(10) > 0) {
      status.Update(model_.Renew(&group, group.host));
    }
    std::vector<std::string> beating;
    for (const auto& [node, ttl] : group.nodes) {
      if (is_due(ttl) && choose_(5) > 0) beating.push_back(node);
    }
    for (const std::string& node : beating) {
      status.Update(model_.Beat(&group, node));
    }
  }
  return status;
}

}  // namespace byoshin::mesh

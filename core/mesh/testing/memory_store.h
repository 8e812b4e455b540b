// A mesh::Store in memory, for tests of what stands on it.
//
//   MemoryStore store;
//   store.OnAdd([&] { ... });  // what another call does just before
//   store.FailCall(2, absl::UnavailableError("no connection"));
#ifndef BYOSHIN_CORE_MESH_TESTING_MEMORY_STORE_H_
#define BYOSHIN_CORE_MESH_TESTING_MEMORY_STORE_H_

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/group.h"
#include "core/mesh/store.h"

namespace byoshin::mesh::testing {

// Not thread-safe.
class MemoryStore final : public Store {
 public:
  struct StoredGroup {
    Group group{};
    // Deadlines by the id of the node.
    std::map<std::string, int64_t> nodes{};
    std::vector<EventBatch> batches{};
  };

  // The calls that follow are counted from 1.
  void FailCall(int call, absl::Status status) {
    failures_[calls_ + call] = std::move(status);
  }
  // Called once, by the next AddGroup() before it does anything.
  void OnAdd(std::function<void()> action) { on_add_ = std::move(action); }
  // Called once, by the next AddEvents() after it has added them.
  void AfterAddEvents(std::function<void()> action) {
    after_add_events_ = std::move(action);
  }
  void AddNode(const GroupKey& key, const std::string& node_id, int64_t ttl) {
    groups_[key.FullId()].nodes[node_id] = ttl;
  }

  // By their full ids.
  const std::map<std::string, StoredGroup>& groups() const { return groups_; }
  int calls() const { return calls_; }
  const std::vector<EventBatch>& removed_events() const {
    return removed_events_;
  }

  absl::StatusOr<std::optional<Group>> FindGroup(
      const GroupKey& key, absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    const auto found = groups_.find(key.FullId());
    if (found == groups_.end()) return std::nullopt;
    return found->second.group;
  }

  absl::StatusOr<std::optional<std::string>> FindClaim(
      absl::string_view host_id, absl::string_view domain,
      absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    return Claim(host_id, domain);
  }

  absl::Status AddGroup(const Group& group,
                        const std::optional<std::string>& claimed,
                        absl::Time /*deadline*/) override {
    if (on_add_) std::exchange(on_add_, nullptr)();
    if (absl::Status status = Begin(); !status.ok()) return status;
    if (Claim(group.host_id, group.key.domain) != claimed) {
      return absl::AbortedError("another claim");
    }
    claims_[{group.host_id, group.key.domain}] = group.key.group_id;
    groups_[group.key.FullId()].group = group;
    return absl::OkStatus();
  }

  absl::StatusOr<std::optional<int64_t>> FindNode(
      const GroupKey& key, absl::string_view node_id,
      absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    const auto& nodes = groups_[key.FullId()].nodes;
    const auto found = nodes.find(std::string(node_id));
    if (found == nodes.end()) return std::nullopt;
    return found->second;
  }

  absl::Status RemoveNode(const GroupKey& key, absl::string_view node_id,
                          absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    groups_[key.FullId()].nodes.erase(std::string(node_id));
    return absl::OkStatus();
  }

  absl::Status CloseGroup(const Group& group, int64_t ttl,
                          absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    groups_[group.key.FullId()].group.ttl = ttl;
    return absl::OkStatus();
  }

  absl::StatusOr<int64_t> RemoveGroup(const Group& group,
                                      absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    if (Claim(group.host_id, group.key.domain) == group.key.group_id) {
      claims_.erase({group.host_id, group.key.domain});
    }
    return static_cast<int64_t>(groups_.erase(group.key.FullId()));
  }

  absl::Status AddEvents(const Group& group, const EventBatch& batch,
                         absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    groups_[group.key.FullId()].batches.push_back(batch);
    if (after_add_events_) std::exchange(after_add_events_, nullptr)();
    return absl::OkStatus();
  }

  absl::Status RemoveEvents(const EventBatch& batch,
                            absl::Time /*deadline*/) override {
    if (absl::Status status = Begin(); !status.ok()) return status;
    removed_events_.push_back(batch);
    return absl::OkStatus();
  }

 private:
  absl::Status Begin() {
    const auto failure = failures_.find(++calls_);
    return failure == failures_.end() ? absl::OkStatus() : failure->second;
  }
  std::optional<std::string> Claim(absl::string_view host_id,
                                   absl::string_view domain) const {
    const auto found =
        claims_.find({std::string(host_id), std::string(domain)});
    if (found == claims_.end()) return std::nullopt;
    return found->second;
  }

  std::map<std::string, StoredGroup> groups_;
  // The ids of groups by host and domain.
  std::map<std::pair<std::string, std::string>, std::string> claims_;
  std::map<int, absl::Status> failures_;
  std::function<void()> on_add_;
  std::function<void()> after_add_events_;
  std::vector<EventBatch> removed_events_;
  int calls_ = 0;
};

}  // namespace byoshin::mesh::testing

#endif  // BYOSHIN_CORE_MESH_TESTING_MEMORY_STORE_H_

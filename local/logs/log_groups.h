// The log groups that templates create. Functions also write to groups that no
// template has created; only Logs knows those.
//
//   LogGroups groups;
//   groups.Put({.name = "/byoshin/sender", .region = "us-east-1",
//               .retention = absl::Hours(24 * 30)});
#ifndef BYOSHIN_LOCAL_LOGS_LOG_GROUPS_H_
#define BYOSHIN_LOCAL_LOGS_LOG_GROUPS_H_

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::local::logs {

struct LogGroup {
  std::string name{};
  std::string region{};
  absl::Time created = absl::UnixEpoch();
  // Older lines are not returned. If not set, lines are kept as long as there
  // is room.
  std::optional<int> retention_days{};
};

// Thread-safe.
class LogGroups {
 public:
  // Adds the group, or replaces it.
  void Put(LogGroup group) {
    const sync::MutexLock lock(mutex_);
    std::pair<std::string, std::string> key(group.region, group.name);
    groups_.insert_or_assign(std::move(key), std::move(group));
  }
  void Remove(absl::string_view region, absl::string_view name) {
    const sync::MutexLock lock(mutex_);
    groups_.erase({std::string(region), std::string(name)});
  }
  std::optional<LogGroup> Find(absl::string_view region,
                               absl::string_view name) const {
    const sync::MutexLock lock(mutex_);
    const auto found = groups_.find({std::string(region), std::string(name)});
    if (found == groups_.end()) return std::nullopt;
    return found->second;
  }
  // In the order of their names.
  std::vector<LogGroup> List(absl::string_view region) const {
    const sync::MutexLock lock(mutex_);
    std::vector<LogGroup> list;
    for (const auto& [key, group] : groups_) {
      if (key.first == region) list.push_back(group);
    }
    return list;
  }

 private:
  mutable sync::Mutex mutex_;
  // By region and name.
  std::map<std::pair<std::string, std::string>, LogGroup> groups_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::logs

#endif  // BYOSHIN_LOCAL_LOGS_LOG_GROUPS_H_

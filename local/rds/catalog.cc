#include "local/rds/catalog.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/rds/record.h"
#include "local/store/store.h"

namespace byoshin::local::rds {
namespace {

std::string KeyOf(absl::string_view kind, absl::string_view identifier) {
  return absl::StrCat(kind, "/", identifier);
}

}  // namespace

absl::Status Catalog::Load() {
  std::map<std::string, Record, std::less<>> records;
  absl::Status damaged;
  const absl::Status scanned =
      store_.Scan({}, Store::Direction::kForward,
                  [&](absl::string_view key, absl::string_view value) {
                    absl::StatusOr<Record> record = ReadRecord(value);
                    if (!record.ok()) {
                      damaged = record.status();
                      return Store::Visit::kStop;
                    }
                    records.emplace(key, *std::move(record));
                    return Store::Visit::kContinue;
                  });
  if (!scanned.ok()) return scanned;
  if (!damaged.ok()) return damaged;
  const sync::MutexLock lock(mutex_);
  records_ = std::move(records);
  return absl::OkStatus();
}

std::optional<Record> Catalog::Find(absl::string_view kind,
                                    absl::string_view identifier) const {
  const sync::MutexLock lock(mutex_);
  const auto found = records_.find(KeyOf(kind, identifier));
  if (found == records_.end()) return std::nullopt;
  return found->second;
}

std::optional<Record> Catalog::FindArn(absl::string_view arn) const {
  const sync::MutexLock lock(mutex_);
  for (const auto& [key, record] : records_) {
    if (record.arn == arn) return record;
  }
  return std::nullopt;
}

std::vector<Record> Catalog::All(absl::string_view kind) const {
  std::vector<Record> all;
  const sync::MutexLock lock(mutex_);
  for (const auto& [key, record] : records_) {
    if (record.kind == kind) all.push_back(record);
  }
  return all;
}

// A failed change makes the commit fail, so that it need not be checked here.
void Catalog::Put(const Record& record) {
  std::string key = KeyOf(record.kind, record.identifier);
  (void)store_.Put(key, WriteRecord(record));
  const sync::MutexLock lock(mutex_);
  records_.insert_or_assign(std::move(key), record);
}

void Catalog::Remove(absl::string_view kind, absl::string_view identifier) {
  const std::string key = KeyOf(kind, identifier);
  (void)store_.Delete(key);
  const sync::MutexLock lock(mutex_);
  records_.erase(key);
}

}  // namespace byoshin::local::rds

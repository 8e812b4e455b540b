// The resources of RDS: read by any thread, and changed through the store.
#ifndef BYOSHIN_LOCAL_RDS_CATALOG_H_
#define BYOSHIN_LOCAL_RDS_CATALOG_H_

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/rds/record.h"
#include "local/store/store.h"

namespace byoshin::local::rds {

// Reads are thread-safe. The other functions belong to the thread of the store;
// their changes must be committed.
class Catalog {
 public:
  // `store` must outlive this.
  explicit Catalog(Store& store) : store_(store) {}
  Catalog(const Catalog&) = delete;
  Catalog& operator=(const Catalog&) = delete;

  // Reads everything from the store, also after a rollback.
  absl::Status Load();

  std::optional<Record> Find(absl::string_view kind,
                             absl::string_view identifier) const;
  std::optional<Record> FindArn(absl::string_view arn) const;
  // In the order of their identifiers.
  std::vector<Record> All(absl::string_view kind) const;

  void Put(const Record& record);
  void Remove(absl::string_view kind, absl::string_view identifier);

 private:
  Store& store_;
  mutable sync::Mutex mutex_;
  // By key.
  std::map<std::string, Record, std::less<>> records_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rds

#endif  // BYOSHIN_LOCAL_RDS_CATALOG_H_

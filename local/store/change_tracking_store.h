// A store that knows whether a commit has changed anything.
//
//   class CountingStore final : public ChangeTrackingStore {
//    public:
//     using ChangeTrackingStore::ChangeTrackingStore;
//     int changes = 0;
//
//    private:
//     void AfterChange(const absl::Status& committed) override {
//       if (committed.ok()) ++changes;
//     }
//   };
#ifndef BYOSHIN_LOCAL_STORE_CHANGE_TRACKING_STORE_H_
#define BYOSHIN_LOCAL_STORE_CHANGE_TRACKING_STORE_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/store/forwarding_store.h"
#include "local/store/store.h"

namespace byoshin::local {

// Not thread-safe, like every store.
class ChangeTrackingStore : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;

  absl::Status Put(absl::string_view key, absl::string_view value) final {
    changed_ = true;
    return ForwardingStore::Put(key, value);
  }
  absl::Status Delete(absl::string_view key) final {
    changed_ = true;
    return ForwardingStore::Delete(key);
  }
  absl::Status DeleteRange(const KeyRange& range) final {
    changed_ = true;
    return ForwardingStore::DeleteRange(range);
  }
  absl::Status Commit() final {
    absl::Status committed = ForwardingStore::Commit();
    if (std::exchange(changed_, false)) AfterChange(committed);
    return committed;
  }
  void Rollback() final {
    changed_ = false;
    ForwardingStore::Rollback();
  }

 private:
  // Called after each commit that had something to commit.
  virtual void AfterChange(const absl::Status& committed) = 0;

  bool changed_ = false;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_CHANGE_TRACKING_STORE_H_

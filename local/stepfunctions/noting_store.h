// A store that notes each committed change, so that the page shows it.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_

#include <atomic>
#include <cstdint>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/dashboard/panel.h"
#include "local/store/forwarding_store.h"
#include "local/store/store.h"

namespace byoshin::local::stepfunctions {

// Not thread-safe, as every store, except for version().
class NotingStore final : public ForwardingStore {
 public:
  // Both outlive it; `panels` may be null.
  NotingStore(Store& store, dashboard::Panels* panels)
      : ForwardingStore(store), panels_(panels) {}

  // How many commits have changed something.
  std::uint64_t version() const { return version_; }

  absl::Status Put(absl::string_view key, absl::string_view value) override {
    changed_ = true;
    return ForwardingStore::Put(key, value);
  }
  absl::Status Delete(absl::string_view key) override {
    changed_ = true;
    return ForwardingStore::Delete(key);
  }
  absl::Status DeleteRange(const KeyRange& range) override {
    changed_ = true;
    return ForwardingStore::DeleteRange(range);
  }
  absl::Status Commit() override {
    absl::Status committed = ForwardingStore::Commit();
    if (std::exchange(changed_, false) && committed.ok()) {
      ++version_;
      if (panels_ != nullptr) panels_->changes().Note();
    }
    return committed;
  }
  void Rollback() override {
    changed_ = false;
    ForwardingStore::Rollback();
  }

 private:
  dashboard::Panels* const panels_;
  std::atomic<std::uint64_t> version_{0};
  bool changed_ = false;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_

// A store that notes each committed change, so that the page shows it.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_

#include <atomic>
#include <cstdint>

#include "absl/status/status.h"
#include "local/dashboard/panel.h"
#include "local/store/change_tracking_store.h"
#include "local/store/store.h"

namespace byoshin::local::stepfunctions {

// Not thread-safe, like every store, except for version().
class NotingStore final : public ChangeTrackingStore {
 public:
  // Both outlive it; `panels` may be null.
  NotingStore(Store& store, dashboard::Panels* panels)
      : ChangeTrackingStore(store), panels_(panels) {}

  // How many commits have changed something.
  std::uint64_t version() const { return version_; }

 private:
  void AfterChange(const absl::Status& committed) override {
    if (!committed.ok()) return;
    ++version_;
    if (panels_ != nullptr) panels_->changes().Note();
  }

  dashboard::Panels* const panels_;
  std::atomic<std::uint64_t> version_{0};
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_NOTING_STORE_H_

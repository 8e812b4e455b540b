// A store that notifies the user when it can't be written, when it recovers,
// and when damage is found. Requests fail meanwhile, but their sender may be a
// function.
#ifndef BYOSHIN_LOCAL_CLOUD_WATCHED_STORE_H_
#define BYOSHIN_LOCAL_CLOUD_WATCHED_STORE_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/store/change_tracking_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {

// Not thread-safe, as every store.
class WatchedStore final : public ChangeTrackingStore {
 public:
  // `note` is called on the store's thread and must not block.
  WatchedStore(std::unique_ptr<Store> store,
               std::function<void(const std::string&)> note)
      : ChangeTrackingStore(std::move(store)), note_(std::move(note)) {}

  absl::StatusOr<std::optional<std::string>> Get(
      absl::string_view key) override {
    absl::StatusOr<std::optional<std::string>> value =
        ForwardingStore::Get(key);
    TellDamage(value.status());
    return value;
  }
  absl::Status Scan(const KeyRange& range, Direction direction,
                    Visitor visit) override {
    absl::Status status = ForwardingStore::Scan(range, direction, visit);
    TellDamage(status);
    return status;
  }

 private:
  // An empty commit proves nothing.
  void AfterChange(const absl::Status& committed) override { Tell(committed); }
  void Tell(const absl::Status& status) {
    if (status.message() == told_) return;
    note_(status.ok() ? absl::StrCat("recovered; the last error was: ", told_)
                      : std::string(status.message()));
    told_ = std::string(status.message());
  }
  // A damaged file remains damaged, though other pages can be read.
  void TellDamage(const absl::Status& status) {
    if (!absl::IsDataLoss(status) || damage_ == status.message()) return;
    damage_ = std::string(status.message());
    note_(damage_);
  }

  const std::function<void(const std::string&)> note_;
  std::string told_;    // what is wrong; empty if nothing is
  std::string damage_;  // the last that was told
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_WATCHED_STORE_H_

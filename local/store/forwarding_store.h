// A store that wraps another: a subclass overrides what it changes.
//
//   class CountingStore final : public ForwardingStore {
//    public:
//     using ForwardingStore::ForwardingStore;
//     absl::Status Commit() override {
//       ++commits;
//       return ForwardingStore::Commit();
//     }
//     int commits = 0;
//   };
#ifndef BYOSHIN_LOCAL_STORE_FORWARDING_STORE_H_
#define BYOSHIN_LOCAL_STORE_FORWARDING_STORE_H_

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/store/store.h"

namespace byoshin::local {

// Not thread-safe, as every store.
class ForwardingStore : public Store {
 public:
  // `store` must outlive this.
  explicit ForwardingStore(Store& store) : store_(store) {}
  explicit ForwardingStore(std::unique_ptr<Store> store)
      : owned_(std::move(store)), store_(*owned_) {}

  absl::StatusOr<std::optional<std::string>> Get(
      absl::string_view key) override {
    return store_.Get(key);
  }
  absl::Status Scan(const KeyRange& range, Direction direction,
                    Visitor visit) override {
    return store_.Scan(range, direction, visit);
  }
  absl::Status Put(absl::string_view key, absl::string_view value) override {
    return store_.Put(key, value);
  }
  absl::Status Delete(absl::string_view key) override {
    return store_.Delete(key);
  }
  absl::Status DeleteRange(const KeyRange& range) override {
    return store_.DeleteRange(range);
  }
  absl::Status Commit() override { return store_.Commit(); }
  void Rollback() override { store_.Rollback(); }
  bool WaitsForDisk() const override { return store_.WaitsForDisk(); }

 private:
  const std::unique_ptr<Store> owned_;  // null if it is owned elsewhere
  Store& store_;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_FORWARDING_STORE_H_

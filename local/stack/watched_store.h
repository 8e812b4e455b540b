// A store that tells people when it can't be written any more, and when it can
// again: requests are refused meanwhile, but who made them may be a function.
#ifndef BYOSHIN_LOCAL_STACK_WATCHED_STORE_H_
#define BYOSHIN_LOCAL_STACK_WATCHED_STORE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/store/forwarding_store.h"
#include "local/store/store.h"

namespace byoshin::local::stack {

// Not thread-safe, as every store.
class WatchedStore final : public ForwardingStore {
 public:
  // `note` is called on the store's thread and must not block.
  WatchedStore(std::unique_ptr<Store> store,
               std::function<void(const std::string&)> note)
      : ForwardingStore(std::move(store)), note_(std::move(note)) {}

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
    absl::Status status = ForwardingStore::Commit();
    // A commit of nothing says nothing.
    if (std::exchange(changed_, false)) Tell(status);
    return status;
  }
  void Rollback() override {
    changed_ = false;
    ForwardingStore::Rollback();
  }

 private:
  void Tell(const absl::Status& status) {
    if (status.message() == told_) return;
    note_(status.ok() ? absl::StrCat("no longer so: ", told_)
                      : std::string(status.message()));
    told_ = std::string(status.message());
  }

  const std::function<void(const std::string&)> note_;
  bool changed_ = false;
  std::string told_;  // what is wrong; empty if nothing is
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_WATCHED_STORE_H_

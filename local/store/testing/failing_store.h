// A store whose commits fail when told to, as on a full disk.
//
//   FailingStore store(*sqlite_store);
//   store.FailCommits(1);
//   EXPECT_FALSE(client.Put(...).ok());
//   EXPECT_EQ(store.failed_commits(), 1);
#ifndef BYOSHIN_LOCAL_STORE_TESTING_FAILING_STORE_H_
#define BYOSHIN_LOCAL_STORE_TESTING_FAILING_STORE_H_

#include <atomic>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/store/forwarding_store.h"
#include "local/store/store.h"

namespace byoshin::local {

// What it says of its thread-safety is for the tests: a store belongs to one
// thread, and they are on another.
class FailingStore final : public ForwardingStore {
 public:
  // `store` outlives this.
  explicit FailingStore(Store& store) : ForwardingStore(store) {}

  // The next `count` commits that have something to commit fail. Thread-safe.
  void FailCommits(int count) { to_fail_ = count; }
  // How many have. Thread-safe.
  int failed_commits() const { return failed_; }

  absl::Status Put(absl::string_view key, absl::string_view value) override {
    changing_ = true;
    return ForwardingStore::Put(key, value);
  }
  absl::Status Delete(absl::string_view key) override {
    changing_ = true;
    return ForwardingStore::Delete(key);
  }
  absl::Status DeleteRange(const KeyRange& range) override {
    changing_ = true;
    return ForwardingStore::DeleteRange(range);
  }
  absl::Status Commit() override {
    if (!changing_ || to_fail_ == 0) {
      changing_ = false;
      return ForwardingStore::Commit();
    }
    --to_fail_;
    ++failed_;
    Rollback();
    return absl::UnavailableError("the disk is full");
  }
  void Rollback() override {
    changing_ = false;
    ForwardingStore::Rollback();
  }

 private:
  bool changing_ = false;
  std::atomic<int> to_fail_ = 0;
  std::atomic<int> failed_ = 0;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_TESTING_FAILING_STORE_H_

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/cloud/faulty_service.h"
#include "local/cloud/watched_store.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cloud {
namespace {

class FixedService final : public local::testing::TestService {
 public:
  FixedService() : TestService("dynamodb") {}
  void Handle(Call, AnswerFunction answer) override {
    ++calls;
    answer({.status = 200});
  }
  int calls = 0;
};

TEST(FaultyService, FailsBeforeAnythingIsDone) {
  FixedService service;
  bool fail = true;
  FaultyService faulty(
      service, [&](absl::string_view name, absl::string_view operation) {
        EXPECT_EQ(name, "dynamodb");
        EXPECT_EQ(operation, "PutItem");
        return fail ? ServiceError({.code = "Broken", .http_status = 503})
                    : absl::OkStatus();
      });
  int status = 0;
  const auto call = [&] {
    faulty.Handle({.operation = "PutItem"},
                  [&](Answer answer) { status = answer.status; });
  };
  call();
  EXPECT_EQ(status, 503);
  EXPECT_EQ(service.calls, 0);
  fail = false;
  call();
  EXPECT_EQ(status, 200);
}

// Fails to commit when it is told to.
class FullStore final : public ForwardingStore {
 public:
  explicit FullStore(const bool& full)
      : ForwardingStore(*OpenSqliteStore({})), full_(full) {}

  absl::Status Commit() override {
    if (!full_) return ForwardingStore::Commit();
    Rollback();
    return absl::UnavailableError("the disk is full");
  }
  bool WaitsForDisk() const override { return true; }

 private:
  const bool& full_;
};

TEST(WatchedStore, TellsOnceThatItCannotBeWrittenAndOnceThatItCanAgain) {
  bool full = false;
  std::vector<std::string> notes;
  WatchedStore store(std::make_unique<FullStore>(full),
                     [&](const std::string& note) { notes.push_back(note); });
  const auto write = [&] {
    store.Put("key", "value").IgnoreError();
    return store.Commit();
  };
  EXPECT_TRUE(write().ok());
  EXPECT_EQ(notes, std::vector<std::string>());
  full = true;
  EXPECT_FALSE(write().ok());
  EXPECT_FALSE(write().ok());
  EXPECT_EQ(notes, std::vector<std::string>{"the disk is full"});
  full = false;
  EXPECT_TRUE(store.Commit().ok());  // of nothing
  EXPECT_EQ(notes.size(), 1);
  EXPECT_TRUE(write().ok());
  ASSERT_EQ(notes.size(), 2);
  EXPECT_EQ(notes[1], "recovered; the last error was: the disk is full");
  EXPECT_EQ(**store.Get("key"), "value");
  EXPECT_TRUE(store.WaitsForDisk()) << "as the store that it watches";
}

}  // namespace
}  // namespace byoshin::local::cloud

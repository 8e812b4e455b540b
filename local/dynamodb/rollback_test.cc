// What happens when a commit fails: nobody is told that it has not, and memory
// says what the store says.
#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/in_process.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {
namespace {

// A store whose next commit fails when it is told to.
class FailingStore final : public Store {
 public:
  explicit FailingStore(std::unique_ptr<Store> store)
      : store_(std::move(store)) {}

  void FailNextCommit() { fails_ = true; }

  absl::StatusOr<std::optional<std::string>> Get(
      absl::string_view key) override {
    return store_->Get(key);
  }
  absl::Status Scan(const KeyRange& range, Direction direction,
                    Visitor visit) override {
    return store_->Scan(range, direction, visit);
  }
  absl::Status Put(absl::string_view key, absl::string_view value) override {
    return store_->Put(key, value);
  }
  absl::Status Delete(absl::string_view key) override {
    return store_->Delete(key);
  }
  absl::Status DeleteRange(const KeyRange& range) override {
    return store_->DeleteRange(range);
  }
  absl::Status Commit() override {
    if (!fails_.exchange(false)) return store_->Commit();
    store_->Rollback();
    return absl::UnavailableError("the disk is full");
  }
  void Rollback() override { store_->Rollback(); }

 private:
  std::unique_ptr<Store> store_;
  std::atomic<bool> fails_ = false;
};

constexpr absl::string_view kCreateTable =
    R"({"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
        "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})";

class RollbackTest : public ::testing::Test {
 protected:
  RollbackTest()
      : clock_(absl::FromUnixSeconds(1764670980)),
        store_(*OpenSqliteStore({})),
        dynamodb_(*DynamoDb::Open(store_, clock_, {})),
        client_(*dynamodb_, "eu-central-1") {
    // What the service does when it is opened is not to meet the failure.
    clock_.AwaitIdle();
  }

  time::SimulatedClock clock_;
  FailingStore store_;
  std::unique_ptr<DynamoDb> dynamodb_;
  InProcessClient client_;
};

TEST_F(RollbackTest, ForgetsATableThatWasNotCommitted) {
  store_.FailNextCommit();
  EXPECT_FALSE(client_.CreateTable(kCreateTable).ok());
  EXPECT_EQ(*client_.Execute("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_TRUE(client_.CreateTable(kCreateTable).ok());
}

TEST_F(RollbackTest, ForgetsAnItemThatWasNotCommitted) {
  ASSERT_TRUE(client_.CreateTable(kCreateTable).ok());
  const absl::string_view put =
      R"({"TableName":"orders","Item":{"id":{"S":"1"}}})";
  ASSERT_TRUE(client_.Execute("PutItem", put).ok());
  store_.FailNextCommit();
  EXPECT_FALSE(client_
                   .Execute("PutItem",
                            R"({"TableName":"orders","Item":{"id":{"S":"2"}}})")
                   .ok());
  EXPECT_EQ(*client_.Count("orders"), 1);
  EXPECT_EQ(*client_.Execute(
                "GetItem", R"({"TableName":"orders","Key":{"id":{"S":"2"}}})"),
            "{}");
}

}  // namespace
}  // namespace byoshin::local::dynamodb

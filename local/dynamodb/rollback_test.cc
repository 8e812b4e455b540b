// What happens when a commit fails: nobody is told that it has not, and memory
// says what the store says.
#include <memory>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/in_process.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/testing/failing_store.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kCreateRolledBackTable =
    R"({"TableName":"orders","BillingMode":"PAY_PER_REQUEST",
        "AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}]})";

class RollbackTest : public ::testing::Test {
 protected:
  RollbackTest()
      : clock_(absl::FromUnixSeconds(1764670980)),
        sqlite_store_(*OpenSqliteStore({})),
        store_(*sqlite_store_),
        dynamodb_(*DynamoDb::Open(store_, clock_, {})),
        client_(*dynamodb_, "eu-central-1") {
    // What the service does when it is opened is not to meet the failure.
    clock_.AwaitIdle();
  }

  time::SimulatedClock clock_;
  std::unique_ptr<Store> sqlite_store_;
  FailingStore store_;
  std::unique_ptr<DynamoDb> dynamodb_;
  InProcessClient client_;
};

TEST_F(RollbackTest, ForgetsATableThatWasNotCommitted) {
  store_.FailCommits(1);
  EXPECT_FALSE(client_.CreateTable(kCreateRolledBackTable).ok());
  EXPECT_EQ(*client_.Execute("ListTables", "{}"), R"({"TableNames":[]})");
  EXPECT_TRUE(client_.CreateTable(kCreateRolledBackTable).ok());
}

TEST_F(RollbackTest, ForgetsAnItemThatWasNotCommitted) {
  ASSERT_TRUE(client_.CreateTable(kCreateRolledBackTable).ok());
  const absl::string_view put =
      R"({"TableName":"orders","Item":{"id":{"S":"1"}}})";
  ASSERT_TRUE(client_.Execute("PutItem", put).ok());
  store_.FailCommits(1);
  EXPECT_FALSE(client_
                   .Execute("PutItem",
                            R"({"TableName":"orders","Item":{"id":{"S":"2"}}})")
                   .ok());
  EXPECT_EQ(*client_.Count("orders"), 1);
  EXPECT_EQ(*client_.Execute(
                "GetItem", R"({"TableName":"orders","Key":{"id":{"S":"2"}}})"),
            "{}");
}

TEST_F(RollbackTest, PausesBeforeItRemovesExpiredItemsAgain) {
  ASSERT_TRUE(client_.CreateTable(kCreateRolledBackTable).ok());
  ASSERT_TRUE(client_
                  .Execute("UpdateTimeToLive",
                           R"({"TableName":"orders","TimeToLiveSpecification":)"
                           R"({"Enabled":true,"AttributeName":"ttl"}})")
                  .ok());
  const absl::Time expires = clock_.Now() + absl::Seconds(10);
  const absl::Time due = expires + absl::Seconds(1);
  ASSERT_TRUE(
      client_
          .Execute("PutItem",
                   absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":)",
                                R"("1"},"ttl":{"N":")",
                                absl::ToUnixSeconds(expires), R"("}}})"))
          .ok());
  // More than are tried, so that one that does not pause comes to an end.
  store_.FailCommits(1000);
  clock_.RunUntil(due + absl::Seconds(59));
  EXPECT_EQ(store_.failed_commits(), 1);
  EXPECT_EQ(*client_.Count("orders"), 1);
  clock_.RunUntil(due + absl::Seconds(60));
  EXPECT_EQ(store_.failed_commits(), 2);
  store_.FailCommits(0);
  clock_.RunUntil(due + absl::Seconds(120));
  EXPECT_EQ(*client_.Count("orders"), 0);
}

}  // namespace
}  // namespace byoshin::local::dynamodb

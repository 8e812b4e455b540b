// What the stores send to the Data API, and how they read its answers. That the
// SQL does what it should is tested on PostgreSQL, in
// tests/properties/generation.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"
#include "core/generation/goal_store.h"
#include "core/generation/process.h"
#include "core/generation/sql.h"
#include "core/generation/sql_goal_store.h"
#include "core/generation/sql_process_store.h"
#include "core/generation/testing/fake_database.h"
#include "core/generation/testing/fixture.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using aws::rdsdata::Field;
using aws::rdsdata::TypeHint;
using ::testing::ElementsAre;
using testing::kGoalId;
using testing::kNever;
using ::testing::StartsWith;

std::vector<Field> SampleRow() {
  return {kGoalId,
          kGoalId,
          "alice",
          "TASK_GENERATION",
          "FAILED",
          kGoalId,
          int64_t{7},
          R"({"code": "AI_ERROR", "message": "m"})",
          int64_t{1},
          "2025-10-10 10:00:00",
          "2025-10-10 10:00:00.5",
          Field(),
          "arn",
          R"({"goalId": "g"})",
          Field()};
}

class SqlStoreTest : public ::testing::Test {
 protected:
  testing::FakeDatabase client_;
  SqlDatabase database_{client_,
                        {.resource_arn = "c", .secret_arn = "s", .name = "d"}};
  SqlProcessStore processes_{database_};
  SqlGoalStore goals_{database_};
};

TEST_F(SqlStoreTest, ReadsARow) {
  client_.AnswerWhen("SELECT", {SampleRow()});
  const auto process = processes_.Find(kGoalId, kNever);
  ASSERT_TRUE(process.ok()) << process.status();
  ASSERT_TRUE(process->has_value());
  EXPECT_EQ((*process)->type, ProcessType::kTasks);
  EXPECT_EQ((*process)->status, ProcessStatus::kFailed);
  EXPECT_EQ((*process)->error,
            (ProcessError{.code = "AI_ERROR", .message = "m"}));
  EXPECT_EQ((*process)->created_at, testing::StartOfTests());
  EXPECT_EQ((*process)->updated_at,
            testing::StartOfTests() + absl::Milliseconds(500));
  EXPECT_FALSE((*process)->completed_at.has_value());
  EXPECT_TRUE((*process)->result.empty());
}

TEST_F(SqlStoreTest, SendsValuesAsTypedParametersOnly) {
  const std::string evil = "'; DROP TABLE users; --";
  ASSERT_TRUE(processes_
                  .Insert({.id = kGoalId,
                           .origin_id = kGoalId,
                           .user_id = evil,
                           .target_id = kGoalId,
                           .params = "{}",
                           .created_at =
                               testing::StartOfTests() + absl::Milliseconds(5)},
                          kNever)
                  .ok());
  ASSERT_EQ(client_.requests().size(), 1u);
  const aws::rdsdata::ExecuteStatementRequest& request = client_.requests()[0];
  EXPECT_FALSE(absl::StrContains(request.sql, "DROP"));
  EXPECT_EQ(request.database.resource_arn, "c");
  EXPECT_EQ(request.repetition, aws::Repetition::kHarmless);
  for (const aws::rdsdata::Parameter& parameter : request.parameters) {
    EXPECT_TRUE(absl::StrContains(request.sql, ":" + parameter.name));
    if (parameter.name == "user_id") {
      EXPECT_EQ(*parameter.value.text(), evil);
    } else if (parameter.name == "now") {
      EXPECT_EQ(*parameter.value.text(), "2025-10-10 10:00:00.005");
      EXPECT_EQ(parameter.hint, TypeHint::kTimestamp);
    } else if (parameter.name == "params") {
      EXPECT_EQ(parameter.hint, TypeHint::kJson);
    } else if (parameter.name == "id") {
      EXPECT_EQ(parameter.hint, TypeHint::kUuid);
    }
  }
}

TEST_F(SqlStoreTest, RepeatsNoRetryOfWhichTheAnswerWasLost) {
  ASSERT_TRUE(processes_.InsertRetry({.id = kGoalId}, kNever).ok());
  EXPECT_EQ(client_.requests().at(0).repetition, aws::Repetition::kHarmful);
}

TEST_F(SqlStoreTest, ReportsARowThatItDoesNotUnderstand) {
  const auto with = [&](std::size_t column, const Field& value) {
    std::vector<Field> row = SampleRow();
    row.at(column) = value;
    client_.AnswerWhen("SELECT", {row});
    return processes_.Find(kGoalId, kNever).status();
  };
  EXPECT_TRUE(absl::IsDataLoss(with(0, Field())));
  EXPECT_TRUE(absl::IsDataLoss(with(3, "OTHER")));
  EXPECT_TRUE(absl::IsDataLoss(with(4, "OTHER")));
  EXPECT_TRUE(absl::IsDataLoss(with(6, "7")));
  EXPECT_TRUE(absl::IsDataLoss(with(7, "{}")));
  EXPECT_TRUE(absl::IsDataLoss(with(9, "yesterday")));
  client_.AnswerWhen("SELECT", {{kGoalId}});
  EXPECT_EQ(processes_.Find(kGoalId, kNever).status().message(),
            "column 2 of the database's answer is missing");
}

TEST_F(SqlStoreTest, SavesPartsAndProgressInOneTransaction) {
  client_.AnswerWhen("FOR UPDATE", {{kGoalId}});
  client_.AnswerWhen("UPDATE processing_states", {{kGoalId}});
  const absl::StatusOr<bool> saved = goals_.SaveTasks(
      {.process_id = kGoalId, .origin_id = kGoalId}, kGoalId,
      {{.id = kGoalId, .estimated_time = absl::Minutes(30)}}, kNever);
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_TRUE(*saved);
  EXPECT_THAT(client_.statements(),
              ElementsAre("BEGIN", StartsWith("UPDATE processing_states"),
                          StartsWith("SELECT id FROM actions"),
                          StartsWith("DELETE FROM tasks"),
                          StartsWith("INSERT INTO tasks"), "COMMIT"));
  for (const auto& request : client_.requests()) {
    EXPECT_EQ(request.transaction_id, "t1");
  }
  EXPECT_EQ(client_.batches().at(0).transaction_id, "t1");
}

TEST_F(SqlStoreTest, SavesNothingForAProcessThatIsOver) {
  const absl::StatusOr<bool> saved = goals_.SaveTasks({}, kGoalId, {}, kNever);
  ASSERT_TRUE(saved.ok()) << saved.status();
  EXPECT_FALSE(*saved);
  EXPECT_THAT(
      client_.statements(),
      ElementsAre("BEGIN", StartsWith("UPDATE processing_states"), "ROLLBACK"));
}

TEST_F(SqlStoreTest, RollsBackAfterAnError) {
  client_.AnswerWhen("FOR UPDATE", {{kGoalId}});
  client_.AnswerWhen("UPDATE processing_states", {{kGoalId}});
  client_.FailWhen("DELETE", absl::UnavailableError("gone"));
  client_.FailWhen("ROLLBACK", absl::UnavailableError("gone, too"));
  EXPECT_EQ(goals_.SaveTasks({}, kGoalId, {}, kNever).status(),
            absl::UnavailableError("gone"));
  EXPECT_EQ(client_.statements().back(), "ROLLBACK");
}

TEST_F(SqlStoreTest, ReportsACommitThatFailed) {
  client_.AnswerWhen("FOR UPDATE", {{kGoalId}});
  client_.AnswerWhen("UPDATE processing_states", {{kGoalId}});
  client_.FailWhen("COMMIT", absl::UnavailableError("gone"));
  EXPECT_TRUE(
      absl::IsUnavailable(goals_.SaveTasks({}, kGoalId, {}, kNever).status()));
}

TEST_F(SqlStoreTest, TellsThatAnItemIsGone) {
  client_.AnswerWhen("UPDATE processing_states", {{kGoalId}});
  EXPECT_TRUE(
      absl::IsNotFound(goals_.SaveActions({}, kGoalId, {}, kNever).status()));
  EXPECT_TRUE(
      absl::IsNotFound(goals_.SaveTasks({}, kGoalId, {}, kNever).status()));
  EXPECT_EQ(client_.statements().back(), "ROLLBACK");
}

}  // namespace
}  // namespace byoshin::generation

#include "core/generation/workflow_handler.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/database_users.h"
#include "core/generation/failure.h"
#include "core/generation/migrator.h"
#include "core/generation/process.h"
#include "core/generation/sql.h"
#include "core/generation/state_service.h"
#include "core/generation/testing/fake_database.h"
#include "core/generation/testing/fake_secrets.h"
#include "core/generation/testing/fixture.h"
#include "core/generation/testing/memory_store.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using testing::kGoalId;

class WorkflowHandlerTest : public ::testing::Test {
 protected:
  void Put(ProcessStatus status) {
    store_.Put({.id = kGoalId,
                .origin_id = kGoalId,
                .user_id = testing::kAlice,
                .status = status,
                .created_at = clock_.Now()});
  }
  absl::StatusOr<std::string> Handle(lambda::Handler& handler,
                                     const std::string& event) {
    return handler.Handle({.payload = event,
                           .request_id = "r",
                           .deadline = clock_.Now() + absl::Minutes(1)});
  }
  absl::StatusOr<std::string> Update(absl::string_view status,
                                     absl::string_view rest = "") {
    return Handle(update_,
                  absl::StrCat(R"({"processId":")", kGoalId, R"(","status":")",
                               status, "\"", rest, "}"));
  }
  absl::StatusOr<std::string> Ended(absl::string_view status,
                                    absl::string_view name = kGoalId) {
    return Handle(
        update_,
        absl::StrCat(
            R"({"detail-type":"Step Functions Execution Status Change",)"
            R"("source":"aws.states","detail":{"name":")",
            name, R"(","status":")", status, R"("}})"));
  }
  const Process& Row() { return store_.processes().at(kGoalId); }

  testing::MemoryStore store_;
  time::testing::InstantClock clock_{testing::StartOfTests()};
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
  ProcessingStateService states_{{.store = store_, .clock = clock_}};
  UpdateStateHandler update_{states_, logger_};
};

TEST_F(WorkflowHandlerTest, MovesAProcessAndTellsTheQueueDepth) {
  Put(ProcessStatus::kPending);
  EXPECT_EQ(Update("PROCESSING").value(),
            absl::StrCat(R"({"processId":")", kGoalId,
                         R"(","status":"PROCESSING","changed":true})"));
  ASSERT_EQ(sink_.metrics().size(), 1u);
  EXPECT_EQ(sink_.metrics()[0]["QueueDepth"].asInt(), 0);
}

TEST_F(WorkflowHandlerTest, EmitsTheOutcomeAndTheDurationOnce) {
  Put(ProcessStatus::kProcessing);
  clock_.Advance(absl::Seconds(42));
  ASSERT_TRUE(Update("COMPLETED").ok());
  ASSERT_TRUE(Update("COMPLETED").ok());
  ASSERT_EQ(sink_.metrics().size(), 1u);
  const Json::Value line = sink_.metrics()[0];
  EXPECT_EQ(line["AsyncProcessingCompleted"].asInt(), 1);
  EXPECT_EQ(line["AsyncProcessingFailed"].asInt(), 0);
  EXPECT_EQ(line["AsyncProcessingTimeout"].asInt(), 0);
  EXPECT_EQ(line["ProcessingDuration"].asDouble(), 42'000);
  EXPECT_EQ(line["_aws"]["CloudWatchMetrics"][0]["Namespace"].asString(),
            kMetricsNamespace);
}

TEST_F(WorkflowHandlerTest, KeepsTheCodeOfTheFailure) {
  Put(ProcessStatus::kProcessing);
  ASSERT_TRUE(
      Update("FAILED",
             R"(,"error":{"Error":"ThrottlingException","Cause":"inner"})")
          .ok());
  EXPECT_EQ(Row().error->code, kAiThrottling);
  EXPECT_EQ(Row().error->message.find("inner"), std::string::npos);
  EXPECT_EQ(sink_.metrics()[0]["AsyncProcessingFailed"].asInt(), 1);
}

TEST_F(WorkflowHandlerTest, KeepsATimeout) {
  Put(ProcessStatus::kProcessing);
  ASSERT_TRUE(Update("TIMEOUT").ok());
  EXPECT_EQ(Row().error->code, kTimeoutError);
  EXPECT_EQ(sink_.metrics()[0]["AsyncProcessingTimeout"].asInt(), 1);
}

TEST_F(WorkflowHandlerTest, LeavesACancelledProcessAsItIs) {
  Put(ProcessStatus::kCancelled);
  EXPECT_EQ(Update("COMPLETED").value(),
            absl::StrCat(R"({"processId":")", kGoalId,
                         R"(","status":"CANCELLED","changed":false})"));
  EXPECT_EQ(lambda::ErrorTypeOf(Update("PROCESSING").status()),
            kProcessEndedFailure);
  EXPECT_TRUE(sink_.metrics().empty());
}

TEST_F(WorkflowHandlerTest, StartsAgainAfterALostAnswer) {
  Put(ProcessStatus::kProcessing);
  EXPECT_TRUE(Update("PROCESSING").ok());
}

TEST_F(WorkflowHandlerTest, NamesErrorsThatTheWorkflowRetries) {
  Put(ProcessStatus::kPending);
  store_.FailNext(absl::UnavailableError("gone"));
  EXPECT_EQ(lambda::ErrorTypeOf(Update("PROCESSING").status()),
            kDatabaseConnectionFailure);
  store_.FailNext(absl::InvalidArgumentError("42601"));
  EXPECT_EQ(lambda::ErrorTypeOf(Update("PROCESSING").status()),
            kDatabaseFailure);
}

TEST_F(WorkflowHandlerTest, RefusesEventsThatMakeNoSense) {
  for (const char* event :
       {"", "{}", "[]", R"({"processId":"x","status":"FAILED"})",
        R"({"detail":{}})"}) {
    EXPECT_FALSE(Handle(update_, event).ok()) << event;
  }
  Put(ProcessStatus::kProcessing);
  EXPECT_FALSE(Update("PENDING").ok());
  EXPECT_FALSE(Update("DONE").ok());
}

TEST_F(WorkflowHandlerTest, ClosesWhatAnExecutionLeftOpen) {
  const struct {
    const char* outcome;
    ProcessStatus status;
  } kOutcomes[] = {{"TIMED_OUT", ProcessStatus::kTimeout},
                   {"ABORTED", ProcessStatus::kCancelled},
                   {"FAILED", ProcessStatus::kFailed},
                   {"SUCCEEDED", ProcessStatus::kProcessing},
                   {"RUNNING", ProcessStatus::kProcessing}};
  for (const auto& expected : kOutcomes) {
    Put(ProcessStatus::kProcessing);
    ASSERT_TRUE(Ended(expected.outcome).ok());
    EXPECT_EQ(Row().status, expected.status) << expected.outcome;
  }
}

TEST_F(WorkflowHandlerTest, IgnoresExecutionsThatAreNotOfAProcess) {
  EXPECT_TRUE(Ended("FAILED", "by-hand").ok());
  EXPECT_TRUE(Ended("FAILED").ok());
}

class MigrationHandlerTest : public WorkflowHandlerTest {
 protected:
  static constexpr char kReaderSecret[] =
      R"({"username":"generation_reader","password":"hush"})";
  static constexpr char kRequest[] =
      R"({"RequestType":"Create","ResponseURL":"https://s3/x?signature",)"
      R"("StackId":"s","RequestId":"r","LogicalResourceId":"Schema"})";

  Json::Value Responded() {
    EXPECT_EQ(http_.requests().size(), 1u);
    EXPECT_EQ(http_.requests().at(0).method, "PUT");
    EXPECT_EQ(http_.requests().at(0).url, "https://s3/x?signature");
    return json::ParseValue(http_.requests().at(0).body).value();
  }

  testing::FakeDatabase client_;
  SqlDatabase database_{client_, {}};
  Migrator migrator_{database_, clock_};
  http::testing::FakeClient http_;
  testing::FakeSecrets secrets_;
  DatabaseUsers users_{database_, secrets_, {{kReaderUser, "arn:reader"}}};
  MigrationHandler handler_{{.migrator = migrator_,
                             .users = users_,
                             .http_client = http_,
                             .clock = clock_,
                             .logger = logger_}};
};

TEST_F(MigrationHandlerTest, AnswersCloudFormation) {
  secrets_.Put("arn:reader", kReaderSecret);
  http_.Answer({.status = 200});
  EXPECT_EQ(Handle(handler_, kRequest).value(), R"({"version":3,"applied":3})");
  const Json::Value body = Responded();
  EXPECT_EQ(body["Status"].asString(), "SUCCESS");
  EXPECT_EQ(body["StackId"].asString(), "s");
  EXPECT_EQ(body["RequestId"].asString(), "r");
  EXPECT_EQ(body["LogicalResourceId"].asString(), "Schema");
  EXPECT_FALSE(body["PhysicalResourceId"].asString().empty());
}

TEST_F(MigrationHandlerTest, ReportsAFailureToCloudFormation) {
  client_.FailWhen("CREATE TABLE users", absl::InvalidArgumentError("42601"));
  http_.Answer({.status = 200});
  EXPECT_TRUE(Handle(handler_, kRequest).ok());
  const Json::Value body = Responded();
  EXPECT_EQ(body["Status"].asString(), "FAILED");
  EXPECT_EQ(body["Reason"].asString(), "0001_create_goals.sql: 42601");
}

TEST_F(MigrationHandlerTest, DropsNothingWhenTheStackIsDeleted) {
  http_.Answer({.status = 200});
  EXPECT_TRUE(
      Handle(
          handler_,
          R"({"RequestType":"Delete","ResponseURL":"https://s3/x?signature",)"
          R"("PhysicalResourceId":"p"})")
          .ok());
  EXPECT_EQ(Responded()["PhysicalResourceId"].asString(), "p");
  EXPECT_TRUE(client_.statements().empty());
}

TEST_F(MigrationHandlerTest, FailsIfCloudFormationCantBeAnswered) {
  for (int i = 0; i < 3; ++i) http_.Answer({.status = 500});
  EXPECT_TRUE(absl::IsUnavailable(Handle(handler_, kRequest).status()));
  EXPECT_EQ(http_.unused(), 0);
  for (const std::string& line : sink_.lines()) {
    EXPECT_EQ(line.find("signature"), std::string::npos) << line;
  }
}

TEST_F(MigrationHandlerTest, ReportsThatAUserHasNoPassword) {
  http_.Answer({.status = 200});
  EXPECT_TRUE(Handle(handler_, kRequest).ok());
  EXPECT_EQ(Responded()["Status"].asString(), "FAILED");
}

TEST_F(MigrationHandlerTest, RunsByHand) {
  secrets_.Put("arn:reader", kReaderSecret);
  EXPECT_EQ(Handle(handler_, "{}").value(), R"({"version":3,"applied":3})");
  EXPECT_TRUE(http_.requests().empty());
}

}  // namespace
}  // namespace byoshin::generation

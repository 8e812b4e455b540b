// On a real database, with the schema of core/generation/migrations.
#include "local/applications/generation/process_source.h"

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/message.h"
#include "core/generation/migrator.h"
#include "core/generation/process.h"
#include "core/generation/sql_split.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/applications/generation/process_panel.h"
#include "local/applications/generation/testing_stack.h"
#include "local/bedrock/call_ledger.h"
#include "local/cloudformation/stack.h"
#include "local/rdsdata/testing/data_api_fixture.h"

namespace byoshin::local::applications {
namespace {

using ::testing::HasSubstr;

constexpr char kRole[] = "arn:aws:iam::000000000000:role/start";

class ProcessSourceTest : public rdsdata::DataApiTest {
 protected:
  ProcessSourceTest() {
    Execute("DROP SCHEMA public CASCADE");
    Execute("CREATE SCHEMA public");
    for (const generation::MigrationFile& file : generation::MigrationFiles()) {
      const absl::StatusOr<std::vector<std::string>> statements =
          generation::SplitStatements(file.sql);
      for (const std::string& statement : *statements) {
        const Json::Value done = Execute(statement);
        EXPECT_FALSE(done.isString()) << done;
      }
    }
    Execute("INSERT INTO users (id, created_at) VALUES ('u', '2026-01-01')");
    EXPECT_TRUE(source_.Load(Stack()));
  }

  // One whose database is the test's.
  static cloudformation::Stack Stack() {
    cloudformation::Stack stack = GenerationStack();
    Json::Value& variables =
        stack.resources["Start"].properties["Environment"]["Variables"];
    variables[generation::kClusterVariable] = rdsdata::kTestCluster;
    variables[generation::kSecretVariable] = rdsdata::kTestSecret;
    variables[generation::kDatabaseVariable] = "postgres";
    return stack;
  }

  // `seconds` is when it was created; it is over after `took` more.
  void AddProcess(int seconds, const std::string& status, int took = 0,
                  const std::string& error = "NULL") {
    const std::string created = absl::StrCat(
        "timestamp '2026-01-01 00:00:00' + interval '", seconds, " seconds'");
    const Json::Value done = Execute(absl::StrCat(
        "INSERT INTO processing_states (id, origin_id, user_id, type, status, "
        "params, progress, error, created_at, updated_at, completed_at) "
        "VALUES (gen_random_uuid(), gen_random_uuid(), 'u', "
        "'SUBGOAL_GENERATION', '",
        status, "', '{}', 50, ", error, ", ", created, ", ", created, ", ",
        took == 0 ? "NULL"
                  : absl::StrCat(created, " + interval '", took, " seconds'"),
        ")"));
    EXPECT_FALSE(done.isString()) << done;
    source_.NoteWrite(rdsdata::kTestCluster);
  }

  Json::Value Status() {
    ProcessPanel panel(source_, [] { return "http://127.0.0.1:4566"; });
    json::Writer json;
    panel.WriteStatus(json);
    return *json::ParseValue(json.text());
  }

  bedrock::CallLedger ledger_;
  int changes_ = 0;
  ProcessSource source_{
      {.data = *api_, .calls = ledger_, .on_change = [this] { ++changes_; }}};
};

TEST_F(ProcessSourceTest, CountsProcessesByState) {
  EXPECT_EQ((*source_.Summary())["counts"], Json::Value(Json::objectValue));
  AddProcess(1, "PENDING");
  AddProcess(2, "COMPLETED", 4);
  AddProcess(3, "COMPLETED", 8);
  const Json::Value counts = (*source_.Summary())["counts"];
  EXPECT_EQ(counts["COMPLETED"], 2);
  EXPECT_EQ(counts["PENDING"], 1);
  EXPECT_EQ(counts.size(), 2u);
}

TEST_F(ProcessSourceTest, SaysHowLongCompletedOnesTook) {
  AddProcess(1, "COMPLETED", 4);
  AddProcess(2, "COMPLETED", 10);
  AddProcess(3, "FAILED", 600, "'{\"code\": \"AI_ERROR\"}'");
  const Json::Value took =
      (*source_.Summary())["durations"]["SUBGOAL_GENERATION"];
  EXPECT_EQ(took["count"], 2);
  EXPECT_EQ(took["p50"].asDouble(), 7000);
  EXPECT_EQ(took["max"].asDouble(), 10000);
}

TEST_F(ProcessSourceTest, GroupsFailuresByReason) {
  constexpr char kThrottled[] =
      R"('{"code": "AI_THROTTLING", "message": "混雑しています"}')";
  AddProcess(1, "FAILED", 5, kThrottled);
  AddProcess(20, "FAILED", 5, kThrottled);
  AddProcess(10, "TIMEOUT", 300, R"('{"code": "TIMEOUT_ERROR"}')");
  const Json::Value failures = (*source_.Summary())["failures"];
  ASSERT_EQ(failures.size(), 2u);
  EXPECT_EQ(failures[0]["status"], "TIMEOUT");
  EXPECT_EQ(failures[1]["code"], "AI_THROTTLING");
  EXPECT_EQ(failures[1]["message"], "混雑しています");
  EXPECT_EQ(failures[1]["count"], 2);
  EXPECT_EQ(failures[1]["last"].asInt64(), 1767225625000);
}

TEST_F(ProcessSourceTest, ListsTheNewestFirst) {
  for (int i = 1; i <= kRecentProcesses + 1; ++i) AddProcess(i, "PENDING");
  AddProcess(100, "COMPLETED", 5);
  const Json::Value recent = (*source_.Summary())["recent"];
  ASSERT_EQ(recent.size(), static_cast<unsigned>(kRecentProcesses));
  EXPECT_EQ(recent[0]["status"], "COMPLETED");
  EXPECT_EQ(recent[0]["created"].asInt64(), 1767225700000);
  EXPECT_EQ(recent[0]["completed"].asInt64(), 1767225705000);
  EXPECT_EQ(recent[0]["progress"], 50);
  EXPECT_TRUE(recent[1]["completed"].isNull());
  const Json::Value pending =
      *source_.Processes({.statuses = {"PENDING", "FAILED"}, .limit = 3});
  ASSERT_EQ(pending.size(), 3u);
  EXPECT_EQ(pending[0]["status"], "PENDING");
  EXPECT_EQ(*source_.Processes({.statuses = {"FAILED"}, .limit = 3}),
            Json::Value(Json::arrayValue));
}

TEST_F(ProcessSourceTest, AsksTheDatabaseOnlyAfterAChange) {
  const int before = changes_;
  EXPECT_TRUE((*source_.Summary())["recent"].empty());
  // Not noted, so not seen.
  Execute(
      "INSERT INTO processing_states (id, origin_id, user_id, type, status, "
      "params, created_at, updated_at) VALUES (gen_random_uuid(), "
      "gen_random_uuid(), 'u', 'TASK_GENERATION', 'PENDING', '{}', now(), "
      "now())");
  source_.NoteWrite("another cluster");
  EXPECT_EQ(changes_, before);
  EXPECT_TRUE((*source_.Summary())["recent"].empty());
  source_.NoteWrite(rdsdata::kTestCluster);
  EXPECT_EQ(changes_, before + 1);
  EXPECT_EQ((*source_.Summary())["recent"].size(), 1u);
}

TEST_F(ProcessSourceTest, DeletesAllThatUsersHave) {
  AddProcess(1, "PENDING");
  AddProcess(2, "COMPLETED", 1);
  const absl::StatusOr<std::int64_t> deleted = source_.DeleteAll();
  ASSERT_TRUE(deleted.ok()) << deleted.status();
  EXPECT_EQ(*deleted, 2);
  EXPECT_TRUE((*source_.Summary())["recent"].empty());
  EXPECT_EQ(Records("SELECT count(*) FROM users"), R"([[{"longValue":0}]])");
}

TEST_F(ProcessSourceTest, CountsTheCallsOfTheStacksOwnFunctions) {
  ledger_.Add({.model_id = "m",
               .role_arn = kRole,
               .usage = {.input_tokens = 100, .output_tokens = 20},
               .duration = absl::Milliseconds(40)});
  ledger_.Add({.model_id = "m",
               .role_arn = kRole,
               .duration = absl::Seconds(9),
               .error = "ThrottlingException"});
  ledger_.Add({.model_id = "m", .role_arn = "arn:another"});
  ledger_.Add({.model_id = "m"});
  const ModelUse use = source_.GetModelUse();
  EXPECT_EQ(use.totals.calls, 2);
  EXPECT_EQ(use.totals.usage.input_tokens, 100);
  EXPECT_EQ(use.totals.usage.output_tokens, 20);
  EXPECT_EQ(use.totals.errors.at("ThrottlingException"), 1);
  EXPECT_EQ(use.duration->max, absl::Milliseconds(40));
}

TEST_F(ProcessSourceTest, ShowsOneStackOnly) {
  cloudformation::Stack other = Stack();
  other.name = "other";
  EXPECT_FALSE(source_.Load(other));
  cloudformation::Stack unrelated;
  unrelated.name = "shop";
  EXPECT_TRUE(source_.Load(unrelated));
  EXPECT_EQ(source_.parts()->stack_name, "goals");
  // It is deleted, or changed to something else.
  cloudformation::Stack gone;
  gone.name = "goals";
  EXPECT_TRUE(source_.Load(gone));
  EXPECT_FALSE(source_.parts().has_value());
  EXPECT_TRUE(absl::IsFailedPrecondition(source_.Summary().status()));
  EXPECT_EQ(*source_.DeleteAll(), 0);
  EXPECT_TRUE(source_.Load(other));
}

TEST_F(ProcessSourceTest, GivesThePanelItsStatus) {
  AddProcess(1, "PENDING");
  const Json::Value status = Status();
  EXPECT_EQ(status["page"], "/generation/");
  EXPECT_EQ(status["user"], "demo");
  EXPECT_EQ(status["api"],
            "http://127.0.0.1:4566/restapis/w6c9/prod/_user_request_");
  EXPECT_TRUE(status["problem"].isNull());
  EXPECT_EQ(status["processes"]["counts"]["PENDING"], 1);
  EXPECT_EQ(status["model"]["calls"], 0);
  EXPECT_TRUE(status["model"]["durationMs"].isNull());
}

TEST_F(ProcessSourceTest, GivesThePanelReasonsInEnglish) {
  AddProcess(1, "FAILED", 5, R"('{"code": "AI_ERROR", "message": "エラー"}')");
  AddProcess(2, "FAILED", 5, R"('{"code": "OF_LATER", "message": "未知"}')");
  AddProcess(3, "FAILED", 5);
  ProcessPanel panel(source_, [] { return ""; });
  const Json::Value summary = Status()["processes"];
  const Json::Value listed =
      (*json::ParseValue(*panel.endpoints().at(0).answer({})))["processes"];
  const std::string english = generation::MessageOf(
      {.code = generation::kAiError}, generation::Language::kEnglish);
  ASSERT_EQ(summary["failures"].size(), 3u);
  EXPECT_TRUE(summary["failures"][0]["message"].isNull());
  // An unknown code has only the stored message.
  EXPECT_EQ(summary["failures"][1]["message"], "未知");
  EXPECT_EQ(summary["failures"][2]["message"], english);
  for (const Json::Value& processes : {summary["recent"], listed}) {
    ASSERT_EQ(processes.size(), 3u);
    EXPECT_TRUE(processes[0]["error"].isNull());
    EXPECT_EQ(processes[1]["error"]["message"], "未知");
    EXPECT_EQ(processes[2]["error"]["message"], english);
  }
}

TEST_F(ProcessSourceTest, SaysThatTheDatabaseCantBeRead) {
  Execute("DROP TABLE processing_states");
  source_.NoteWrite(rdsdata::kTestCluster);
  const Json::Value status = Status();
  EXPECT_THAT(status["problem"].asString(),
              HasSubstr("the database can't be read"));
  EXPECT_TRUE(status["processes"].isNull());
}

TEST_F(ProcessSourceTest, AnswersThePanelsEndpoint) {
  AddProcess(1, "PENDING");
  AddProcess(2, "COMPLETED", 1);
  ProcessPanel panel(source_, [] { return ""; });
  const auto ask = [&](const std::string& query) {
    return panel.endpoints().at(0).answer({.query = query});
  };
  EXPECT_EQ((*json::ParseValue(*ask("")))["processes"].size(), 2u);
  EXPECT_EQ((*json::ParseValue(*ask("status=PENDING")))["processes"].size(),
            1u);
  EXPECT_EQ((*json::ParseValue(*ask("limit=1")))["processes"].size(), 1u);
  EXPECT_TRUE(absl::IsInvalidArgument(ask("limit=0").status()));
  EXPECT_THAT(ask("status=LOST").status().message(), HasSubstr("CANCELLED"));
  EXPECT_TRUE(absl::IsInvalidArgument(ask("status=x'%20OR%20true--").status()));
}

}  // namespace
}  // namespace byoshin::local::applications

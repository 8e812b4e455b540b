// Every endpoint of the API and every code that it answers with, on the
// deployed stack; what it says is held to core/generation/openapi.yaml.
#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "local/bedrock/faults.h"
#include "local/gateway/error.h"
#include "tests/e2e/generation/generation_cloud.h"
#include "tests/integration/node.h"
#include "tests/integration/process.h"

namespace byoshin::e2e {
namespace {

using local::bedrock::Fault;
using ::testing::Contains;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr char kOpenApi[] = "core/generation/openapi.yaml";
constexpr char kChecker[] = "tests/e2e/generation/check_openapi.js";
constexpr char kNobodysId[] = "00000000-0000-4000-8000-000000000000";

// What goes wrong, at the next calls or until it is reset.
struct Faults {
  std::atomic<const char*> service = nullptr;
  std::atomic<const char*> code = nullptr;
  std::atomic<bool> crash = false;
};

class ApiTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    clock_ = new time::SimulatedClock(kStart);
    faults_ = new Faults();
    cloud_ = new GenerationCloud(
        *clock_,
        {.fault = [](absl::string_view service,
                     absl::string_view) -> absl::Status {
           const char* const failing = faults_->service;
           if (failing == nullptr || service != failing) {
             return absl::OkStatus();
           }
           const std::string code = faults_->code.load();
           return local::ServiceError(
               {.code = code,
                .message = code == "DatabaseErrorException"
                               ? "ERROR: simulated fault; SQLState: 42P01"
                               : "simulated fault",
                .http_status = 400});
         },
         .crash = [] { return faults_->crash.load(); }});
  }

  // The document is about all tests together.
  static void TearDownTestSuite() {
    const std::string file =
        absl::StrCat(std::getenv("TEST_TMPDIR"), "/exchanges.json");
    std::ofstream(file) << json::WriteValue(cloud_->exchanges());
    delete cloud_;
    delete faults_;
    delete clock_;
    const auto checker = integration::Process::Start(
        {.argv = {integration::NodePath(), kChecker, kOpenApi, file},
         .environment = integration::NodeEnvironment()});
    ASSERT_TRUE(checker.ok()) << checker.status();
    const absl::StatusOr<std::string> exit = (*checker)->AwaitExit();
    ASSERT_TRUE(exit.ok()) << exit.status();
    EXPECT_EQ(*exit, "exit status 0");
    for (const std::string& line : (*checker)->lines()) {
      EXPECT_NE(line.substr(0, 6), "FAILED") << line;
    }
  }

  void TearDown() override {
    faults_->service = nullptr;
    faults_->crash = false;
    cloud().model().Clear();
    EXPECT_THAT(cloud().denials(), IsEmpty());
    // The stage's limit of requests is refilled.
    clock().RunUntil(clock().Now() + absl::Hours(2));
  }

  static time::SimulatedClock& clock() { return *clock_; }
  static GenerationCloud& cloud() { return *cloud_; }

  std::string User() const {
    return absl::StrCat(
        "user-",
        ::testing::UnitTest::GetInstance()->current_test_info()->name());
  }
  static std::string Path(const char* operation, const std::string& id) {
    return absl::StrCat("/api/ai/async/", operation, "/", id);
  }
  Reply Post(const std::string& path, const std::string& body = "") {
    return cloud().Call(User(), "POST", path, body);
  }
  Reply Get(const std::string& path) {
    return cloud().Call(User(), "GET", path);
  }
  Reply Generate(const std::string& type, const Json::Value& params) {
    Json::Value body(Json::objectValue);
    body["type"] = type;
    body["params"] = params;
    return Post(generation::kGeneratePath, json::WriteValue(body));
  }
  // A process that is over, with this state.
  std::string Ended(const char* status) {
    if (absl::string_view(status) == "FAILED") {
      cloud().model().Set({.kind = Fault::Kind::kError});
    }
    const std::string process = cloud().Start(
        User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
    clock().RunUntil(clock().Now() + absl::Minutes(1));
    cloud().model().Clear();
    EXPECT_EQ(cloud().Show(User(), process)["status"], status);
    return process;
  }
  // What the database has for User(): the subject of the token.
  std::string UserId() {
    const std::string token = cloud().Token(User());
    const std::vector<std::string> parts = absl::StrSplit(token, '.');
    std::string claims;
    EXPECT_TRUE(parts.size() == 3 &&
                absl::WebSafeBase64Unescape(parts[1], &claims));
    return json::TextMember(json::ParseValue(claims).value_or(Json::Value()),
                            "sub");
  }
  // The requests that count for the user's rate, all at one time from now.
  void SetRequests(int count, const char* time) {
    cloud().Query(absl::StrCat(
        "INSERT INTO users (id, recent_requests, created_at) SELECT '",
        UserId(), "', array_fill(t, ARRAY[", count,
        "]), t FROM (SELECT CAST(now() AT ", "TIME ZONE 'UTC' ", time,
        " AS timestamp(3)) AS t) AS times ", "ON CONFLICT (id) DO UPDATE SET ",
        "recent_requests = excluded.recent_requests"));
  }
  static void ExpectError(const Reply& reply, int status, const char* code) {
    EXPECT_EQ(reply.status, status) << json::WriteValue(reply.body);
    EXPECT_EQ(reply.body["success"], false);
    EXPECT_EQ(reply.body["error"]["code"], code);
  }
  static std::set<std::string> FieldsOf(const Reply& reply) {
    std::set<std::string> fields;
    for (const Json::Value& detail : reply.body["error"]["details"]) {
      fields.insert(detail["field"].asString());
    }
    return fields;
  }

  // All operations on a process; each without one, too.
  std::vector<Reply> CallAll(const std::string& id) {
    std::vector<Reply> replies = {
        Generate(kActions, GenerationCloud::GoalOf(id)),
        Get(Path("status", id)), Post(Path("retry", id)),
        Post(Path("cancel", id))};
    return replies;
  }

  static time::SimulatedClock* clock_;
  static Faults* faults_;
  static GenerationCloud* cloud_;
};

time::SimulatedClock* ApiTest::clock_ = nullptr;
Faults* ApiTest::faults_ = nullptr;
GenerationCloud* ApiTest::cloud_ = nullptr;

TEST_F(ApiTest, StartsShowsAndListsAProcess) {
  const Reply reply =
      Generate(kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  EXPECT_EQ(reply.status, 202);
  EXPECT_THAT(reply.headers,
              Contains(Pair("access-control-allow-origin", "*")));
  const std::string id = reply.body["data"]["processId"].asString();
  clock().AwaitIdle();
  EXPECT_EQ(Get(Path("status", id)).body["data"]["status"], "COMPLETED");
  const Reply history =
      Get(absl::StrCat(generation::kHistoryPath,
                       "?page=1&pageSize=5&type=SUBGOAL_GENERATION&status="
                       "COMPLETED&startDate=2020-01-01&endDate=2099-01-01"));
  EXPECT_EQ(history.status, 200);
  ASSERT_EQ(history.body["data"]["processes"].size(), 1u);
  EXPECT_EQ(history.body["data"]["processes"][0]["processId"], id);
  EXPECT_EQ(history.body["data"]["pagination"]["total"], 1);
}

TEST_F(ApiTest, ShowsEveryTypeOfResultAndError) {
  const std::string goal = cloud().NewGoal(User());
  for (const char* type : {kActions, kTasks}) {
    const std::string process =
        cloud().Start(User(), type, GenerationCloud::GoalOf(goal));
    clock().AwaitIdle();
    EXPECT_EQ(cloud().Show(User(), process)["status"], "COMPLETED");
  }
  Ended("FAILED");
}

TEST_F(ApiTest, RefusesInvalidRequestsWithTheirFields) {
  Reply reply = Generate(kSubGoals, Json::objectValue);
  ExpectError(reply, 400, "VALIDATION_ERROR");
  EXPECT_EQ(FieldsOf(reply),
            (std::set<std::string>{"params.goalId", "params.title",
                                   "params.description", "params.deadline",
                                   "params.background"}));
  EXPECT_EQ(reply.body["error"]["retryable"], false);
  Json::Value params = GenerationCloud::GoalParams(random::NewUuid());
  params["deadline"] = "2020-01-01";
  reply = Generate(kSubGoals, params);
  ExpectError(reply, 400, "VALIDATION_ERROR");
  EXPECT_EQ(FieldsOf(reply), std::set<std::string>{"params.deadline"});
  ExpectError(Generate("OTHER_GENERATION", params), 400,
              "INVALID_PROCESS_TYPE");
  params = GenerationCloud::GoalParams("not-a-uuid");
  ExpectError(Generate(kSubGoals, params), 400, "INVALID_UUID");
  for (const char* path : {"status", "retry", "cancel"}) {
    const std::string target = Path(path, "not-a-uuid");
    ExpectError(
        absl::string_view(path) == "status" ? Get(target) : Post(target), 400,
        "INVALID_UUID");
  }
  reply = Get(absl::StrCat(generation::kHistoryPath, "?page=0&pageSize=101"));
  ExpectError(reply, 400, "VALIDATION_ERROR");
  EXPECT_EQ(FieldsOf(reply), (std::set<std::string>{"page", "pageSize"}));
}

TEST_F(ApiTest, RefusesBodiesThatAreNoJsonObjects) {
  for (const char* body : {"not json", "[1]", "\"text\"", "", "{\"type\":"}) {
    const Reply reply = Post(generation::kGeneratePath, body);
    ExpectError(reply, 400, "VALIDATION_ERROR");
    EXPECT_THAT(reply.headers,
                Contains(Pair("access-control-allow-origin", "*")));
  }
}

TEST_F(ApiTest, RefusesTextsThatAreTooLargeBeforeAnythingStarts) {
  Json::Value params = GenerationCloud::GoalParams(random::NewUuid());
  params["description"] = std::string(300'000, 'x');
  ExpectError(Generate(kSubGoals, params), 400, "VALIDATION_ERROR");
  EXPECT_EQ(Get(generation::kHistoryPath).body["data"]["pagination"]["total"],
            0);
}

TEST_F(ApiTest, LetsNobodyInWithoutAValidToken) {
  const auto call = [&](const std::string& token) {
    std::vector<Reply> replies;
    for (const char* path : {"status", "retry", "cancel"}) {
      replies.push_back(cloud().CallWithToken(
          token, absl::string_view(path) == "status" ? "GET" : "POST",
          Path(path, kNobodysId)));
    }
    replies.push_back(
        cloud().CallWithToken(token, "POST", generation::kGeneratePath, "{}"));
    replies.push_back(
        cloud().CallWithToken(token, "GET", generation::kHistoryPath));
    for (const Reply& reply : replies) {
      EXPECT_EQ(reply.status, 401);
      EXPECT_THAT(reply.headers,
                  Contains(Pair("access-control-allow-origin", "*")));
    }
    return replies.back().body["message"].asString();
  };
  const Json::Value tokens = cloud().NewTokens(User());
  const std::string token = tokens["IdToken"].asString();
  EXPECT_EQ(call(""), "Unauthorized");
  EXPECT_EQ(call("nonsense"), "Unauthorized");
  EXPECT_EQ(call(token.substr(0, token.size() - 6) + "AAAAAA"), "Unauthorized");
  EXPECT_EQ(call(tokens["AccessToken"].asString()), "Unauthorized");
  clock().RunUntil(clock().Now() + absl::Hours(1));
  EXPECT_EQ(call(token), "The incoming token has expired");
}

TEST_F(ApiTest, DoesNotTellAnothersProcessFromNone) {
  const std::string process =
      cloud().Start("somebody-else", kSubGoals,
                    GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  for (const std::string& id : {process, std::string(kNobodysId)}) {
    const std::vector<Reply> replies = CallAll(id);
    for (const Reply& reply : replies) ExpectError(reply, 403, "FORBIDDEN");
  }
  EXPECT_EQ(Get(generation::kHistoryPath).body["data"]["pagination"]["total"],
            0);
  EXPECT_EQ(cloud().Show("somebody-else", process)["status"], "COMPLETED");
}

TEST_F(ApiTest, DoesNotGenerateForAnothersGoal) {
  const std::string goal = cloud().NewGoal("somebody-else");
  ExpectError(Generate(kActions, GenerationCloud::GoalOf(goal)), 403,
              "FORBIDDEN");
  ExpectError(Generate(kSubGoals, GenerationCloud::GoalParams(goal)), 403,
              "FORBIDDEN");
}

TEST_F(ApiTest, RefusesWhatTheStateDoesNotPermit) {
  const std::string completed = Ended("COMPLETED");
  ExpectError(Post(Path("retry", completed)), 409, "RETRY_NOT_ALLOWED");
  ExpectError(Post(Path("cancel", completed)), 409, "CANCEL_NOT_ALLOWED");
  const std::string failed = Ended("FAILED");
  cloud().model().Set({.kind = Fault::Kind::kError});
  for (int i = 1; i <= generation::kMaxRetries; ++i) {
    const Reply reply = Post(Path("retry", failed));
    EXPECT_EQ(reply.status, 202);
    EXPECT_EQ(reply.body["data"]["retryCount"], i);
    clock().RunUntil(clock().Now() + absl::Minutes(1));
  }
  ExpectError(Post(Path("retry", failed)), 409, "MAX_RETRY_EXCEEDED");
}

TEST_F(ApiTest, CancelsAProcess) {
  cloud().model().Set({.kind = Fault::Kind::kSlow});
  const std::string process = cloud().Start(
      User(), kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  clock().AwaitIdle();
  const Reply reply = Post(Path("cancel", process));
  EXPECT_EQ(reply.status, 200);
  EXPECT_EQ(reply.body["data"]["status"], "CANCELLED");
  ExpectError(Post(Path("retry", process)), 409, "RETRY_NOT_ALLOWED");
}

TEST_F(ApiTest, AdmitsTwentyRequestsAMinute) {
  // The functions have the machine's clock: these are long over, and these are
  // not over for the rest of the test, however long it takes.
  SetRequests(generation::kRateLimit, "- interval '1 hour'");
  EXPECT_EQ(Post(Path("retry", kNobodysId)).status, 403);
  SetRequests(generation::kRateLimit - 1, "+ interval '1 hour'");
  EXPECT_EQ(Post(Path("retry", kNobodysId)).status, 403);
  SetRequests(generation::kRateLimit, "+ interval '1 hour'");
  const Reply reply =
      Generate(kSubGoals, GenerationCloud::GoalParams(random::NewUuid()));
  ExpectError(reply, 429, "RATE_LIMIT_EXCEEDED");
  EXPECT_EQ(reply.body["error"]["retryable"], true);
  ExpectError(Post(Path("retry", kNobodysId)), 429, "RATE_LIMIT_EXCEEDED");
  // Only what starts processes is limited so.
  EXPECT_EQ(Get(generation::kHistoryPath).status, 200);
}

TEST_F(ApiTest, SaysWhetherADatabaseErrorIsWorthAnotherTry) {
  const auto call = [&](const char* code) {
    faults_->code = code;
    faults_->service = "rds-data";
    std::vector<Reply> replies = CallAll(kNobodysId);
    replies.push_back(Get(generation::kHistoryPath));
    return replies;
  };
  for (const Reply& reply : call("StatementTimeoutException")) {
    ExpectError(reply, 503, "DATABASE_ERROR");
    EXPECT_EQ(reply.body["error"]["retryable"], true);
    EXPECT_EQ(json::WriteValue(reply.body).find("simulated"), std::string::npos)
        << "nothing of the inside is in the message";
  }
  for (const Reply& reply : call("DatabaseErrorException")) {
    ExpectError(reply, 500, "DATABASE_ERROR");
    EXPECT_EQ(reply.body["error"]["retryable"], false);
  }
}

TEST_F(ApiTest, ClosesAProcessThatCouldNotBeStarted) {
  faults_->code = "AccessDeniedException";
  faults_->service = "states";
  ExpectError(
      Generate(kSubGoals, GenerationCloud::GoalParams(random::NewUuid())), 500,
      "STEP_FUNCTIONS_ERROR");
  faults_->service = nullptr;
  const Reply history = Get(generation::kHistoryPath);
  ASSERT_EQ(history.body["data"]["processes"].size(), 1u);
  EXPECT_EQ(history.body["data"]["processes"][0]["status"], "FAILED");
}

TEST_F(ApiTest, AnswersForAFunctionThatIsKilled) {
  faults_->crash = true;
  const Reply reply = Get(generation::kHistoryPath);
  faults_->crash = false;
  ExpectError(reply, 503, "INTERNAL_ERROR");
  EXPECT_EQ(reply.body["error"]["retryable"], true);
  EXPECT_THAT(reply.headers,
              Contains(Pair("access-control-allow-origin", "*")));
}

TEST_F(ApiTest, LetsPagesOfTheOriginCallIt) {
  for (const std::string& path :
       {std::string(generation::kGeneratePath), Path("status", kNobodysId),
        Path("retry", kNobodysId), Path("cancel", kNobodysId),
        std::string(generation::kHistoryPath)}) {
    const Reply reply = cloud().CallWithToken("", "OPTIONS", path);
    EXPECT_EQ(reply.status, 204);
    EXPECT_THAT(reply.headers,
                Contains(Pair("access-control-allow-origin", "*")));
    EXPECT_THAT(reply.headers, Contains(Pair("access-control-allow-headers",
                                             "Content-Type,Authorization")));
  }
}

TEST_F(ApiTest, LimitsTheRequestsOfAllUsersTogether) {
  // The clock does not move, so that nothing is refilled.
  const auto call = [&] {
    return std::vector<Reply>{Get(generation::kHistoryPath),
                              Get(Path("status", kNobodysId)),
                              Post(Path("cancel", kNobodysId))};
  };
  for (int i = 0; i < 40; ++i) call();
  for (const Reply& reply : call()) {
    ExpectError(reply, 429, "RATE_LIMIT_EXCEEDED");
    EXPECT_THAT(reply.headers,
                Contains(Pair("access-control-allow-origin", "*")));
  }
}

TEST_F(ApiTest, GivesDatabaseUsersNoMoreThanTheyNeed) {
  EXPECT_EQ(
      cloud().Query("SELECT count(*) FROM information_schema.role_table_grants "
                    "WHERE grantee = 'generation_reader' AND NOT "
                    "(table_name = 'processing_states' AND "
                    "privilege_type = 'SELECT')")[0][0],
      "0");
  EXPECT_EQ(cloud().Query("SELECT count(*) FROM pg_roles WHERE rolname IN "
                          "('generation_reader', 'generation_writer') AND "
                          "(rolsuper OR rolcreaterole OR rolcreatedb)")[0][0],
            "0");
  EXPECT_EQ(cloud().Query("SELECT count(*) FROM pg_tables WHERE tableowner IN "
                          "('generation_reader', 'generation_writer')")[0][0],
            "0");
  EXPECT_EQ(cloud().Query(
                "SELECT has_schema_privilege('generation_writer', 'public', "
                "'CREATE')")[0][0],
            "false");
}

}  // namespace
}  // namespace byoshin::e2e

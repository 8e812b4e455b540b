// Functions that behave and functions that do not, as real processes.

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "gtest/gtest.h"
#include "local/gateway/error.h"
#include "local/lambda/code_store.h"
#include "local/lambda/environment_log.h"
#include "local/lambda/executor.h"
#include "local/lambda/lambda.h"
#include "local/lambda/testing/gate.h"
#include "local/lambda/testing/lambda_fixture.h"
#include "local/lambda/testing/zip.h"
#include "local/logs/logs.h"
#include "local/store/loop_gate.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {
namespace {

using Outcome = InvocationReport::Outcome;
using Execution = LambdaFixture;

TEST_F(Execution, AnswersWithWhatTheFunctionResponds) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "hello");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->payload, "\"hello\"");
  EXPECT_EQ(result->function_error, "");
  EXPECT_EQ(result->request_id.size(), 36);
  EXPECT_TRUE(result->report.init_duration.has_value());
  EXPECT_GT(result->report.max_memory_bytes, 0);
  EXPECT_EQ(result->report.started, start_);
}

TEST_F(Execution, UsesTheSameEnvironmentAgain) {
  const std::string arn = Put(TestFunction());
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(Invoke(arn, "hello").ok());
  const FunctionStatistics statistics = lambda_->Statistics(arn);
  EXPECT_EQ(statistics.invocations, 20);
  EXPECT_EQ(statistics.cold_starts, 1);
  EXPECT_EQ(statistics.environments, 1);
}

TEST_F(Execution, StartsAnEnvironmentAheadOfTheFirstInvocation) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(lambda_->Statistics(arn).environments, 0);
  lambda_->WarmUp();
  EXPECT_EQ(lambda_->Statistics(arn).environments, 1);
  lambda_->WarmUp();
  EXPECT_EQ(lambda_->Statistics(arn).environments, 1);
  // Whether it is still starting or waits already, it gets the invocation.
  const absl::StatusOr<InvokeResult> first = Invoke(arn, "hello");
  ASSERT_TRUE(first.ok()) << first.status();
  EXPECT_EQ(first->payload, "\"hello\"");
  EXPECT_TRUE(first->report.init_duration.has_value());
  EXPECT_FALSE(Invoke(arn, "hello")->report.init_duration.has_value());
  EXPECT_EQ(lambda_->Statistics(arn).environments, 1);
  EXPECT_EQ(lambda_->Statistics(arn).cold_starts, 1);
}

TEST_F(Execution, PassesTheErrorThatTheFunctionReports) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "fail");
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->function_error, "Unhandled");
  EXPECT_EQ(result->payload,
            R"({"errorType":"Oops","errorMessage":"on purpose"})");
  // The environment is as good as before.
  EXPECT_EQ(Invoke(arn, "hello")->function_error, "");
  EXPECT_EQ(lambda_->Statistics(arn).cold_starts, 1);
}

TEST_F(Execution, GivesLambdasVariablesAndNothingOfOurs) {
  ASSERT_EQ(setenv("OURS", "secret", /*overwrite=*/1), 0);
  FunctionConfig config = TestFunction();
  config.variables = {{"QUEUE_URL", "http://q"}, {"AWS_REGION", "mine"}};
  const std::string arn = Put(config);
  std::string all = Invoke(arn, "environment")->payload;
  all.front() = '|';
  for (absl::string_view expected :
       {"|AWS_ACCESS_KEY_ID=ASIAEXAMPLE|", "|AWS_SESSION_TOKEN=token|",
        "|AWS_SECRET_ACCESS_KEY=secret of arn:aws:iam::000000000000:role/test|",
        "|AWS_REGION=eu-west-1|", "|AWS_DEFAULT_REGION=eu-west-1|",
        "|AWS_LAMBDA_FUNCTION_NAME=subject|",
        "|AWS_LAMBDA_FUNCTION_VERSION=$LATEST|",
        "|AWS_LAMBDA_FUNCTION_MEMORY_SIZE=128|",
        "|AWS_LAMBDA_LOG_GROUP_NAME=/aws/lambda/subject|",
        "|AWS_LAMBDA_LOG_STREAM_NAME=2025/12/02/[$LATEST]",
        "|AWS_ENDPOINT_URL=http://127.0.0.1:4566|", "|_HANDLER=bootstrap|",
        "|TZ=:UTC|", "|LAMBDA_TASK_ROOT=", "|QUEUE_URL=http://q|"}) {
    EXPECT_TRUE(absl::StrContains(all, expected)) << expected << " in " << all;
  }
  EXPECT_FALSE(absl::StrContains(all, "OURS"));
  EXPECT_FALSE(absl::StrContains(all, "TEST_TMPDIR"));
}

TEST_F(Execution, SendsTheDocumentedHeaders) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "headers");
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(Logged("subject", absl::StrCat("Lambda-Runtime-Aws-Request-Id: ",
                                             result->request_id)));
  EXPECT_TRUE(Logged(
      "subject", absl::StrCat("Lambda-Runtime-Invoked-Function-Arn: ", arn)));
  EXPECT_TRUE(Logged("subject", "Lambda-Runtime-Trace-Id: Root=1-"));
  EXPECT_TRUE(Logged("subject", "Lambda-Runtime-Deadline-Ms: 1"));
  EXPECT_TRUE(Logged("subject", "Content-Type: application/json"));
}

TEST_F(Execution, TimesOutAFunctionThatHangsAndReplacesIt) {
  const std::string arn = Put(TestFunction());
  std::future<absl::StatusOr<InvokeResult>> hanging = Start(arn, "hang");
  timer_.Expire(absl::Seconds(3));
  const absl::StatusOr<InvokeResult> result = hanging.get();
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->payload,
            absl::StrCat(R"({"errorType":"Sandbox.Timedout","errorMessage":)",
                         R"("RequestId: )", result->request_id,
                         R"( Error: Task timed out after 3.00 seconds"})"));
  EXPECT_EQ(result->report.outcome, Outcome::kTimeout);
  EXPECT_TRUE(Logged("subject", "Task timed out after 3.00 seconds"));
  EXPECT_TRUE(Logged("subject", "Status: timeout"));
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
  EXPECT_EQ(lambda_->Statistics(arn).cold_starts, 2);
}

// It is for the address sanitizer to see.
TEST_F(Execution, ATimeOutThatIsTooLateToCancelTouchesNothingThatIsGone) {
  const std::string arn = Put(TestFunction());
  std::future<absl::StatusOr<InvokeResult>> hanging = Start(arn, "hang");
  const std::function<void()> expire = timer_.Take(absl::Seconds(3));
  lambda_ = nullptr;
  expire();
}

TEST_F(Execution, SimulatedTimeWaitsForAFunctionThatRuns) {
  const std::string arn = Put(TestFunction());
  std::future<absl::StatusOr<InvokeResult>> hanging = Start(arn, "hang");
  std::future<void> day = std::async(std::launch::async, [this] {
    clock_.RunUntil(start_ + absl::Hours(24));
  });
  timer_.Expire(absl::Seconds(3));
  ASSERT_TRUE(hanging.get().ok());
  day.get();
  EXPECT_EQ(lambda_->Statistics(arn).recent.front().started, start_);
}

TEST_F(Execution, WhoeverHearsOfAFailedStartMayInvokeAgainAtOnce) {
  FunctionConfig config = TestFunction();
  config.variables = {{"INIT", "hang"}};
  config = *lambda_->GetFunction(Put(config));  // with its code
  const std::unique_ptr<Store> store = *OpenSqliteStore({});
  WorkLoop loop(*store, clock_, {});
  const auto gate = std::make_shared<LoopGate>(loop);
  logs::Logs logs(clock_, {.folder = folder_ + "/other"});
  Executor executor(
      {.loop = loop,
       .gate = gate,
       .clock = clock_,
       .timer = timer_,
       .logs = logs},
      {.credentials = [](const std::string&) { return aws::Credentials{}; },
       .endpoint_url = [] { return "http://127.0.0.1:1"; }});
  std::promise<Outcome> first, second;
  loop.Submit([&]() -> AfterCommit {
    executor.PutFunction(config);
    executor.Invoke(
        config.arn, {}, [&](const absl::StatusOr<InvokeResult>& result) {
          first.set_value(result->report.outcome);
          executor.Invoke(config.arn, {},
                          [&](const absl::StatusOr<InvokeResult>& again) {
                            second.set_value(again->report.outcome);
                          });
        });
    return nullptr;
  });
  timer_.Expire(kInitTimeout);
  EXPECT_EQ(first.get_future().get(), Outcome::kTimeout);
  // By a process of its own, not the one that is being killed.
  timer_.Expire(kInitTimeout);
  EXPECT_EQ(second.get_future().get(), Outcome::kTimeout);
  gate->Close();
  loop.Stop();
}

TEST_F(Execution, ReportsAProcessThatEndsInTheMiddle) {
  const std::string arn = Put(TestFunction());
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"abort", "Runtime exited with error: signal: aborted"},
      {"exit:7", "Runtime exited with error: exit status 7"},
      {"exit:0", "Runtime exited without providing a reason"}};
  for (const auto& [command, message] : cases) {
    const absl::StatusOr<InvokeResult> result = Invoke(arn, command);
    ASSERT_TRUE(result.ok()) << result.status();
    EXPECT_EQ(
        result->payload,
        absl::StrCat(R"({"errorType":"Runtime.ExitError","errorMessage":)",
                     R"("RequestId: )", result->request_id, " Error: ", message,
                     R"("})"));
    EXPECT_EQ(result->report.outcome, Outcome::kCrash);
  }
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
}

TEST_F(Execution, EndsTheCredentialsOfAnEnvironmentWithIt) {
  const std::string arn = Put(TestFunction());
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(Invoke(arn, "hello").ok());
  EXPECT_EQ(ended_credentials_, 0);
  ASSERT_TRUE(Invoke(arn, "exit:3").ok());
  // The loop has removed the environment when it has done what came later.
  lambda_->Statistics(arn);
  EXPECT_EQ(ended_credentials_, 1);
}

TEST_F(Execution, ReportsWhatGoesWrongBeforeTheFirstInvocation) {
  FunctionConfig config = TestFunction("crashing");
  config.variables = {{"INIT", "crash"}};
  EXPECT_TRUE(absl::StrContains(Invoke(Put(config), "hello")->payload,
                                "Runtime.ExitError"));

  config = TestFunction("failing");
  config.variables = {{"INIT", "error"}};
  EXPECT_EQ(Invoke(Put(config), "hello")->payload,
            R"({"errorType":"Init","errorMessage":"no configuration"})");

  config = TestFunction("hanging");
  config.variables = {{"INIT", "hang"}};
  std::future<absl::StatusOr<InvokeResult>> hanging =
      Start(Put(config), "hello");
  timer_.Expire(kInitTimeout);
  EXPECT_TRUE(absl::StrContains(hanging.get()->payload, "Sandbox.Timedout"));

  config = TestFunction("refused");
  config.role = "refused";
  EXPECT_TRUE(
      absl::StrContains(Invoke(Put(config), "hello")->payload, "no role"));
}

TEST_F(Execution, StopsAFunctionThatTakesTooMuchMemory) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(Invoke(arn, "leak:64")->function_error, "");
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "leak:200");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->report.outcome, Outcome::kOutOfMemory);
  EXPECT_TRUE(absl::StrContains(result->payload, "Runtime.OutOfMemory"));
  EXPECT_TRUE(Logged("subject", "Error Type: Runtime.OutOfMemory"));
  // Beyond what the system gives it.
  EXPECT_TRUE(absl::StrContains(Invoke(arn, "leak:2000")->payload,
                                "Runtime.ExitError"));
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
}

TEST_F(Execution, BoundsTheLogOfAFunctionThatFloodsIt) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(Invoke(arn, "flood:32")->function_error, "");
  EXPECT_TRUE(Logged("subject", "bytes beyond the limit of"));
  std::size_t bytes = 0;
  for (const std::string& line : LogOf("subject")) bytes += line.size();
  EXPECT_LE(bytes, std::size_t{1} << 20);
  EXPECT_TRUE(
      absl::StrContains(Invoke(arn, "log:audible")->log_tail, "audible\n"));
}

TEST_F(Execution, SurvivesGarbage) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "garbage");
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result->payload, "\xff\x01{");
  EXPECT_TRUE(Logged("subject", "\xfd\xfe\xff"));
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
}

TEST_F(Execution, RefusesWhatTheRuntimeApiDoesNotAllow) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(Invoke(arn, "wrong id")->payload, "400");
  EXPECT_EQ(Invoke(arn, "early next")->payload, "403");
  EXPECT_EQ(Invoke(arn, "unknown path")->payload, "404");
  EXPECT_EQ(Invoke(arn, "twice")->payload, "\"twice\"");
  EXPECT_TRUE(Logged("subject", "the second time: 400"));
}

TEST_F(Execution, LimitsTheResponse) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "large");
  ASSERT_TRUE(result.ok());
  EXPECT_TRUE(
      absl::StrContains(result->payload, "Function.ResponseSizeTooLarge"));
  EXPECT_TRUE(absl::StrContains(result->payload, "6291556"));
}

TEST_F(Execution, KeepsAResponseThoughTheProcessEndsOrHangsAfterwards) {
  const std::string arn = Put(TestFunction());
  EXPECT_EQ(Invoke(arn, "respond and exit")->payload, "\"respond and exit\"");
  std::future<absl::StatusOr<InvokeResult>> hanging =
      Start(arn, "respond and hang");
  timer_.Expire(kReturnGrace);
  EXPECT_EQ(hanging.get()->payload, "\"respond and hang\"");
  timer_.Expire(absl::Seconds(3));
  EXPECT_EQ(Invoke(arn, "hello")->payload, "\"hello\"");
}

TEST_F(Execution, ScalesOutUpToTheReservedLimitAndThenThrottles) {
  FunctionConfig config = TestFunction();
  config.reserved_concurrency = 2;
  const std::string arn = Put(config);
  Gate first(folder_ + "/first");
  Gate second(folder_ + "/second");
  std::future<absl::StatusOr<InvokeResult>> one = Start(arn, first.command());
  std::future<absl::StatusOr<InvokeResult>> two = Start(arn, second.command());
  const absl::StatusOr<InvokeResult> three = Invoke(arn, "hello");
  EXPECT_EQ(ErrorAnswerOf(three.status()).code, "TooManyRequestsException");
  EXPECT_EQ(ErrorAnswerOf(three.status()).http_status, 429);
  first.Open();
  second.Open();
  EXPECT_TRUE(one.get().ok());
  EXPECT_TRUE(two.get().ok());
  EXPECT_TRUE(Invoke(arn, "hello").ok());
  const FunctionStatistics statistics = lambda_->Statistics(arn);
  EXPECT_EQ(statistics.environments, 2);
  EXPECT_EQ(statistics.throttles, 1);
}

TEST_F(Execution, LetsWhatRunsFinishBeforeTheEnd) {
  const std::string arn = Put(TestFunction());
  Gate gate(folder_ + "/gate");
  std::future<absl::StatusOr<InvokeResult>> result = Start(arn, gate.command());
  const auto is_there = [&] {
    return result.wait_for(std::chrono::seconds(0)) ==
           std::future_status::ready;
  };
  // Not for longer than it is told.
  lambda_->Drain(absl::Milliseconds(1));
  EXPECT_FALSE(is_there());
  std::thread opener([&] { gate.Open(); });
  lambda_->Drain(absl::Hours(1));
  EXPECT_TRUE(is_there());
  opener.join();
  // Nothing runs any more.
  lambda_->Drain(absl::Hours(1));
}

TEST_F(Execution, StopsEnvironmentsThatAreIdle) {
  const std::string arn = Put(TestFunction());
  ASSERT_TRUE(Invoke(arn, "hello").ok());
  clock_.RunUntil(start_ + kIdleTimeout - absl::Seconds(1));
  EXPECT_EQ(lambda_->Statistics(arn).environments, 1);
  clock_.RunUntil(start_ + kIdleTimeout);
  EXPECT_EQ(lambda_->Statistics(arn).environments, 0);
  EXPECT_TRUE(Invoke(arn, "hello").ok());
}

TEST_F(Execution, AChangedFunctionRunsInANewEnvironment) {
  FunctionConfig config = TestFunction();
  const std::string arn = Put(config);
  ASSERT_TRUE(Invoke(arn, "hello").ok());
  config.variables = {{"NEW", "yes"}};
  Put(config);
  EXPECT_TRUE(
      absl::StrContains(Invoke(arn, "environment")->payload, "NEW=yes"));
  lambda_->RemoveFunction(arn);
  EXPECT_EQ(ErrorAnswerOf(Invoke(arn, "hello").status()).code,
            "ResourceNotFoundException");
}

TEST_F(Execution, KeepsCodeThatIsUsedAndRemovesTheRest) {
  const auto trees = [this] {
    std::set<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(folder_ + "/code")) {
      names.insert(entry.path().filename());
    }
    return names;
  };
  const FunctionConfig config = TestFunction();
  const std::string arn = Put(config);
  const std::string old = lambda_->GetFunction(arn)->code.digest;
  Gate gate(folder_ + "/gate");
  std::future<absl::StatusOr<InvokeResult>> result = Start(arn, gate.command());
  const Zip other(MakeZip({{"bootstrap", 0100755, "another program"}}));
  ASSERT_TRUE(lambda_->PutFunction(config, other).ok());
  ASSERT_TRUE(lambda_->RemoveUnusedCode().ok());
  EXPECT_EQ(trees(), (std::set<std::string>{old, other.digest()}));
  gate.Open();
  ASSERT_TRUE(result.get().ok());
  ASSERT_TRUE(lambda_->RemoveUnusedCode().ok());
  EXPECT_EQ(trees(), std::set<std::string>{other.digest()});
}

TEST_F(Execution, WritesTheLinesThatLambdaWrites) {
  const std::string arn = Put(TestFunction());
  const absl::StatusOr<InvokeResult> result = Invoke(arn, "log:hello");
  ASSERT_TRUE(result.ok());
  const std::vector<std::string> lines = LogOf("subject");
  ASSERT_EQ(lines.size(), 5);
  EXPECT_EQ(lines[0], absl::StrCat("START RequestId: ", result->request_id,
                                   " Version: $LATEST"));
  EXPECT_EQ(lines[1], "hello");
  EXPECT_EQ(lines[2], "to standard error, without an end");
  EXPECT_EQ(lines[3], absl::StrCat("END RequestId: ", result->request_id));
  EXPECT_TRUE(absl::StartsWith(
      lines[4],
      absl::StrCat("REPORT RequestId: ", result->request_id, "\tDuration: ")));
  EXPECT_TRUE(absl::StrContains(lines[4], " ms\tMemory Size: 128 MB\tMax "));
  EXPECT_TRUE(absl::StrContains(lines[4], "Init Duration: "));
  EXPECT_EQ(result->log_tail,
            absl::StrCat(lines[0], "\n", lines[1], "\n", lines[2], "\n",
                         absl::StrCat(lines[3], "\n", lines[4], "\n")));
}

TEST_F(Execution, WritesJsonLinesWhereTheFunctionAsksForThem) {
  FunctionConfig config = TestFunction();
  config.logging.format = LoggingConfig::Format::kJson;
  ASSERT_TRUE(Invoke(Put(config), "hello").ok());
  const std::vector<std::string> lines = LogOf("subject");
  ASSERT_EQ(lines.size(), 2);
  EXPECT_TRUE(absl::StartsWith(
      lines[0],
      R"({"time":"2025-12-02T10:23:00.000Z","type":"platform.start",)"))
      << lines[0];
  EXPECT_TRUE(absl::StrContains(lines[1], R"("status":"success")"));
}

TEST_F(Execution, KeepsTheLogOverARestart) {
  ASSERT_TRUE(Invoke(Put(TestFunction()), "log:before").ok());
  Reopen();
  EXPECT_TRUE(Logged("subject", "before"));
}

}  // namespace
}  // namespace byoshin::local::lambda

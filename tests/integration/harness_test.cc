// What the other tests rely on but cannot show: that the harness notices when
// something is wrong.

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/process.h"
#include "tests/integration/runtime_api.h"

namespace byoshin::integration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

std::unique_ptr<Process> RunShell(const std::string& script) {
  absl::StatusOr<std::unique_ptr<Process>> process =
      Process::Start({.argv = {"/bin/sh", "-c", script},
                      .environment = {{"GREETING", "hello"}}});
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

TEST(Process, ReadsOutputUpToItsEnd) {
  std::unique_ptr<Process> process =
      RunShell("echo $GREETING; printf 'no end' >&2; exit 3");
  EXPECT_EQ(*process->AwaitLine("hel"), "hello");
  EXPECT_EQ(*process->AwaitExit(), "exit status 3");
  EXPECT_THAT(process->lines(), ElementsAre("hello", "no end"));
}

TEST(Process, StopsWaitingForALineWhenTheOutputEnds) {
  std::unique_ptr<Process> process = RunShell("echo something else");
  EXPECT_THAT(std::string(process->AwaitLine("ready").status().message()),
              HasSubstr("something else"));
}

TEST(Process, EndsWithItsInputOrWhenKilled) {
  std::unique_ptr<Process> process = RunShell("cat; echo over");
  EXPECT_TRUE(process->running());
  process->CloseInput();
  EXPECT_EQ(*process->AwaitLine("over"), "over");

  process = RunShell("exec cat");
  process->Kill();
  EXPECT_EQ(*process->AwaitExit(), "signal 9");
  EXPECT_FALSE(process->running());
}

TEST(Process, SaysWhatCouldNotBeStarted) {
  EXPECT_THAT(
      std::string(
          Process::Start({.argv = {"/no/such/program"}}).status().message()),
      HasSubstr("/no/such/program"));
}

class RuntimeApiTest : public testing::Test {
 protected:
  void SetUp() override {
    absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start();
    ASSERT_TRUE(api.ok()) << api.status();
    api_ = *std::move(api);
  }

  absl::StatusOr<http::Response> Send(const std::string& method,
                                      absl::string_view path) {
    http::Request request;
    request.method = method;
    request.url =
        absl::StrCat("http://", api_->address(), "/2018-06-01/runtime/", path);
    if (method == "POST") request.body = "{}";
    return client_.Send(request);
  }

  std::unique_ptr<RuntimeApi> api_;
  http::CurlClient client_{/*ca_file=*/""};
};

TEST_F(RuntimeApiTest, HandsOutAnEventAndTakesItsAnswer) {
  const std::string id = api_->Submit({.payload = "event"});
  absl::StatusOr<http::Response> next = Send("GET", "invocation/next");
  ASSERT_TRUE(next.ok()) << next.status();
  EXPECT_EQ(next->body, "event");
  EXPECT_EQ(next->FindHeader("lambda-runtime-aws-request-id"), id);

  EXPECT_EQ(Send("POST", absl::StrCat("invocation/", id, "/response"))->status,
            202);
  absl::StatusOr<RuntimeApi::Outcome> outcome = api_->Await(id);
  ASSERT_TRUE(outcome.ok()) << outcome.status();
  EXPECT_EQ(outcome->payload, "{}");
  EXPECT_THAT(api_->violations(), IsEmpty());
}

TEST_F(RuntimeApiTest, RefusesAnswersToWhatWasNotAsked) {
  EXPECT_EQ(Send("POST", "invocation/unknown/response")->status, 400);
  const std::string id = api_->Submit({.payload = "event"});
  ASSERT_TRUE(Send("GET", "invocation/next").ok());
  EXPECT_EQ(Send("POST", absl::StrCat("invocation/", id, "/error"))->status,
            202);
  EXPECT_EQ(Send("POST", absl::StrCat("invocation/", id, "/error"))->status,
            400);
  EXPECT_EQ(Send("GET", "invocation/previous")->status, 404);
  EXPECT_THAT(api_->violations(), SizeIs(3));
}

TEST_F(RuntimeApiTest, NoticesAnEventThatWasDropped) {
  api_->Submit({.payload = "first"});
  api_->Submit({.payload = "second"});
  ASSERT_TRUE(Send("GET", "invocation/next").ok());
  ASSERT_TRUE(Send("GET", "invocation/next").ok());
  EXPECT_THAT(api_->violations(), SizeIs(1));
}

TEST(LambdaProcess, ReportsAProcessThatEndsInsteadOfAnswering) {
  absl::StatusOr<std::unique_ptr<LambdaProcess>> process =
      LambdaProcess::Start({.argv = {"/bin/sh", "-c", "exit 7"}});
  ASSERT_TRUE(process.ok()) << process.status();
  EXPECT_THAT(
      std::string((*process)->Invoke({.payload = "{}"}).status().message()),
      HasSubstr("exit status 7"));
}

}  // namespace
}  // namespace byoshin::integration

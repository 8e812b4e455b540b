// What the other tests rely on but cannot show: that the harness notices when
// something is wrong.

#include <memory>
#include <string>

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
#include "tests/integration/unzip.h"

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

// A zip with one stored file, "a", of one byte, "x".
const std::string& SmallZip() {
  static const auto& zip = *new std::string(
      "PK\3\4\x14\0\0\0\0\0\0\0\x21\x28\x83\x16\xdc\x8c\1\0\0\0\1\0\0\0\1\0\0\0"
      "ax"
      "PK\1\2\x14\3\x14\0\0\0\0\0\0\0\x21\x28\x83\x16\xdc\x8c\1\0\0\0\1\0\0\0"
      "\1\0\0\0\0\0\0\0\0\0\0\0\xed\x81\0\0\0\0a"
      "PK\5\6\0\0\0\0\1\0\1\0\x2f\0\0\0\x20\0\0\0\0\0",
      32 + 47 + 22);
  return zip;
}

TEST(Unzip, ReadsNameModeAndContent) {
  absl::StatusOr<std::vector<ZipEntry>> entries = Unzip(SmallZip());
  ASSERT_TRUE(entries.ok()) << entries.status();
  ASSERT_THAT(*entries, SizeIs(1));
  EXPECT_EQ(entries->front().name, "a");
  EXPECT_EQ(entries->front().mode, 0100755);
  EXPECT_EQ(entries->front().content, "x");
}

TEST(Unzip, RefusesDamagedArchives) {
  EXPECT_FALSE(Unzip("").ok());
  EXPECT_FALSE(Unzip("PK").ok());
  EXPECT_FALSE(Unzip(SmallZip().substr(1)).ok());
  std::string damaged = SmallZip();
  damaged[31] = 'y';
  EXPECT_THAT(std::string(Unzip(damaged).status().message()),
              HasSubstr("checksum"));
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

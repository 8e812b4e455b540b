#include "local/stack/outcomes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "local/lambda/function.h"
#include "local/logs/logs.h"

namespace byoshin::local::stack {
namespace {

using Outcome = lambda::InvocationReport::Outcome;

const absl::Time kTime = absl::FromUnixSeconds(1'764'670'980);

class OutcomeReaderTest : public testing::Test {
 protected:
  void Log(const std::string& text, const std::string& stream = "stream") {
    reader_.AddLine("f", {.time = kTime, .stream = stream, .text = text});
  }
  void Report(const std::string& request_id,
              Outcome outcome = Outcome::kSuccess,
              const std::string& error_type = "",
              const std::string& error_message = "") {
    lambda::InvocationReport report;
    report.function_name = "f";
    report.request_id = request_id;
    report.started = kTime - absl::Seconds(10);
    report.outcome = outcome;
    report.error_type = error_type;
    report.error_message = error_message;
    reader_.AddReport(kTime, report);
  }
  static std::string Error(const std::string& request_id,
                           const std::string& rest) {
    return absl::StrCat(R"({"timestamp":"2025-12-02T10:23:00Z",)"
                        R"("level":"ERROR","requestId":")",
                        request_id, "\"", rest, "}");
  }

  std::vector<std::string> failures_;
  absl::Time started_;
  OutcomeReader reader_{[this](const FunctionOutcome& outcome) {
    EXPECT_EQ(outcome.function, "f");
    EXPECT_EQ(outcome.time, kTime);
    started_ = outcome.started;
    failures_.push_back(outcome.failure);
  }};
};

TEST_F(OutcomeReaderTest, TakesTheReasonOfFailedMessagesFromTheLog) {
  Log(Error("1", R"(,"message":"record failed","error":"refused")"));
  Log(Error("1", R"(,"message":"record failed","error":"a later one")"));
  Log(Error("2", R"(,"message":"without details")"));
  EXPECT_TRUE(failures_.empty());
  Report("1");
  Report("2");
  Report("1");
  EXPECT_EQ(failures_,
            (std::vector<std::string>{"refused", "without details", ""}));
}

TEST_F(OutcomeReaderTest, DoesNotTakeOtherLinesForErrors) {
  for (const char* line :
       {"", "ERROR", R"({"level":"ERROR")", R"(["ERROR"])",
        R"({"level":"INFO","requestId":"1","message":"\"ERROR\""})",
        R"({"level":"WARNING","requestId":"1","was":"ERROR"})",
        R"({"level":"ERROR","message":"of no request"})",
        R"({"level":"ERROR","requestId":5,"message":"5"})"}) {
    Log(line);
  }
  Report("1");
  EXPECT_EQ(failures_, std::vector<std::string>{""});
}

TEST_F(OutcomeReaderTest, TakesTheReasonOfAFailedInvocationFromItsResult) {
  Log(Error("1", R"(,"error":"in the log")"));
  Report("1", Outcome::kError, "", "12 of 12 messages were not sent");
  Report("2", Outcome::kTimeout, "Sandbox.Timedout", "Task timed out");
  Report("3", Outcome::kCrash, "Runtime.ExitError");
  Report("4", Outcome::kError);
  EXPECT_EQ(started_, kTime - absl::Seconds(10));
  EXPECT_EQ(
      failures_,
      (std::vector<std::string>{
          "12 of 12 messages were not sent", "Sandbox.Timedout: Task timed out",
          "Runtime.ExitError", "it has failed without a message"}));
}

TEST_F(OutcomeReaderTest, SaysWhetherAFunctionCouldNotStart) {
  std::vector<bool> could_not_start;
  OutcomeReader reader([&](const FunctionOutcome& outcome) {
    could_not_start.push_back(outcome.could_not_start);
  });
  lambda::InvocationReport report;
  report.outcome = Outcome::kCrash;
  reader.AddReport(kTime, report);
  report.reached_function = false;
  reader.AddReport(kTime, report);
  EXPECT_EQ(could_not_start, (std::vector<bool>{false, true}));
}

TEST_F(OutcomeReaderTest, TakesWhatThePlatformSaysAboutAFunction) {
  Log("EVENT SOURCE arn: could not receive", "event-source/1234");
  Log("ASYNC RequestId: 1 lost", "asynchronous-invocations");
  EXPECT_EQ(failures_,
            (std::vector<std::string>{"EVENT SOURCE arn: could not receive",
                                      "ASYNC RequestId: 1 lost"}));
}

}  // namespace
}  // namespace byoshin::local::stack

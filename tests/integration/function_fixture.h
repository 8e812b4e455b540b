// What the tests of the functions share.
//
//   class SenderTest : public FunctionTest {
//    protected:
//     void SetUp() override { StartFunction("sender", {{"QUEUE_URL", "..."}});
//     }
//   };
//
//   TEST_F(SenderTest, AnswersAnEvent) {
//     EXPECT_EQ(Respond("{...}"), "{...}");
//   }
#ifndef BYOSHIN_TESTS_INTEGRATION_FUNCTION_FIXTURE_H_
#define BYOSHIN_TESTS_INTEGRATION_FUNCTION_FIXTURE_H_

#include <json/json.h>

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"

namespace byoshin::integration {

// Of an invocation: long enough for every attempt that is not held up, though a
// function may keep a second of it for itself, and short enough for those that
// are.
inline constexpr absl::Duration kShortTimeLimit = absl::Milliseconds(1600);

struct FunctionError {
  std::string type;
  std::string message;
};

// A process of one function. Checks at the end of each test that the process is
// alive, and that it did nothing that the Runtime API does not allow.
class FunctionTest : public testing::Test {
 protected:
  using Variables = std::map<std::string, std::string>;

  // Starts a process of the function in lambdas/`name`.zip with these variables
  // besides those of Lambda.
  static std::unique_ptr<LambdaProcess> NewProcess(absl::string_view name,
                                                   const Variables& variables);

  // The one that the functions below use; ends the one before.
  void StartFunction(absl::string_view name, const Variables& variables);

  // The response to an event; fails the test if it is an error.
  std::string Respond(const std::string& payload,
                      absl::Duration time_limit = absl::Seconds(30));

  // The error that an event leads to; fails the test if it is a response.
  FunctionError Fail(const std::string& payload,
                     absl::Duration time_limit = absl::Seconds(30));

  // What a function reports that cannot work with these variables. It must end
  // by itself then.
  static FunctionError FailToStart(absl::string_view name,
                                   const Variables& variables);

  // The lines that the function has logged so far with this message; fails the
  // test if a line is not a JSON object, or shows a secret.
  std::vector<Json::Value> LogLines(absl::string_view message);

  LambdaProcess& function() { return *function_; }

  void TearDown() override;

 private:
  std::unique_ptr<LambdaProcess> function_;
};

// The text as JSON; null, and a failed test, if it is not.
Json::Value ParseJson(absl::string_view text);

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_FUNCTION_FIXTURE_H_

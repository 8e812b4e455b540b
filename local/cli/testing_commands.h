// For tests of commands: they talk to a cloud whose answers the test gives.
//
//   class StatusTest : public CommandTest {};
//
//   TEST_F(StatusTest, Prints) {
//     Answer(R"({"now": 5})");
//     EXPECT_EQ(Run({StatusCommand({})}, {"status"}), 0);
//     EXPECT_EQ(terminal_.printed, "...");
//   }
#ifndef BYOSHIN_LOCAL_CLI_TESTING_COMMANDS_H_
#define BYOSHIN_LOCAL_CLI_TESTING_COMMANDS_H_

#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/testing/fake_client.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cli/command.h"
#include "local/cli/testing_terminal.h"

namespace byoshin::local::cli {

class CommandTest : public ::testing::Test {
 protected:
  int Run(const std::vector<Command>& commands,
          const std::vector<std::string>& words) {
    CommandContext context{.http_client = http_,
                           .terminal = terminal_,
                           .clock = clock_,
                           .environment = environment_,
                           .read_input = [] { return "input"; }};
    return RunCommand(commands, words, context);
  }
  // What the next request is answered.
  void Answer(const std::string& body) {
    http_.Answer({.status = 200, .body = body});
  }
  // Of the request with this number, from 0 on.
  std::string Url(int i) { return http_.requests().at(i).url; }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  env::Environment environment_ = env::FromMap({});
  http::testing::FakeClient http_;
  TestingTerminal terminal_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_TESTING_COMMANDS_H_

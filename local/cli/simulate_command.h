// `byoshin simulate`: hours or days of the scheduler in as much time as their
// work takes, with or without faults, and a report of what is missing.
#ifndef BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

Command SimulateCommand();

// How often what fails, from 0 to 1.
struct Faults {
  double api = 0;    // the polled API answers 500
  double sqs = 0;    // SQS and DynamoDB answer 503
  double crash = 0;  // a function's process is killed in the middle

  friend bool operator==(const Faults&, const Faults&) = default;
};

// "api:0.3,sqs:0.05,crash:0.01". InvalidArgument says what is wrong.
absl::StatusOr<Faults> ParseFaults(absl::string_view text);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

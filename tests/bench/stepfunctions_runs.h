// Executions of state machines under measurement: by the interpreter alone, in
// this process, and by Step Functions over HTTP.
//
//   absl::StatusOr<ExecutionsResult> result =
//       RunInterpreter(machine, 32, duration);
#ifndef BYOSHIN_TESTS_BENCH_STEPFUNCTIONS_RUNS_H_
#define BYOSHIN_TESTS_BENCH_STEPFUNCTIONS_RUNS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/bench/load.h"
#include "tests/bench/server.h"

namespace byoshin::bench {

struct Machine {
  // Of the state machine, and of its resource in the template.
  std::string name{};
  std::string definition{};  // JSON
  std::string input{};       // JSON
};

struct ExecutionsResult {
  LoadResult load{};
  // Executions per second of CPU time of the process that runs them: what
  // remains comparable on a machine that has other work to do.
  double per_cpu_second = 0;
};

// The definition of the template's state machine.
absl::StatusOr<std::string> ReadDefinition(const std::string& template_path,
                                           const std::string& name);

// Executions one after the other, as many at a time as there are starters, on
// one thread, without a log. Tasks succeed at once. Each begins with the text
// of its input and ends with the text of its output. The first fifth of the
// time is not counted.
absl::StatusOr<ExecutionsResult> RunInterpreter(const Machine& machine,
                                                int starters,
                                                absl::Duration duration);

// The same with the server's state machine of that name: StartExecution, and
// DescribeExecution until the execution has ended.
absl::StatusOr<ExecutionsResult> RunExecutions(const Server& server,
                                               const Machine& machine,
                                               int starters,
                                               absl::Duration duration);

// Starts `count` executions, one request after the other.
absl::Status StartExecutions(const Server& server, const Machine& machine,
                             int count);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_STEPFUNCTIONS_RUNS_H_

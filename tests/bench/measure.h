// Measures a function under the Runtime API.
//
//   absl::StatusOr<ColdStart> cold = MeasureColdStart(function);
//   absl::StatusOr<WarmRun> warm = MeasureWarmRun(function, absl::Seconds(3));
#ifndef BYOSHIN_TESTS_BENCH_MEASURE_H_
#define BYOSHIN_TESTS_BENCH_MEASURE_H_

#include <functional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "tests/integration/lambda_process.h"

namespace byoshin::bench {

struct Function {
  integration::LambdaProcess::Options process;
  // The payload of the n-th event.
  std::function<std::string(int n)> event;
  // What the function answers when it has done its job.
  std::function<bool(const std::string& response)> is_done;
};

// As the kernel counts it, in KiB (VmRSS, VmHWM in proc(5)).
struct Memory {
  double resident = 0;
  double peak = 0;
};

struct ColdStart {
  // From just before the process is made to when its response to an event that
  // was waiting for it has arrived.
  absl::Duration first_response;
  Memory memory;
};

struct WarmRun {
  double invocations_per_second = 0;
  Memory memory;
};

// Errors if the function fails, or answers anything but that it is done.
absl::StatusOr<ColdStart> MeasureColdStart(const Function& function);

// Invokes one process again and again, one event at a time, first for half as
// long without counting.
absl::StatusOr<WarmRun> MeasureWarmRun(const Function& function,
                                       absl::Duration duration);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_MEASURE_H_

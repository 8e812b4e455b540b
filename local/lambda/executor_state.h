// The executor's state of functions, their environments and current
// invocations. For the executor's own files.
#ifndef BYOSHIN_LOCAL_LAMBDA_EXECUTOR_STATE_H_
#define BYOSHIN_LOCAL_LAMBDA_EXECUTOR_STATE_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/time/real_timer.h"
#include "local/gateway/caller_waits.h"
#include "local/lambda/environment.h"
#include "local/lambda/environment_log.h"
#include "local/lambda/executor.h"
#include "local/lambda/function.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

inline absl::Duration TimeSince(std::chrono::steady_clock::time_point start) {
  return absl::FromChrono(std::chrono::steady_clock::now() - start);
}

struct Executor::Invocation {
  InvokeRequest request;
  InvokeDone done;
  // Holds simulated time until the answer, except while the function waits for
  // an answer that takes time.
  std::shared_ptr<CallerWork> work;
  // `work` as that of the environment that it was delivered to last.
  std::unique_ptr<CallerWaits::Run> run{};
  absl::Time started{};    // on the cloud's clock
  SteadyTime delivered{};  // when the function got it
  bool recorded = false;   // `result` is there
  InvokeResult result{};
};

struct Executor::Slot {
  enum class State {
    kStarting,   // has not asked for an invocation yet
    kIdle,       // waits for one
    kBusy,       // has one
    kReturning,  // has responded, and not asked again yet
    kDying,      // was killed
  };
  SlotId id = 0;
  std::string function_arn{};
  // A copy: the function may change meanwhile.
  FunctionConfig config{};
  std::string access_key_id{};  // of its credentials
  // The function's when this was started.
  std::uint64_t incarnation = 0;
  std::uint64_t generation = 0;
  State state = State::kStarting;
  SteadyTime begun{};
  std::optional<absl::Duration> init_duration{};  // until it is reported
  std::size_t max_memory_bytes = 0;
  std::unique_ptr<Invocation> invocation{};
  time::RealTimer::Id timeout = 0;
  time::RealTimer::Id grace = 0;
  time::RealTimer::Id memory_check = 0;
  WorkLoop::TimerId idle_timer = 0;
  std::string log_stream{};
  std::unique_ptr<EnvironmentLog> log{};
  // Writes to the log. Null if it could not be started.
  std::unique_ptr<Environment> environment{};

  bool HasTooMuchMemory() const {
    return max_memory_bytes > static_cast<std::size_t>(config.memory_mb) << 20;
  }
};

struct Executor::Function {
  FunctionConfig config{};
  std::uint64_t incarnation = 0;  // changes when it is removed and added again
  std::uint64_t generation = 0;   // changes with its configuration, too
  int running = 0;
  // The one used last is last and is used next, so that surplus environments
  // become idle.
  std::vector<SlotId> idle{};
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_EXECUTOR_STATE_H_

// Runs functions: reuses warm execution environments, starts more for
// concurrent invocations, up to the limit, and replaces those that hang, crash
// or use too much memory.
//
//   // On the thread of `loop`, as everything here:
//   executor.PutFunction(config);
//   executor.Invoke(config.arn, {.payload = "{}"},
//                   [](absl::StatusOr<InvokeResult> result) { ... });
//
// Time: a function is a process and runs in real time. Its timeout, its
// deadline and the durations in its log are real, on every clock. An execution
// holds a simulated clock: log lines and retries have simulated times, which
// advance when the function has answered, or while a service that it has called
// waits for them.
#ifndef BYOSHIN_LOCAL_LAMBDA_EXECUTOR_H_
#define BYOSHIN_LOCAL_LAMBDA_EXECUTOR_H_

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/time/clock.h"
#include "core/time/real_timer.h"
#include "local/gateway/caller_waits.h"
#include "local/lambda/environment.h"
#include "local/lambda/function.h"
#include "local/lambda/report.h"
#include "local/lambda/start_failures.h"
#include "local/logs/logs.h"
#include "local/store/loop_gate.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// An environment that is idle for this long is stopped.
inline constexpr absl::Duration kIdleTimeout = absl::Minutes(10);
// How long a function may take before it asks for its first invocation.
inline constexpr absl::Duration kInitTimeout = absl::Seconds(10);
// After a response, a function asks for the next invocation. The caller gets
// the response only then, so that its next call finds the environment waiting,
// but after this time at the latest.
inline constexpr absl::Duration kReturnGrace = absl::Milliseconds(100);
// How often the memory of a running function is measured.
inline constexpr absl::Duration kMemoryCheckInterval = absl::Milliseconds(50);

// Not thread-safe: belongs to the loop's thread, except for the constructor and
// the destructor, which run while the loop does not.
class Executor {
 public:
  struct Options {
    // The maximum of concurrent executions of all functions.
    int max_concurrency = 100;
    // Returns the credentials of a role. Never null.
    std::function<absl::StatusOr<aws::Credentials>(const std::string& role)>
        credentials;
    // Called with the access key when its environment has ended. May be null.
    std::function<void(const std::string& access_key_id)> on_credentials_end =
        nullptr;
    // Returns the URL of the cloud for functions. Never null.
    std::function<std::string()> endpoint_url;
    // Called after each execution. May be null.
    std::function<void(const InvocationReport&)> on_report = nullptr;
    // Called for each execution; if true, its process is killed in the middle.
    // For simulated faults. May be null.
    std::function<bool()> crash = nullptr;
    // Called once with the reason why a function can't start, and again if the
    // reason changes or the function started in between. May be null.
    std::function<void(const std::string& text)> on_note = nullptr;
    // Told of executions, which don't hold simulated time while their own
    // requests wait. May be null.
    std::shared_ptr<CallerWaits> waits = nullptr;
    // Called when a function is no longer at its limit. May be null.
    std::function<void()> on_capacity = nullptr;
  };

  // All must outlive the executor.
  struct World {
    WorkLoop& loop;
    // Leads to `loop`, for timers: those that are about to expire can't be
    // cancelled, and may expire after both are destroyed.
    std::shared_ptr<LoopGate> gate;
    time::Clock& clock;
    time::RealTimer& timer;
    logs::Logs& logs;
  };

  Executor(World world, Options options);
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  // Kills all environments.
  ~Executor();

  // Adds or replaces the function: running executions finish with the old
  // configuration, idle environments are stopped.
  void PutFunction(FunctionConfig config);
  void RemoveFunction(const std::string& arn);
  // Null if there is none. Valid until the function is changed.
  const FunctionConfig* Find(const std::string& arn) const;

  std::vector<FunctionConfig> functions() const;

  // The digests of the code of functions and running environments.
  std::set<std::string> code_digests() const;

  // The number of executions in progress.
  int running() const { return running_; }

  // The number of executions that could start now.
  int FreeCapacity(const std::string& arn) const;

  // Calls `done` once, now or later. Errors: ResourceNotFoundException,
  // TooManyRequestsException.
  void Invoke(const std::string& arn, InvokeRequest request, InvokeDone done);

  // Starts an environment for each function that has none, so that its first
  // invocation does not wait for a process. Lambda does so if it expects an
  // invocation.
  // https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
  void WarmUp();

  // For tests and the dashboard.
  int environments(const std::string& arn) const;

 private:
  struct Invocation;
  struct Slot;  // an environment and what it is doing
  struct Function;
  using SlotId = std::uint64_t;
  using SteadyTime = std::chrono::steady_clock::time_point;

  Slot* FindSlot(SlotId id);
  bool DeliverToIdle(Function& function,
                     std::unique_ptr<Invocation>& invocation);
  // Passes it to an environment that was started without one.
  bool GiveToStarting(const Function& function,
                      std::unique_ptr<Invocation>& invocation);
  // If there is no invocation, the environment waits for one.
  void StartSlot(Function& function, std::unique_ptr<Invocation> invocation);
  void LimitInit(Slot& slot);
  absl::StatusOr<std::unique_ptr<Environment>> StartEnvironment(Slot& slot);
  // The environment ended before it asked for an invocation: writes the reason
  // into its log and notifies the user.
  void HandleFailedInit(Slot& slot, const PlatformError& error);
  void HandleInitError(Slot& slot, std::string payload);
  void Remove(SlotId id);
  void Deliver(Slot& slot);
  void MakeIdle(Slot& slot);

  void HandleNext(SlotId id);
  void HandleResult(SlotId id, RuntimeApi::Result result);
  void HandleExit(SlotId id, const process::ExitStatus& exit);
  void HandleTimeout(SlotId id, const std::string& request_id);
  void CheckMemory(SlotId id, const std::string& request_id);
  void WatchMemory(Slot& slot);

  // Ends the slot's invocation with a platform error, and its process.
  void FailAndKill(Slot& slot, const PlatformError& error,
                   InvocationReport::Outcome outcome);
  // Records the outcome of the slot's invocation, for Answer().
  void Record(Slot& slot, std::string payload,
              InvocationReport::Outcome outcome, const PlatformError& error);
  void RecordError(Slot& slot, const PlatformError& error,
                   InvocationReport::Outcome outcome);
  // Logs, reports and answers the caller, which may invoke again immediately: a
  // slot that must not get that invocation is kDying before. The environment
  // may or may not be waiting for the next invocation.
  enum class Then { kIdle, kNothing };
  void Answer(Slot& slot, Then then);
  void Kill(Slot& slot);
  void CancelTimers(Slot& slot);
  void After(absl::Duration duration, time::RealTimer::Id& timer,
             std::function<void()> work);

  const World world_;
  const Options options_;
  std::map<std::string, std::unique_ptr<Function>> functions_;  // by ARN
  std::map<SlotId, std::unique_ptr<Slot>> slots_;
  SlotId last_slot_ = 0;
  std::uint64_t last_generation_ = 0;
  int running_ = 0;
  StartFailures start_failures_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_EXECUTOR_H_

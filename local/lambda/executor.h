// Runs functions: keeps their environments, warm ones first, starts more under
// concurrency, up to the limit, and replaces those that hang, crash or take too
// much memory.
//
//   // On the thread of `loop`, as everything here:
//   executor.PutFunction(config);
//   executor.Invoke(config.arn, {.payload = "{}"},
//                   [](absl::StatusOr<InvokeResult> result) { ... });
//
// Time. A function is a process and runs in real time: its time-out, the
// deadline that it is told and the durations in its log are real, on every
// clock. On the simulated clock an execution holds time, and so takes none of
// it: log lines and retries are on the simulated clock, and the day goes on
// when the function has answered.
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
#include "local/lambda/environment.h"
#include "local/lambda/function.h"
#include "local/lambda/report.h"
#include "local/lambda/start_failures.h"
#include "local/logs/logs.h"
#include "local/store/loop_gate.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// An environment that was not used for this long is stopped.
inline constexpr absl::Duration kIdleTimeout = absl::Minutes(10);
// How long a function may take before it asks for its first invocation.
inline constexpr absl::Duration kInitTimeout = absl::Seconds(10);
// Who has responded is about to ask for the next invocation; callers hear of
// the response when it has, so that their next call finds it waiting. Not
// longer than this, though.
inline constexpr absl::Duration kReturnGrace = absl::Milliseconds(100);
// How often the memory of a function that runs is looked at.
inline constexpr absl::Duration kMemoryCheckInterval = absl::Milliseconds(50);

// Not thread-safe: belongs to the loop's thread, but for the constructor and
// the destructor, which run while the loop does not.
class Executor {
 public:
  struct Options {
    // Executions at a time, of all functions.
    int max_concurrency = 100;
    // Those of a role. Never null.
    std::function<absl::StatusOr<aws::Credentials>(const std::string& role)>
        credentials;
    // Called with the access key when the environment that got it has ended.
    // May be null.
    std::function<void(const std::string& access_key_id)> on_credentials_end =
        nullptr;
    // Where functions reach the cloud. Never null.
    std::function<std::string()> endpoint_url;
    // Called after each execution. May be null.
    std::function<void(const InvocationReport&)> on_report = nullptr;
    // Asked at each execution whether its process is to be killed in the
    // middle: for tests of what happens then. May be null.
    std::function<bool()> crash = nullptr;
    // Told once why a function cannot start, and again if the reason changes
    // or if it had started meanwhile. May be null.
    std::function<void(const std::string& text)> on_note = nullptr;
    // Called when a function that was at its limit is not any more. May be
    // null.
    std::function<void()> on_capacity = nullptr;
  };

  // All outlive the executor.
  struct World {
    WorkLoop& loop;
    // To `loop`, for timers: those that are about to expire can't be stopped,
    // and may do so when both are gone.
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

  // Adds the function, or replaces it: what runs ends as it began, what is
  // idle is stopped.
  void PutFunction(FunctionConfig config);
  void RemoveFunction(const std::string& arn);
  // Null if there is none. Valid until the function is changed.
  const FunctionConfig* Find(const std::string& arn) const;

  std::vector<FunctionConfig> functions() const;

  // Of the code that functions have, and that environments still run.
  std::set<std::string> code_digests() const;

  // Executions under way.
  int running() const { return running_; }

  // Executions that could begin now.
  int FreeCapacity(const std::string& arn) const;

  // Calls `done` once, now or later. Errors: ResourceNotFoundException,
  // TooManyRequestsException.
  void Invoke(const std::string& arn, InvokeRequest request, InvokeDone done);

  // Starts an environment for each function that has none, so that its first
  // invocation does not wait for a process, as Lambda does where it expects
  // one.
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
  // Hands it to an environment that was started without one.
  bool GiveToStarting(const Function& function,
                      std::unique_ptr<Invocation>& invocation);
  // Without an invocation, the environment waits for one.
  void StartSlot(Function& function, std::unique_ptr<Invocation> invocation);
  void LimitInit(Slot& slot);
  absl::StatusOr<std::unique_ptr<Environment>> StartEnvironment(Slot& slot);
  // The environment has not come so far as to ask for an invocation: writes
  // into its log why, and tells people.
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

  // Ends the slot's invocation with an error of the platform's, and the
  // process.
  void FailAndKill(Slot& slot, const PlatformError& error,
                   InvocationReport::Outcome outcome);
  // Records what came of the slot's invocation, for Answer().
  void Record(Slot& slot, std::string payload,
              InvocationReport::Outcome outcome, const PlatformError& error);
  void RecordError(Slot& slot, const PlatformError& error,
                   InvocationReport::Outcome outcome);
  // Logs, reports and tells the caller, who may invoke again at once: a slot
  // that is not to be given that is kDying before. The environment waits for
  // more, or not yet.
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

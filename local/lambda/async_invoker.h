// Asynchronous invocations: stored, so that a crash loses none, executed,
// retried if they fail, and finally sent to the on-failure queue.
//
//   // On the executor's thread, as everything here:
//   invoker.Accept(arn, std::move(request));   // durable with the commit
//
// https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
#ifndef BYOSHIN_LOCAL_LAMBDA_ASYNC_INVOKER_H_
#define BYOSHIN_LOCAL_LAMBDA_ASYNC_INVOKER_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/lambda/executor.h"
#include "local/lambda/function.h"
#include "local/logs/logs.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// The delays before the second and the third attempt.
inline constexpr absl::Duration kFirstRetryPause = absl::Minutes(1);
inline constexpr absl::Duration kSecondRetryPause = absl::Minutes(2);
// The delay if the function is throttled: doubled each time, up to the maximum.
inline constexpr absl::Duration kFirstThrottlePause = absl::Seconds(1);
inline constexpr absl::Duration kLongestThrottlePause = absl::Minutes(5);

// Not thread-safe: belongs to the loop's thread, except for the constructor.
class AsyncInvoker {
 public:
  // All must outlive the invoker.
  struct World {
    Store& store;
    WorkLoop& loop;
    // Leads to `loop`, for answers of queues.
    std::shared_ptr<LoopGate> gate;
    time::Clock& clock;
    Executor& executor;
    queues::QueueSink& queues;
    logs::Logs& logs;
  };

  explicit AsyncInvoker(World world) : world_(std::move(world)) {}

  // Loads the invocations from the store, at the start and after a rollback.
  absl::Status Load();

  // Nothing is executed or given up before this is called: an event that is
  // overdue at the start needs its function and the function's configuration.
  void Begin();

  void SetConfig(const std::string& arn, EventInvokeConfig config);
  void RemoveConfig(const std::string& arn);
  EventInvokeConfig ConfigOf(const std::string& arn) const;
  // None if it was not set.
  std::optional<EventInvokeConfig> FindConfig(const std::string& arn) const;

  // Runs events that waited for the function. Those that are too old wait until
  // its configuration is set, too.
  void FunctionAdded(const std::string& arn);
  // Removes its events, too.
  void FunctionRemoved(const std::string& arn);

  // The function must exist. Returns the request id.
  std::string Accept(const std::string& arn, InvokeRequest request);

  // Starts no more executions: waiting events stay in the store.
  void Pause() { paused_ = true; }

  // The number of events that wait or are being executed.
  std::size_t pending() const { return events_.size(); }

 private:
  using EventId = std::uint64_t;

  struct Event {
    std::string arn{};
    InvokeRequest request{};
    absl::Time accepted;
    absl::Time due;
    int failures = 0;   // of the function
    int throttles = 0;  // in a row
    // 0 while it is executed, and before Begin().
    WorkLoop::TimerId timer = 0;
  };

  void Schedule(EventId id);
  // Whether it must not be retried. Never while its function is missing, since
  // the maximum age and the destination are then unknown.
  bool IsTooOld(const Event& event) const;
  void Attempt(EventId id);
  void HandleResult(EventId id, const absl::StatusOr<InvokeResult>& result);
  void Retry(EventId id, absl::Duration pause);
  void GiveUp(EventId id, absl::string_view condition,
              const InvokeResult* result);
  void Remove(EventId id);
  void Save(EventId id, const Event& event);
  void Log(const std::string& arn, absl::string_view text);

  const World world_;
  std::map<std::string, EventInvokeConfig> configs_;  // by ARN
  std::map<EventId, Event> events_;
  EventId last_event_ = 0;
  bool begun_ = false;
  bool paused_ = false;
  // Timers of an earlier Load() must not change what a later one has loaded.
  std::uint64_t epoch_ = 0;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ASYNC_INVOKER_H_

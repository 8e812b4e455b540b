// AWS Lambda of the local cloud: functions, permissions, synchronous and
// asynchronous invocation, and event source mappings of queues.
//
//   absl::StatusOr<std::unique_ptr<Lambda>> lambda = Lambda::Open(
//       {.store = store, .clock = clock, .queues = queues, .sink = sink},
//       {.folder = "/data/lambda", .credentials = …, .endpoint_url = …});
//   absl::Status put = (*lambda)->PutFunction(config, Zip(bytes));
//   (*lambda)->Begin();   // once all that was deployed is there again
//   (*lambda)->Invoke(arn, {.payload = "{}"},
//                     [](absl::StatusOr<InvokeResult> result) { ... });
//   (*lambda)->InvokeAsync(arn, {.payload = "{}"}, nullptr,
//                          [](absl::StatusOr<std::string> request_id) { ... });
//
// Functions, permissions and mappings are in memory: the deployer puts them
// again at the start of the cloud. Accepted asynchronous invocations are in the
// store.
#ifndef BYOSHIN_LOCAL_LAMBDA_LAMBDA_H_
#define BYOSHIN_LOCAL_LAMBDA_LAMBDA_H_

#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/credentials.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/real_timer.h"
#include "local/lambda/async_invoker.h"
#include "local/lambda/code_store.h"
#include "local/lambda/event_source_mapping.h"
#include "local/lambda/executor.h"
#include "local/lambda/function.h"
#include "local/logs/logs.h"
#include "local/queues/queues.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// The executions of a function since the start.
struct FunctionStatistics {
  std::int64_t invocations = 0;
  std::int64_t errors = 0;  // time-outs and crashes among them
  // Invocations that returned, but failed for some or all of their messages.
  std::int64_t partial_failures = 0;
  std::int64_t throttles = 0;
  std::int64_t timeouts = 0;
  std::int64_t cold_starts = 0;
  int environments = 0;
  // The newest, oldest first.
  std::vector<InvocationReport> recent{};
};

// Thread-safe.
class Lambda {
 public:
  // All must outlive Lambda.
  struct World {
    Store& store;
    time::Clock& clock;
    queues::QueueSource& queues;
    queues::QueueSink& sink;
  };

  struct Options {
    // For code and logs: "<folder>/code", "<folder>/logs".
    std::string folder{};
    std::string account_id = "000000000000";
    int max_concurrency = 100;
    std::function<absl::StatusOr<aws::Credentials>(const std::string& role)>
        credentials{};
    // As Executor's; may be null.
    std::function<void(const std::string& access_key_id)> on_credentials_end{};
    // Called whenever an environment is started.
    std::function<std::string()> endpoint_url{};
    // Whether a role may do `action` on `resource`; null allows everything. For
    // what Lambda does on behalf of a role: receiving from a queue, sending to
    // a destination.
    std::function<absl::Status(const std::string& role,
                               const std::string& action,
                               const std::string& resource)>
        authorize{};
    // As Executor's; may be null.
    std::function<bool()> crash{};
    // Called with messages for the user: functions that can't start, code that
    // was changed. Called on any thread; must not block. May be null.
    std::function<void(const std::string& text)> on_note{};
    // As Executor's; may be null.
    std::shared_ptr<CallerWaits> waits{};
    // For tests; null for real time. Must outlive Lambda.
    time::RealTimer* timer = nullptr;
  };

  static absl::StatusOr<std::unique_ptr<Lambda>> Open(World world,
                                                      Options options);

  Lambda(const Lambda&) = delete;
  Lambda& operator=(const Lambda&) = delete;
  // Kills running functions.
  ~Lambda();

  // "arn:aws:lambda:<region>:<account>:function:<name>"; also from such an ARN,
  // with or without a version, and from "<account>:function:<name>".
  std::string ArnOf(absl::string_view name_or_arn,
                    absl::string_view region) const;

  // These block until they are done. Don't call them from callbacks.

  // Adds or replaces the function; fills in config.code and last_modified.
  absl::Status PutFunction(FunctionConfig config, const Zip& zip);
  void RemoveFunction(const std::string& arn);
  // As Executor's.
  void WarmUp();
  // Starts executing asynchronous invocations and receiving from queues.
  void Begin();
  // For the stop of the cloud: starts nothing more and waits for running
  // executions, at most `limit` in real time. Messages stay in their queues,
  // including those of executions that are still running, and asynchronous
  // invocations in the store, for the next start.
  void Drain(absl::Duration limit);
  // Removes unpacked code that no function or running environment uses. Don't
  // call it while functions are being put.
  absl::Status RemoveUnusedCode();
  std::optional<FunctionConfig> GetFunction(const std::string& arn);
  std::vector<FunctionConfig> ListFunctions();

  void PutPermission(const std::string& arn, Permission permission);
  void RemovePermission(const std::string& arn, const std::string& id);

  absl::Status PutEventInvokeConfig(const std::string& arn,
                                    EventInvokeConfig config);
  void RemoveEventInvokeConfig(const std::string& arn);

  // Adds the mapping, or replaces the one with the same UUID.
  absl::Status PutMapping(MappingConfig config);
  void RemoveMapping(const std::string& uuid);
  std::vector<MappingConfig> ListMappings();

  FunctionStatistics Statistics(const std::string& arn);

  // These do not block. `done` is called on an internal thread and must not
  // block. `caller` is the service that invokes for one of its resources, and
  // is checked against the function's permissions; null for callers whose own
  // policies were checked.
  void Invoke(const std::string& arn, InvokeRequest request,
              const ServicePrincipal* caller, InvokeDone done);
  // `done` gets the request id once the invocation is stored durably.
  void InvokeAsync(const std::string& arn, InvokeRequest request,
                   const ServicePrincipal* caller,
                   std::function<void(absl::StatusOr<std::string>)> done);
  // Whether the function could be invoked: DryRun.
  void CheckInvoke(const std::string& arn,
                   std::function<void(absl::Status)> done);

  // Passes all functions to `done`, as above.
  void Inspect(std::function<void(std::vector<FunctionConfig>,
                                  std::vector<MappingConfig>)>
                   done);

  // The same for one function. ResourceNotFoundException if there is none.
  void InspectFunction(
      const std::string& arn,
      std::function<void(absl::StatusOr<FunctionDetails>)> done);

  logs::Logs& logs() { return logs_; }

  // `subscriber` is called after each execution, on an internal thread. It must
  // not block or subscribe.
  using ReportSubscription = std::uint64_t;
  using ReportSubscriber = std::function<void(const InvocationReport&)>;
  ReportSubscription SubscribeReports(ReportSubscriber subscriber);
  // It is not called afterwards.
  void UnsubscribeReports(ReportSubscription id);

 private:
  Lambda(World world, Options options, CodeStore code);

  absl::Status CheckPermission(const std::string& arn,
                               const ServicePrincipal* caller) const;
  absl::Status Authorize(const FunctionConfig& function,
                         absl::string_view action,
                         const std::string& resource) const;
  absl::Status NotFoundError(const std::string& arn) const;
  void HandleReport(const InvocationReport& report);
  void CountPartialFailure(const std::string& arn);
  void CountThrottle(const std::string& arn);
  // Notifies Drain() once nothing runs.
  void CheckDrained();

  const World world_;
  const Options options_;
  const CodeStore code_;
  logs::Logs logs_;
  WorkLoop loop_;
  const std::shared_ptr<LoopGate> gate_;
  // Null if one was given.
  std::unique_ptr<time::RealTimer> own_timer_;
  std::unique_ptr<Executor> executor_;
  std::unique_ptr<AsyncInvoker> async_;

  // The loop's thread's own.
  std::map<std::string, std::vector<Permission>> permissions_;  // by ARN
  std::map<std::string, std::unique_ptr<EventSourceMapping>> mappings_;
  bool begun_ = false;
  std::shared_ptr<std::promise<void>> drained_;  // null if there is no waiter

  sync::Mutex mutex_;
  std::map<std::string, FunctionStatistics> statistics_ ABSL_GUARDED_BY(mutex_);
  std::map<ReportSubscription, ReportSubscriber> subscribers_
      ABSL_GUARDED_BY(mutex_);
  ReportSubscription last_subscription_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_LAMBDA_H_

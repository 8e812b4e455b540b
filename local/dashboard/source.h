// What the dashboard shows of a cloud, whatever its stacks mean; panel.h has
// what applications add. The page's API (api.md) has the same shape; times and
// durations are the cloud's.
//
//   class CloudSource final : public DashboardSource { ... };
//   CloudSource source(...);
//   Dashboard dashboard(source);  // dashboard.h: HTTP in front of it
#ifndef BYOSHIN_LOCAL_DASHBOARD_SOURCE_H_
#define BYOSHIN_LOCAL_DASHBOARD_SOURCE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::dashboard {

// A deployed stack. In what is below, `stack` is the name of the one that a
// resource is part of; the other names are unique within it.
struct StackStatus {
  std::string name{};
  // The template's; empty if it has none.
  std::string description{};
  // "CREATE_COMPLETE", as CloudFormation says.
  std::string status{};
};

struct QueueStatus {
  std::string stack{};
  // The logical id.
  std::string name{};
  std::int64_t visible = 0;
  std::int64_t delayed = 0;
  std::int64_t in_flight = 0;
  // Receives beyond a message's first, since the cloud started.
  std::int64_t retries = 0;
  // When the oldest message was sent.
  std::optional<absl::Time> oldest{};
  // Empty if it has none.
  std::string dead_letter_queue{};
  // It is there for what has failed: another queue's messages, a function's
  // invocations or a rule's events.
  bool holds_dead_letters = false;
};

struct FunctionStatus {
  std::string stack{};
  // What it is invoked by.
  std::string name{};
  std::int64_t invocations = 0;
  // Time-outs are not among them.
  std::int64_t errors = 0;
  std::int64_t timeouts = 0;
  // Returned, but failed for some or all of their messages; not among the
  // errors.
  std::int64_t partial_failures = 0;
  std::int64_t throttles = 0;
  std::int64_t cold_starts = 0;
  // Execution environments that there are now, at work or waiting for it.
  std::int64_t environments = 0;
  // Of the invocations that are remembered.
  std::optional<Quantiles> duration{};
  // Of cold starts.
  std::optional<Quantiles> init{};
};

// A stage of a REST API.
struct ApiStatus {
  std::string stack{};
  std::string name{};
  // Where clients on this machine reach it.
  std::string url{};
};

struct Status {
  absl::Time now{};
  std::vector<StackStatus> stacks{};
  std::vector<QueueStatus> queues{};
  // In the queues that hold them.
  std::int64_t dead_letters = 0;
  std::vector<FunctionStatus> functions{};
  std::vector<ApiStatus> apis{};
  // Id of the newest log line; 0 if there is none.
  std::int64_t last_log = 0;
};

enum class Outcome { kOk, kError, kTimeout };

struct Invocation {
  absl::Time start{};
  std::string function{};
  std::string request_id{};
  absl::Duration duration{};
  // Of a cold start.
  std::optional<absl::Duration> init{};
  Outcome outcome = Outcome::kOk;
};

struct DeadLetter {
  std::string stack{};
  std::string queue{};
  // The queue it came from; empty if it came from none, so that there is
  // nothing to move it back to.
  std::string source{};
  std::string id{};
  absl::Time sent{};
  std::int64_t receives = 0;
  std::string body{};
};

struct DeadLetters {
  std::int64_t total = 0;
  // Of them, those that came from a queue.
  std::int64_t redrivable = 0;
  std::vector<DeadLetter> messages{};
};

struct LogLine {
  // Ids grow, and begin at 1.
  std::int64_t id = 0;
  absl::Time time{};
  std::string function{};
  std::string text{};
};

struct LogQuery {
  // Only lines above this id, the oldest of them; without it, the newest lines.
  std::optional<std::int64_t> after{};
  int limit = 0;
  // Empty: of all functions.
  std::string function{};
  // Contained in the line, without regard to ASCII case.
  std::string text{};
};

struct LogPage {
  // Oldest first.
  std::vector<LogLine> lines{};
  // For `after`: the last id looked at, whether or not it matched.
  std::int64_t next = 0;
};

// A queue, by the names that the status has for it.
struct QueueName {
  // Empty: the queue must be the only one of its name.
  std::string stack{};
  std::string queue{};
};

// A stack that has been removed.
struct RemovedStack {
  struct Resource {
    std::string logical_id{};
    std::string type{};
    std::string physical_id{};
  };
  std::string name{};
  // Resources that still exist, because the template says so.
  std::vector<Resource> retained{};
};

// Called on the dashboard's thread only, so that an implementation may wait for
// a service's answer.
class DashboardSource {
 public:
  virtual ~DashboardSource() = default;

  // Another one after every change of what is below. Dashboard::Changed() is
  // to be called after it.
  virtual std::uint64_t version() const = 0;

  virtual absl::StatusOr<Status> GetStatus() = 0;

  // In order of time.
  virtual absl::Status VisitSamples(
      const TimeRange& range,
      absl::FunctionRef<void(const QueueSample&)> visit) = 0;

  // The newest that started in `range`, at most `limit`, oldest first.
  virtual absl::StatusOr<std::vector<Invocation>> Invocations(
      const TimeRange& range, int limit) = 0;

  virtual absl::StatusOr<LogPage> Logs(const LogQuery& query) = 0;

  // At most `limit`, those first that came from a queue, and of each queue the
  // oldest. Looking is not receiving.
  virtual absl::StatusOr<DeadLetters> GetDeadLetters(int limit) = 0;

  // Moves messages of a dead-letter queue back to where they came from, all or
  // those with one of `ids`; returns how many. NotFound: there is no such
  // dead-letter queue. InvalidArgument: several stacks have one.
  // FailedPrecondition: they came from no queue.
  virtual absl::StatusOr<std::int64_t> Redrive(
      const QueueName& name,
      const std::optional<std::vector<std::string>>& ids) = 0;

  // Fires a schedule, or all if `rule` is empty; returns their names.
  virtual absl::StatusOr<std::vector<std::string>> Tick(
      absl::string_view rule) = 0;

  // Deletes all messages and log lines; returns how many messages there were.
  virtual absl::StatusOr<std::int64_t> Reset() = 0;

  // Deletes a stack with its resources. NotFound: there is no such stack.
  // Aborted: a resource could not be deleted.
  virtual absl::StatusOr<RemovedStack> Remove(const std::string& stack) = 0;

  // All that a script may want to know of the stacks, as a JSON document: see
  // `stacks` in api.md.
  virtual absl::StatusOr<std::string> DescribeStacks() = 0;
};

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_SOURCE_H_

// The executions of state machines: started, carried on by what happens, kept.
//
// An execution is a log: how it was started, and its inputs
// (execution/input.h). Each input is committed before its effects are carried
// out. After a crash, Load() replays the logs; tasks without a recorded result
// run again.
//
//   AfterCommit Work() {
//     absl::StatusOr<kept::Execution> started = executions.Start(request);
//     return executions.TakeEffects();  // after the commit: tasks, timers
//   }
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTIONS_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/stepfunctions/activities.h"
#include "local/stepfunctions/announcements.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/status_change.h"
#include "local/stepfunctions/tasks.h"
#include "local/store/loop_gate.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::stepfunctions {

// So many executions are kept ready in memory. Of those that wait besides, only
// what they wait for is.
inline constexpr std::size_t kMaxAwake = 1000;
// So many ended executions are kept ready for those who read histories page by
// page.
inline constexpr std::size_t kMaxReplayed = 4;

struct StartRequest {
  StartTarget target{};
  std::string name{};
  // JSON, as it was given, and parsed.
  std::string input_text{};
  Data input{};
  std::string trace_header{};
  // Nobody waits for an EXPRESS execution that a client was cut off from.
  enum class Kept { kYes, kNo } kept = Kept::kYes;
};

// What a task token stands for.
struct TaskAddress {
  std::string execution_arn{};
  TaskId task = 0;
};

// Not thread-safe: belongs to the loop, but for the constructor.
class Executions {
 public:
  // Gets lines for a log group, after the commit. Must not block.
  using LogWriter =
      std::function<void(const std::string& log_group_arn,
                         const std::string& machine_name, std::string line)>;

  // All outlive it.
  struct World {
    Store& store;
    WorkLoop& loop;
    std::shared_ptr<LoopGate> gate;
    time::Clock& clock;
    Catalog& catalog;
    TaskRunner& tasks;
    // May be null.
    LogWriter log;
    // Gets the status changes of STANDARD executions. May be empty.
    StatusChangeSink status_changes{};
  };
  explicit Executions(World world);
  ~Executions();
  Executions(const Executions&) = delete;
  Executions& operator=(const Executions&) = delete;

  // Resumes what runs, also after a rollback. Tasks wait for Begin().
  absl::Status Load();
  // All that tasks need is there.
  void Begin();

  // Removes revisions that nothing refers to. For the start.
  void RemoveUnusedRevisions();

  // What is to be done after the commit of what was changed since the last
  // call; `then` is done first.
  AfterCommit TakeEffects(AfterCommit then = nullptr);

  absl::StatusOr<kept::Execution> Start(StartRequest request);
  // ExecutionDoesNotExist, InvalidArn.
  absl::StatusOr<kept::Execution> Find(const std::string& arn);
  // The same without a check of the ARN.
  absl::StatusOr<std::optional<kept::Execution>> FindKept(
      const std::string& arn);
  // Of one that runs, or of a replayed one. Valid until the next call.
  absl::StatusOr<const Execution*> Open(const std::string& arn);
  // Those of the machine, the newest first, from the one behind `after` on,
  // until `visit` returns false. `after` is a key that `visit` was given, or
  // empty.
  absl::Status List(
      const std::string& machine_arn, const std::string& after,
      absl::FunctionRef<bool(const std::string& key, const kept::Execution&)>
          visit);

  // False if it does not run any more.
  bool Stop(const std::string& arn, std::optional<std::string> error,
            std::optional<std::string> cause);
  // Of a machine that is deleted.
  void StopAllOf(const std::string& machine_arn);
  // ExecutionNotRedrivable.
  absl::Status Redrive(const kept::Execution& execution);
  // Of one that runs; an input that does not fit has no effect.
  void Apply(const std::string& arn,
             const decltype(ExecutionInput::what)& what);

  // Null if there is no such task (any more).
  const TaskAddress* FindToken(const std::string& token) const;

  // Whether the service that was given the token has not answered yet.
  bool IsUnderWay(const TaskAddress& task) const {
    return requests_.contains({task.execution_arn, task.task});
  }

  // Calls `done` when the execution has ended, with what is kept of it; at once
  // if it has. Callbacks of a rolled back execution are dropped.
  using EndFunction = std::function<void(const kept::Execution& execution)>;
  void OnEnd(const std::string& arn, EndFunction done);

  // The parent of a map run; empty if there is none.
  std::string ParentOfMapRun(const std::string& map_run_arn);
  // The map runs whose ARNs begin so, and their executions.
  std::vector<std::pair<std::string, std::string>> MapRunsBelow(
      const std::string& prefix);

  Activities& activities() { return activities_; }
  std::size_t running() const { return live_.size(); }

 private:
  struct Live {
    kept::Execution kept{};
    // Null while it sleeps.
    std::unique_ptr<Execution> execution{};
    // Inputs that were logged.
    std::uint64_t inputs = 0;
    std::size_t map_runs = 0;
    std::map<TimerId, WorkLoop::TimerId> timers{};
    std::map<TaskId, std::string> tokens{};
    // In awake_, if it is awake.
    std::list<std::string>::iterator awake{};
    // STANDARD ones are; an EXPRESS one begins again after a crash.
    bool logged = true;
    bool saved = false;
    bool ended = false;
  };
  // What waits for the commit.
  struct Deferred {
    std::string arn{};
    Effects effects{};
    std::vector<std::string> lines{};
  };

  absl::StatusOr<std::unique_ptr<Execution>> Replay(const kept::Execution& kept,
                                                    std::uint64_t& inputs);
  ExecutionInfo InfoOf(const kept::Execution& kept) const;
  absl::Status Wake(const std::string& arn, Live& live);
  void LetSleep();
  void Touch(const std::string& arn, Live& live);
  absl::Status Resume(kept::Execution kept);
  // Those of executions; nothing if they can't be read.
  std::optional<std::set<std::string>> UsedRevisions();

  void Save(Live& live);
  void SaveEnd(Live& live, const ExecutionEnd& end);
  void AppendLog(const std::string& arn, Live& live,
                 const ExecutionInput& input);
  void SaveMapRuns(Live& live);
  void Defer(const std::string& arn, Live& live, Effects effects);
  std::vector<std::string> LinesOf(const Live& live, std::size_t events) const;

  void CarryOut(Deferred deferred);
  void SetTimer(const std::string& arn, Live& live, const Timer& timer);
  void ForgetTask(const std::string& arn, Live& live, TaskId task);
  void RunTask(const std::string& arn, Live& live, TaskRequest task);
  void RunActivity(const std::string& arn, const TaskRequest& task);
  void CallService(const std::string& arn, const Live& live, TaskRequest task);
  void AwaitChild(const std::string& arn, TaskId task, TaskPattern pattern,
                  const std::string& child_arn);
  void HandleOutcome(const std::string& arn, const TaskRequest& task,
                     TaskOutcome outcome);
  void ApplyLater(const std::string& arn, decltype(ExecutionInput::what) what);
  void TellEnd(const std::string& arn, const kept::Execution& kept);

  void RemoveExpired();
  void WaitForExpiry();

  const World world_;
  Activities activities_;
  Announcements announcements_;
  bool begun_ = false;
  std::map<std::string, Live> live_;  // by ARN
  std::list<std::string> awake_;      // the last used first
  std::map<std::string, TaskAddress> tokens_;
  std::map<std::string, std::vector<EndFunction>> waiting_;  // by ARN
  std::vector<Deferred> deferred_;
  // Requests under way.
  std::set<std::pair<std::string, TaskId>> requests_;
  // Those that wait for Begin().
  std::vector<std::pair<std::string, TaskRequest>> held_;
  std::map<std::string, std::unique_ptr<Execution>> replayed_;
  std::list<std::string> replayed_order_;
  WorkLoop::TimerId expiry_timer_ = 0;
  // Timers from before a rollback are not for what was loaded after it.
  std::uint64_t epoch_ = 0;
};

// As the API spells it: "TIMED_OUT".
const char* StatusName(kept::Status status);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTIONS_H_

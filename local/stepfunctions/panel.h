// What the page shows of Step Functions: state machines, their executions, and
// one execution with its definition and events. local/dashboard/api.md
// describes the answers; the files of the page are in page/.
//
//   StatesPanel panel({.states = states, .version = [&] { return …; }});
//   host.Get<dashboard::Panels>().Add(panel);
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/stepfunctions.h"

namespace byoshin::local::stepfunctions {

// The status has at most this many machines, counts this many of the newest
// executions of each, and lists this many.
inline constexpr std::size_t kMaxShownMachines = 100;
inline constexpr std::int64_t kMaxCountedExecutions = 1000;
inline constexpr std::size_t kMaxNewestExecutions = 5;
// A page of executions looks at no more than this many, so that a filter that
// few match does not hold up the service.
inline constexpr std::int64_t kMaxVisitedExecutions = 2000;
// A page of events ends with the one that makes it longer than this.
inline constexpr std::size_t kMaxEventPageBytes = std::size_t{1} << 20;

// On one thread at a time, except for LoadStack().
class StatesPanel final : public dashboard::Panel {
 public:
  struct World {
    // Outlives the panel.
    StepFunctions& states;
    // Another number whenever something has changed.
    std::function<std::uint64_t()> version;
  };
  explicit StatesPanel(World world) : world_(std::move(world)) {}

  // Learns which machines belong to the stack. Thread-safe.
  void LoadStack(const cloudformation::Stack& stack);

  absl::string_view name() const override { return "stepfunctions"; }
  bool IsShown() override;
  void WriteStatus(json::Writer& json) override;
  std::vector<dashboard::PanelEndpoint> endpoints() override;
  const std::vector<dashboard::Asset>& assets() const override;

 private:
  struct Summary {
    kept::Machine machine{};
    std::map<kept::Status, std::int64_t> counts{};
    // There are more executions than were counted.
    bool more = false;
    std::vector<kept::Execution> newest{};
  };

  void Refresh();
  Summary Summarize(const kept::Machine& machine);
  void WriteSummary(const Summary& summary, json::Writer& json);
  std::string StackOf(const std::string& machine_arn);
  absl::StatusOr<std::string> AnswerExecutions(
      const http::ServerRequest& request);
  absl::StatusOr<std::string> AnswerExecution(
      const http::ServerRequest& request);

  const World world_;
  // As of `version_`.
  std::vector<Summary> summaries_;
  bool more_machines_ = false;
  bool fresh_ = false;
  std::uint64_t version_ = 0;

  sync::Mutex mutex_;
  // The stack of a machine, by the machine's ARN.
  std::map<std::string, std::string> stacks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_H_

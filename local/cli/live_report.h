// Prints what a FailureReport has to say about a running cloud.
//
//   LiveReport live(clock, [](const std::string& line) { ... });
//   ... cloud with .on_outcome and .on_note that call `live` ...
//   live.Begin({.source = cloud->source(), .applications = {...}});
//   ... wait for Ctrl-C ...
//   live.Stop();
#ifndef BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_
#define BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/ticker.h"
#include "local/applications/application.h"
#include "local/cli/failure_report.h"
#include "local/dashboard/source.h"
#include "local/stack/outcomes.h"

namespace byoshin::local::cli {

// How often queues and work are looked at.
inline constexpr absl::Duration kLookInterval = absl::Seconds(5);

// Thread-safe.
class LiveReport {
 public:
  // Called by one thread at a time, which may hold locks of the cloud: it must
  // not block, so see QueuedTerminal. The line has no line break.
  using Print = std::function<void(const std::string& line)>;

  struct Observed {
    dashboard::DashboardSource& source;
    std::vector<applications::ApplicationRun*> applications{};
  };

  // `clock` outlives it. `ellipsis` stands for what is cut off, as in Paper.
  LiveReport(time::Clock& clock, Print print, std::string ellipsis = "...");
  LiveReport(const LiveReport&) = delete;
  LiveReport& operator=(const LiveReport&) = delete;
  // As Stop().
  ~LiveReport();

  void AddOutcome(const stack::FunctionOutcome& outcome);
  void AddNote(const std::string& text);

  // Looks at dead letters and at what applications expect, too, until Stop().
  // To be called before the cloud begins; what is observed must be there until
  // the end.
  void Begin(const Observed& observed);
  // From now on nothing is reported but notes: functions that are ended with
  // the cloud have not failed.
  void Stop();

 private:
  void Tick(absl::Time now, const Observed& observed);

  time::Clock& clock_;
  const Print print_;
  sync::Mutex mutex_;
  FailureReport report_ ABSL_GUARDED_BY(mutex_);
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  std::unique_ptr<time::Ticker> ticker_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_

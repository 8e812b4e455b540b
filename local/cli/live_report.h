// Prints what a FailureReport has to say about a running cloud.
//
//   LiveReport live(clock, [](const std::string& line) { ... });
//   ... cloud with .on_outcome and .on_note that call `live` ...
//   live.Begin({.source = cloud->source(), .window_lag = lag});
//   ... wait for Ctrl-C ...
//   live.Stop();
#ifndef BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_
#define BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/cli/failure_report.h"
#include "local/dashboard/series.h"
#include "local/dashboard/source.h"
#include "local/stack/outcomes.h"
#include "local/stack/slot_ticker.h"

namespace byoshin::local::cli {

// How many of the slots from `since` on should be stored by now and are not.
std::int64_t CountMissing(dashboard::DashboardSource& source, absl::Time since);

// Thread-safe.
class LiveReport {
 public:
  // Called by one thread at a time, which may hold locks of the cloud: it must
  // not block, so see QueuedTerminal. The line has no line break.
  using Print = std::function<void(const std::string& line)>;

  struct Observed {
    dashboard::DashboardSource& source;
    // Of the scheduler; without value if the stack has none.
    std::optional<absl::Duration> window_lag{};
  };

  // `clock` outlives it. `ellipsis` stands for what is cut off, as in Paper.
  LiveReport(time::Clock& clock, Print print, std::string ellipsis = "...");
  LiveReport(const LiveReport&) = delete;
  LiveReport& operator=(const LiveReport&) = delete;
  // As Stop().
  ~LiveReport();

  void AddOutcome(const stack::FunctionOutcome& outcome);
  void AddRecord(const dashboard::SlotRecord& record);
  void AddNote(const std::string& text);

  // Looks at slots and dead letters, too, until Stop(). To be called before
  // the cloud begins; the source must be there until the end.
  void Begin(const Observed& observed);
  // From now on nothing is reported but notes: functions that are ended with
  // the cloud have not failed.
  void Stop();

 private:
  void Tick(absl::Time now, const Observed& observed);

  time::Clock& clock_;
  const Print print_;
  std::mutex mutex_;
  FailureReport report_;  // guarded by mutex_
  bool stopped_ = false;  // guarded by mutex_
  std::unique_ptr<stack::SlotTicker> ticker_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_LIVE_REPORT_H_

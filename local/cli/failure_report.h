// What `up` tells of failures while it runs: the first of a kind with its
// reason, then how many, then the recovery; slots that are missing, and dead
// letters. Takes what happens and the time, and gives lines to print.
//
//   FailureReport report;
//   report.Begin(clock.Now(), window_lag);
//   for (const std::string& line : report.AddOutcome(outcome)) ...
//   report.AddRecord(record);
//   for (const std::string& line :
//        report.Tick(now, {.missing = CountMissing(report.since()), ...})) ...
#ifndef BYOSHIN_LOCAL_CLI_FAILURE_REPORT_H_
#define BYOSHIN_LOCAL_CLI_FAILURE_REPORT_H_

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/dashboard/series.h"
#include "local/stack/outcomes.h"

namespace byoshin::local::cli {

// What is repeated is summed up this often.
inline constexpr absl::Duration kSummaryInterval = absl::Minutes(1);
// A function has recovered once it has succeeded, and has not failed for so
// long: where some of its invocations fail and others do not, it has not.
inline constexpr absl::Duration kRecoveryTime = absl::Seconds(30);
// Of one function's failures until it recovers, so many kinds are shown; of one
// kind of notes, so many texts.
inline constexpr int kMaxKindsShown = 5;
// Slots that are still missing so long after the last function has recovered
// are lost. Longer than the visibility time-out, after which a message that has
// failed is received again.
inline constexpr absl::Duration kLostAfter = absl::Minutes(5);

// Not thread-safe.
class FailureReport {
 public:
  using Lines = std::vector<std::string>;

  struct DeadLetterQueue {
    std::string name{};
    std::int64_t held = 0;
    // They came from a queue, to which they can be moved back.
    bool can_be_moved_back = false;
  };
  // How things are at a tick.
  struct Snapshot {
    // Slots from since() on that should be stored and are not; without value
    // if the stack collects none.
    std::optional<std::int64_t> missing{};
    std::vector<DeadLetterQueue> dead_letters{};
  };

  // `ellipsis` stands for what is cut off, as in Paper.
  explicit FailureReport(std::string ellipsis = "...")
      : ellipsis_(std::move(ellipsis)) {}

  // The cloud begins now. Slots that are due before the next full minute are
  // left to those who have sent for them: the schedule does not.
  void Begin(absl::Time now, absl::Duration window_lag);

  Lines AddOutcome(const stack::FunctionOutcome& outcome);
  void AddRecord(const dashboard::SlotRecord& record);
  // What the cloud has to say otherwise: any bytes. Repetitions, and too many
  // texts of one kind, are only counted.
  Lines AddNote(absl::Time now, const std::string& text);
  // To be called every few seconds.
  Lines Tick(absl::Time now, const Snapshot& snapshot);

  // The slot from which missing ones are counted.
  absl::Time since() const { return since_; }

 private:
  struct Failing {
    absl::Time first{};
    absl::Time last{};
    bool has_succeeded_since = false;
    std::set<std::string> kinds{};
    // Since the last summary.
    absl::Time summed_up{};
    std::int64_t unreported = 0;
  };
  struct Note {
    std::string kind{};
    absl::Time summed_up{};
    std::int64_t unreported = 0;
  };
  struct KnownLetters {
    std::int64_t held = 0;
    absl::Time told = absl::InfinitePast();
  };

  std::string Shown(absl::string_view text, std::size_t max_bytes) const;
  // Whether a note that is still remembered has said why it can't start.
  bool HasNoted(const stack::FunctionOutcome& outcome) const;
  // Slots of the minute in which an invocation began that failed, and later
  // ones, are counted from now on, unless they are already.
  void BeginTrouble(absl::Time began);
  // Those that are missing up to now have been told.
  void ForgetMissing(absl::Time now);
  std::string SlotCounts(std::int64_t missing) const;
  std::string RecoveryText(const Failing& failing,
                           std::optional<std::int64_t> missing) const;
  void SumUpFailures(absl::Time now, std::optional<std::int64_t> missing,
                     Lines& lines);
  void SumUpNotes(absl::Time now, Lines& lines);
  void CheckSlots(absl::Time now, std::int64_t missing, Lines& lines);
  void CheckDeadLetters(absl::Time now,
                        const std::vector<DeadLetterQueue>& queues,
                        Lines& lines);

  const std::string ellipsis_;
  absl::Duration window_lag_ = absl::ZeroDuration();
  absl::Time begun_ = absl::InfinitePast();
  absl::Time since_ = absl::InfinitePast();
  // From the first failure until all functions have recovered and no slot is
  // missing, or those that are missing are lost.
  bool in_trouble_ = false;
  // In trouble, but no function has been failing since then.
  std::optional<absl::Time> quiet_since_{};
  // The last recovery was told when slots were still missing.
  bool recovered_with_gaps_ = false;
  std::int64_t stored_late_ = 0;
  // Slots are missing without a failure since then.
  std::optional<absl::Time> unexplained_{};
  std::map<std::string, Failing> failing_;  // by function
  // By what is shown; those of a kind that has too many texts, by their kind.
  std::map<std::string, Note> notes_;
  std::map<std::string, KnownLetters> letters_;  // by queue
};

// What is alike in failures with the same cause: their text without the words
// that have numbers, addresses and identifiers in them. Numbers of three digits
// stay: they are HTTP's statuses.
std::string KindOf(absl::string_view failure);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_FAILURE_REPORT_H_

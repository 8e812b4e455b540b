// What `up` tells of failures while it runs: the first of a kind with its
// reason, then how many, then the recovery; work that is missing, and dead
// letters. Takes what happens and the time, and gives lines to print.
//
//   FailureReport report;
//   report.Begin(clock.Now());
//   for (const std::string& line : report.AddOutcome(outcome)) ...
//   for (const std::string& line :
//        report.Tick(now, {.work = CountWork(report.since()), ...})) ...
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
#include "local/applications/application.h"
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
// Work that is still missing so long after the last function has recovered is
// lost. Longer than the visibility time-out, after which a message that has
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
    // What applications expect that was due at since() or later.
    std::vector<applications::ExpectedWork> work{};
    std::vector<DeadLetterQueue> dead_letters{};
  };

  // `ellipsis` stands for what is cut off, as in Paper.
  explicit FailureReport(std::string ellipsis = "...")
      : ellipsis_(std::move(ellipsis)) {}

  // The cloud begins now. Work that is due before the next full minute is not
  // counted: schedules have not fired for it.
  void Begin(absl::Time now);

  Lines AddOutcome(const stack::FunctionOutcome& outcome);
  // What the cloud has to say otherwise: any bytes. Repetitions, and too many
  // texts of one kind, are only counted.
  Lines AddNote(absl::Time now, const std::string& text);
  // To be called every few seconds.
  Lines Tick(absl::Time now, const Snapshot& snapshot);

  // Work that was due earlier is not counted.
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

  using Work = std::vector<applications::ExpectedWork>;

  std::string Shown(absl::string_view text, std::size_t max_bytes) const;
  // Whether a note that is still remembered has said why it can't start.
  bool HasNoted(const stack::FunctionOutcome& outcome) const;
  // Work of the minute in which an invocation began that failed, and later
  // work, is counted from now on, unless it is already.
  void BeginTrouble(absl::Time began);
  // What is missing up to now has been told.
  void ForgetMissing(absl::Time now, const Work& work);
  void SumUpFailures(absl::Time now, const Work& work, Lines& lines);
  void SumUpNotes(absl::Time now, Lines& lines);
  void CheckWork(absl::Time now, const Work& work, Lines& lines);
  void CheckDeadLetters(absl::Time now,
                        const std::vector<DeadLetterQueue>& queues,
                        Lines& lines);

  const std::string ellipsis_;
  absl::Time begun_ = absl::InfinitePast();
  absl::Time since_ = absl::InfinitePast();
  // From the first failure until all functions have recovered and nothing is
  // missing, or what is missing is lost.
  bool in_trouble_ = false;
  // In trouble, but no function has been failing since then.
  std::optional<absl::Time> quiet_since_{};
  // The last recovery was told when something was still missing.
  bool recovered_with_gaps_ = false;
  // Something is missing without a failure since then.
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

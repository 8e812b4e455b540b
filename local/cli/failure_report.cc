#include "local/cli/failure_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/floor.h"
#include "core/time/iso8601.h"
#include "local/applications/application.h"
#include "local/cli/escape.h"
#include "local/cli/table.h"
#include "local/lambda/start_failures.h"
#include "local/stack/outcomes.h"

namespace byoshin::local::cli {
namespace {

// Of a reason, which may quote what an API has answered.
constexpr std::size_t kMaxReasonBytes = 400;
// Of a note, which may have a statement of a policy in it.
constexpr std::size_t kMaxNoteBytes = 2000;
// What is not repeated for so long is reported again.
constexpr absl::Duration kForgetAfter = absl::Minutes(10);
constexpr std::size_t kMaxNotes = 1000;
constexpr std::size_t kStatusDigits = 3;

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

// Whether a word is the same each time.
bool IsConstant(absl::string_view word) {
  for (std::size_t i = 0; i < word.size();) {
    if (!IsDigit(word[i])) {
      ++i;
      continue;
    }
    const std::size_t begin = i;
    while (i < word.size() && IsDigit(word[i])) ++i;
    if (i - begin != kStatusDigits) return false;
  }
  return true;
}

std::string Line(absl::Time now, absl::string_view text) {
  return absl::StrCat(time::FormatIso8601(now), "  ", text);
}

using Work = std::vector<applications::ExpectedWork>;

// "1 slot is", "12 slots are"
std::string Count(std::int64_t count, absl::string_view one,
                  absl::string_view many) {
  return absl::StrCat(count, " ", count == 1 ? one : many);
}

std::int64_t Missing(const Work& work) {
  std::int64_t missing = 0;
  for (const applications::ExpectedWork& kind : work) missing += kind.missing;
  return missing;
}

// "1 slot is missing": of each kind of which something is, or of all.
std::string MissingText(const Work& work, absl::string_view state = "missing") {
  std::vector<std::string> parts;
  for (const applications::ExpectedWork& kind : work) {
    if (kind.missing == 0 && Missing(work) > 0) continue;
    parts.push_back(absl::StrCat(Count(kind.missing, kind.one, kind.many),
                                 kind.missing == 1 ? " is " : " are ", state));
  }
  return absl::StrJoin(parts, ", ");
}

// "24 slots were stored late, 0 are missing"
std::string LateAndMissingText(const Work& work) {
  std::vector<std::string> parts;
  for (const applications::ExpectedWork& kind : work) {
    parts.push_back(
        absl::StrCat(Count(kind.late, kind.one, kind.many),
                     kind.late == 1 ? " was " : " were ", kind.done, " late, ",
                     Count(kind.missing, "is missing", "are missing")));
  }
  return absl::StrJoin(parts, ", ");
}

std::string RecoveryText(absl::Duration lasted, const Work& work) {
  std::string text = " has recovered";
  lasted = absl::Trunc(lasted, absl::Seconds(1));
  if (lasted > absl::ZeroDuration()) {
    absl::StrAppend(&text, " after ", absl::FormatDuration(lasted));
  }
  if (!work.empty()) absl::StrAppend(&text, ": ", LateAndMissingText(work));
  return text;
}

std::string InTheLast(absl::Duration span) {
  return span <= kSummaryInterval + kRecoveryTime
             ? "in the last minute"
             : absl::StrCat("in the last ", absl::FormatDuration(absl::Trunc(
                                                span, absl::Seconds(1))));
}

}  // namespace

std::string KindOf(absl::string_view failure) {
  std::vector<absl::string_view> words;
  for (const absl::string_view word :
       absl::StrSplit(failure.substr(0, kMaxNoteBytes), ' ')) {
    words.push_back(IsConstant(word) ? word : "#");
  }
  return absl::StrJoin(words, " ");
}

void FailureReport::Begin(absl::Time now) {
  begun_ = now;
  since_ = time::FloorTo(now, absl::Minutes(1)) + absl::Minutes(1);
}

std::string FailureReport::Shown(absl::string_view text,
                                 std::size_t max_bytes) const {
  return Printable(CutEnd(text, max_bytes, ellipsis_));
}

bool FailureReport::HasNoted(const stack::FunctionOutcome& outcome) const {
  if (!outcome.could_not_start) return false;
  const std::string noted = lambda::CannotStart(outcome.function);
  return std::any_of(notes_.begin(), notes_.end(), [&](const auto& note) {
    return absl::StartsWith(note.first, noted);
  });
}

void FailureReport::BeginTrouble(absl::Time began) {
  unexplained_.reset();
  quiet_since_.reset();
  recovered_with_gaps_ = false;
  if (std::exchange(in_trouble_, true)) return;
  // If what a schedule invokes fails, all of its minute is missing; but what
  // was due before the cloud began is not this run's.
  since_ = std::max(time::FloorTo(began, absl::Minutes(1)), begun_);
}

FailureReport::Lines FailureReport::AddOutcome(
    const stack::FunctionOutcome& outcome) {
  if (outcome.failure.empty()) {
    const auto found = failing_.find(outcome.function);
    if (found != failing_.end()) found->second.has_succeeded_since = true;
    return {};
  }
  BeginTrouble(outcome.started);
  const auto [found, is_first] = failing_.try_emplace(outcome.function);
  Failing& failing = found->second;
  failing.last = outcome.time;
  failing.has_succeeded_since = false;
  if (is_first) {
    failing.first = outcome.time;
    failing.summed_up = outcome.time;
  }
  if (failing.kinds.size() < kMaxKindsShown &&
      failing.kinds.insert(KindOf(outcome.failure)).second) {
    if (HasNoted(outcome)) return {};
    return {Line(
        outcome.time,
        absl::StrCat(outcome.function, is_first ? " fails: " : " also fails: ",
                     Shown(outcome.failure, kMaxReasonBytes)))};
  }
  ++failing.unreported;
  return {};
}

FailureReport::Lines FailureReport::AddNote(absl::Time now,
                                            const std::string& text) {
  if (notes_.size() >= kMaxNotes) notes_.clear();
  const std::string shown = Shown(text, kMaxNoteBytes);
  const std::string kind = KindOf(shown);
  const bool is_new = !notes_.contains(shown);
  // It varies, so that counting what is repeated would count nothing.
  const bool is_one_of_many =
      is_new &&
      std::count_if(notes_.begin(), notes_.end(), [&](const auto& entry) {
        return entry.second.kind == kind;
      }) >= kMaxKindsShown;
  const auto [found, is_first] =
      notes_.try_emplace(is_one_of_many ? kind : shown);
  Note& note = found->second;
  if (is_first) {
    note.kind = kind;
    note.summed_up = now;
  }
  if (is_new && !is_one_of_many) return {shown};
  ++note.unreported;
  return {};
}

FailureReport::Lines FailureReport::Tick(absl::Time now,
                                         const Snapshot& snapshot) {
  Lines lines;
  SumUpFailures(now, snapshot.work, lines);
  SumUpNotes(now, lines);
  CheckWork(now, snapshot.work, lines);
  CheckDeadLetters(now, snapshot.dead_letters, lines);
  return lines;
}

void FailureReport::SumUpFailures(absl::Time now, const Work& work,
                                  Lines& lines) {
  for (auto entry = failing_.begin(); entry != failing_.end();) {
    const std::string& function = entry->first;
    Failing& failing = entry->second;
    if (failing.has_succeeded_since && now - failing.last >= kRecoveryTime) {
      lines.push_back(Line(
          now, absl::StrCat(function,
                            RecoveryText(failing.last - failing.first, work))));
      recovered_with_gaps_ = Missing(work) > 0;
      entry = failing_.erase(entry);
      continue;
    }
    if (failing.unreported > 0 && now - failing.summed_up >= kSummaryInterval) {
      lines.push_back(
          Line(now, absl::StrCat(function, ": ",
                                 Count(std::exchange(failing.unreported, 0),
                                       "more failure ", "more failures "),
                                 InTheLast(now - failing.summed_up),
                                 work.empty() ? "" : ", ", MissingText(work))));
      failing.summed_up = now;
    }
    // It has not been invoked again.
    if (now - failing.last >= kForgetAfter) {
      entry = failing_.erase(entry);
      continue;
    }
    ++entry;
  }
}

void FailureReport::SumUpNotes(absl::Time now, Lines& lines) {
  for (auto entry = notes_.begin(); entry != notes_.end();) {
    Note& note = entry->second;
    const absl::Duration passed = now - note.summed_up;
    if (note.unreported == 0 && passed >= kForgetAfter) {
      entry = notes_.erase(entry);
      continue;
    }
    if (note.unreported > 0 && passed >= kSummaryInterval) {
      lines.push_back(absl::StrCat(
          Count(std::exchange(note.unreported, 0), "more time ", "more times "),
          InTheLast(passed), ": ", entry->first));
      note.summed_up = now;
    }
    ++entry;
  }
}

void FailureReport::ForgetMissing(absl::Time now, const Work& work) {
  since_ = now;
  for (const applications::ExpectedWork& kind : work) {
    since_ = std::min(since_, kind.counted_to);
  }
}

void FailureReport::CheckWork(absl::Time now, const Work& work, Lines& lines) {
  if (!failing_.empty()) return;
  const bool is_missing = Missing(work) > 0;
  if (in_trouble_) {
    if (!quiet_since_.has_value()) quiet_since_ = now;
    if (is_missing && now - *quiet_since_ < kLostAfter) return;
    const bool recovered_with_gaps = std::exchange(recovered_with_gaps_, false);
    if (is_missing) {
      lines.push_back(
          Line(now, absl::StrCat(MissingText(work, "still missing"),
                                 " although nothing has failed for ",
                                 absl::FormatDuration(kLostAfter),
                                 ", and will not be reported again; `byoshin "
                                 "status` shows more")));
    } else if (recovered_with_gaps) {
      lines.push_back(Line(now, absl::StrCat("nothing is missing any more: ",
                                             LateAndMissingText(work))));
    }
    in_trouble_ = false;
    quiet_since_.reset();
    ForgetMissing(now, work);
    return;
  }
  if (!is_missing) {
    unexplained_.reset();
    return;
  }
  if (!unexplained_.has_value()) unexplained_ = now;
  if (now - *unexplained_ < kRecoveryTime) return;
  lines.push_back(Line(
      now, absl::StrCat(MissingText(work),
                        ", but no function has failed: was the "
                        "machine asleep, or the schedule disabled? `byoshin "
                        "status` shows more")));
  unexplained_.reset();
  ForgetMissing(now, work);
}

void FailureReport::CheckDeadLetters(absl::Time now,
                                     const std::vector<DeadLetterQueue>& queues,
                                     Lines& lines) {
  for (const DeadLetterQueue& queue : queues) {
    KnownLetters& known = letters_[queue.name];
    // Those that were moved back may come again.
    known.held = std::min(known.held, queue.held);
    if (queue.held == known.held || now - known.told < kSummaryInterval) {
      continue;
    }
    lines.push_back(Line(
        now, absl::StrCat(
                 queue.name, " holds ",
                 Count(queue.held, "dead letter", "dead letters"),
                 known.held == 0 ? ""
                                 : absl::StrCat(" (", queue.held - known.held,
                                                " more than before)"),
                 ": `byoshin queues --dead-letters` shows them, ",
                 queue.can_be_moved_back
                     ? "`byoshin redrive` moves them back"
                     : "`byoshin invoke` calls the function again with one")));
    known = {.held = queue.held, .told = now};
  }
}

}  // namespace byoshin::local::cli

#include "local/cli/simulated_span.h"

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/time/floor.h"
#include "core/time/iso8601.h"
#include "local/cli/arguments.h"
#include "local/events/schedule.h"

namespace byoshin::local::cli {
namespace {

// The clock begins before the first minute, and stored times are not negative.
absl::Time FirstStart() {
  return absl::FromCivil(absl::CivilYear(events::kFirstCronYear),
                         absl::UTCTimeZone()) +
         absl::Minutes(1);
}

absl::Time LastEnd() {
  return absl::FromCivil(absl::CivilYear(events::kLastCronYear + 1),
                         absl::UTCTimeZone());
}

absl::Status Outside(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(
      what, "; schedules fire from ", time::FormatIso8601(FirstStart()),
      " up to ", time::FormatIso8601(LastEnd())));
}

}  // namespace

absl::StatusOr<absl::Time> ParseSimulatedStart(absl::string_view text) {
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(text);
  if (!time.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("--start: ", time.status().message()));
  }
  const absl::Time start = time::FloorTo(*time, absl::Minutes(1));
  if (start < FirstStart()) {
    return Outside(absl::StrCat("--start=", text, " is too early"));
  }
  if (start >= LastEnd()) {
    return Outside(absl::StrCat("--start=", text, " is too late"));
  }
  return start;
}

absl::StatusOr<absl::Time> SimulatedEnd(absl::Time start, absl::Duration span) {
  const absl::Time end = start + span;
  if (end <= LastEnd()) return end;
  return Outside(absl::StrCat("--for: the simulation would end at ",
                              time::FormatIso8601(end)));
}

}  // namespace byoshin::local::cli

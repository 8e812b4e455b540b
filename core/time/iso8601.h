// Points in time as ISO 8601 text.
//
//   absl::StatusOr<absl::Time> t =
//       time::ParseIso8601("2025-12-02T19:23:07.250+09:00");
//   if (!t.ok()) return t.status();
//   time::FormatIso8601(*t);  // "2025-12-02T10:23:07Z"
//
// The text is used as a key and a query parameter: two spellings of one instant
// would be two records, and guessing at a malformed one could give a wrong
// record. So there is one output format, and the parser accepts only a small
// set of formats.
#ifndef BYOSHIN_CORE_TIME_ISO8601_H_
#define BYOSHIN_CORE_TIME_ISO8601_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::time {

// Reads `YYYY-MM-DDTHH:MM:SS`, optionally a fraction of `.` and 1 to 9 digits,
// then `Z` or an offset from UTC, `+HH:MM` or `-HH:MM`, of up to 23:59.
//
// Everything else is an InvalidArgument error that quotes the text and says
// what is wrong, where, and what was expected: dates that do not exist, hour
// 24, leap seconds (absl::Time can't represent them), lower-case `t` and `z`,
// spaces, anything before or after, and instants outside the years 0001 to
// 9999, before or after the offset is applied.
absl::StatusOr<absl::Time> ParseIso8601(absl::string_view text);

// True if `time` lies in the years 0001 to 9999 UTC: the instants that
// ParseIso8601 returns and that FormatIso8601 can write so that it reads them.
bool FitsIso8601(absl::Time time);

// Writes the second that `time` lies in as `YYYY-MM-DDTHH:MM:SSZ`, in UTC; a
// fraction is dropped towards the past, before 1970 too.
//
// An instant for which FitsIso8601 is false is written in a form that can't be
// mistaken for an ordinary timestamp: with ISO 8601's expanded year, a sign and
// at least six digits (`+010000-01-01T00:00:00Z`), or as `infinite-future` or
// `infinite-past`. ParseIso8601 rejects all of these. Code that computes with
// times from outside and passes the text on calls FitsIso8601 first.
std::string FormatIso8601(absl::Time time);

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_ISO8601_H_

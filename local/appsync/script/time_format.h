// Times as text in the patterns of java.time.format.DateTimeFormatter, in
// English.
//
//   absl::StatusOr<Zone> zone = FindZone("Asia/Tokyo");
//   if (!zone.ok()) return zone.status();
//   FormatJavaTime(time, "yyyy-MM-dd HH:mm:ssZ", *zone);
//   // "2018-02-06 19:01:35+0900"
//
// Letters: G u y D M L d Q q E a h K k H m s S A n N V z O X x Z, quoted text,
// and optional parts in brackets. Weeks (Y w W e c F) depend on a country,
// padding (p) and names of zones (zzzz) are not there: InvalidArgument.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_FORMAT_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_FORMAT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/appsync/script/time_zone.h"

namespace byoshin::local::appsync::script {

absl::StatusOr<std::string> FormatJavaTime(absl::Time time,
                                           absl::string_view pattern,
                                           const Zone& zone);

// `zone` counts if the text has none. A time that is not in the text is
// midnight; a month or a day is the first. As in Java, 31 February is the last
// day of February, and 24:00 is midnight of the next day.
absl::StatusOr<absl::Time> ParseJavaTime(absl::string_view text,
                                         absl::string_view pattern,
                                         const Zone& zone);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_FORMAT_H_

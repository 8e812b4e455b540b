// Zones as java.time.ZoneId has them: regions of the system's database, and
// offsets from UTC.
//
//   absl::StatusOr<Zone> zone = FindZone("UTC+9");
//   if (!zone.ok()) return zone.status();
//   zone->id;  // "UTC+09:00"
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_ZONE_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_ZONE_H_

#include <cstddef>
#include <optional>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::appsync::script {

struct Zone {
  // As Java prints it: "Asia/Tokyo", "+09:00", "UTC+09:00", "Z".
  std::string id = "UTC";
  absl::TimeZone rules = absl::UTCTimeZone();
  // Regions have abbreviations such as "JST"; other zones have their id alone.
  bool is_region = false;
};

// A zone by its name in the system's database, or an offset such as "+09:00",
// "UTC+9" and "Z".
absl::StatusOr<Zone> FindZone(absl::string_view name);

// Removes the zone at the start of `text`: the longest name of a region, or an
// offset as Java writes it in ids.
std::optional<Zone> TakeZone(absl::string_view& text);

// Names in the database are shorter.
inline constexpr size_t kMaxZoneNameBytes = 64;

// The longest text at the start of `text` for which `is_name` holds; empty if
// there is none. Asks at most kMaxZoneNameBytes times, since `text` comes from
// clients.
absl::string_view LongestZoneName(
    absl::string_view text, absl::FunctionRef<bool(absl::string_view)> is_name);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_ZONE_H_

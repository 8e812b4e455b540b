// Offsets from UTC as text, in the forms of the pattern letters O, X, x and Z.
// For this folder alone.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_OFFSET_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_OFFSET_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "local/appsync/script/time_pattern.h"

namespace byoshin::local::appsync::script {

inline constexpr int kSecondsPerHour = 3600;
inline constexpr int kMaxOffsetSeconds = 18 * kSecondsPerHour;

std::string FormatOffset(const TimePatternItem& item, int seconds);

// Removes the offset at the start of `text`, in seconds. An offset in another
// form than the item's is not one.
std::optional<int> TakeOffset(const TimePatternItem& item,
                              absl::string_view& text);

// As OOOO does: "GMT-05:00".
std::string FormatGreenwichOffset(int seconds);

// In the form of ids: "Z", "+09:00" or "+09:00:30".
std::string FormatOffsetId(int seconds);
std::optional<int> TakeOffsetId(absl::string_view& text);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_TIME_OFFSET_H_

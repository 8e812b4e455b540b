// Tries the ISO 8601 parser on any bytes, against itself and against abseil's.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::time {
namespace {

// Independent of the parser's own limit, and generous.
constexpr size_t kMaxErrorLength = 600;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

// What holds for every instant, whether it came out of the parser or not.
void CheckFormatting(absl::Time time) {
  const std::string text = FormatIso8601(time);
  const absl::StatusOr<absl::Time> parsed = ParseIso8601(text);
  Require(parsed.ok() == FitsIso8601(time),
          "exactly the times that fit can be read back");
  if (!parsed.ok()) return;
  const absl::Duration dropped = time - *parsed;
  Require(dropped >= absl::ZeroDuration() && dropped < absl::Seconds(1),
          "only a fraction of a second is dropped, towards the past");
  Require(FormatIso8601(*parsed) == text, "formatting is stable");
  Require(text == absl::FormatTime("%E4Y-%m-%dT%H:%M:%SZ", time,
                                   absl::UTCTimeZone()),
          "abseil writes the same");
  const absl::StatusOr<absl::Time> slot =
      ParseIso8601(scheduler::CalculateSlotTime(time));
  Require(slot.ok() && *slot == scheduler::FloorToSlot(time),
          "a slot time can be read back");
  Require(*slot <= time && time - *slot < scheduler::kSlotInterval,
          "a time lies in its slot");
}

// How far the clock that wrote a valid `input` is ahead of UTC.
absl::Duration OffsetOf(absl::string_view input) {
  if (input.back() == 'Z') return absl::ZeroDuration();
  const absl::string_view offset = input.substr(input.size() - 6);
  const auto digit = [offset](size_t at) { return offset[at] - '0'; };
  const absl::Duration ahead = absl::Hours(digit(1) * 10 + digit(2)) +
                               absl::Minutes(digit(4) * 10 + digit(5));
  return offset[0] == '-' ? -ahead : ahead;
}

void CheckAccepted(absl::string_view input, absl::Time time) {
  Require(FitsIso8601(time), "what is read fits");
  absl::Time reference;
  std::string error;
  Require(absl::ParseTime(absl::RFC3339_full, input, &reference, &error),
          "abseil reads what the parser reads");
  Require(time == reference, "abseil reads it as the same instant");
  const size_t seconds_end = sizeof("YYYY-MM-DDTHH:MM:SS") - 1;
  Require(absl::FormatTime("%E4Y-%m-%dT%H:%M:%S", time + OffsetOf(input),
                           absl::UTCTimeZone()) == input.substr(0, seconds_end),
          "no number was out of its range");
  CheckFormatting(time);
}

void CheckRefused(absl::string_view input, const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument,
          "the error is InvalidArgument");
  Require(
      !status.message().empty() && status.message().size() <= kMaxErrorLength,
      "the error is neither empty nor long");
  for (const char c : status.message()) {
    Require(absl::ascii_isprint(static_cast<unsigned char>(c)),
            "the error can be printed");
  }
  absl::Time reference;
  std::string error;
  if (absl::ParseTime(absl::RFC3339_full, input, &reference, &error)) {
    Require(FormatIso8601(reference) != std::string(input) ||
                !FitsIso8601(reference),
            "nothing in the canonical form is refused");
  }
}

}  // namespace
}  // namespace byoshin::time

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const absl::StatusOr<absl::Time> time = byoshin::time::ParseIso8601(input);
  if (time.ok()) {
    byoshin::time::CheckAccepted(input, *time);
  } else {
    byoshin::time::CheckRefused(input, time.status());
  }

  // The same bytes as an instant: near or far, inside the parser's years or
  // not.
  int64_t seconds = 0;
  if (size >= sizeof(seconds)) {
    std::memcpy(&seconds, data, sizeof(seconds));
    byoshin::time::CheckFormatting(absl::FromUnixSeconds(seconds >> size % 48) +
                                   absl::Nanoseconds(size));
  }
  return 0;
}

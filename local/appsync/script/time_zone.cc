#include "local/appsync/script/time_zone.h"

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/appsync/script/time_offset.h"

namespace byoshin::local::appsync::script {
namespace {

// Which an offset may follow.
constexpr absl::string_view kPrefixes[] = {"UTC", "GMT", "UT"};
// Java knows it as the name of a region, whether the database has it or not.
constexpr absl::string_view kGmt0 = "GMT0";
// Files beside the zones, or the machine's own zone.
constexpr absl::string_view kNoZones[] = {"Factory", "leapseconds", "localtime",
                                          "posixrules"};

bool IsInZoneName(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
         absl::StrContains("/_+-", c);
}

// Two digits, or one hour.
std::optional<int> NumberOf(absl::string_view digits) {
  int number = 0;
  if (digits.empty() || digits.size() > 2 ||
      !absl::c_all_of(digits, absl::ascii_isdigit) ||
      !absl::SimpleAtoi(digits, &number)) {
    return std::nullopt;
  }
  return number;
}

// The seconds of "+9", "+09", "+0900", "+09:00" or "+09:00:00".
std::optional<int> OffsetSeconds(absl::string_view text) {
  constexpr size_t kMaxOffsetBytes = sizeof("+09:00:00") - 1;
  if (text.size() > kMaxOffsetBytes || text.empty() ||
      (text.front() != '+' && text.front() != '-')) {
    return std::nullopt;
  }
  const int sign = text.front() == '-' ? -1 : 1;
  text.remove_prefix(1);
  std::string digits;
  for (const absl::string_view part : absl::StrSplit(text, ':')) {
    if (part.size() != 2 && part.size() != text.size()) return std::nullopt;
    absl::StrAppend(&digits, part);
  }
  if (digits.size() == 1) digits.insert(0, "0");
  if (digits.size() % 2 != 0 || digits.empty() || digits.size() > 6) {
    return std::nullopt;
  }
  digits.resize(6, '0');
  const std::optional<int> hours = NumberOf(digits.substr(0, 2));
  const std::optional<int> minutes = NumberOf(digits.substr(2, 2));
  const std::optional<int> seconds = NumberOf(digits.substr(4, 2));
  if (!hours.has_value() || !minutes.has_value() || !seconds.has_value() ||
      *minutes > 59 || *seconds > 59) {
    return std::nullopt;
  }
  const int total = *hours * kSecondsPerHour + *minutes * 60 + *seconds;
  return total > kMaxOffsetSeconds ? std::nullopt : std::optional(sign * total);
}

Zone FixedZone(absl::string_view prefix, int seconds) {
  return {.id = seconds == 0 && !prefix.empty()
                    ? std::string(prefix)
                    : absl::StrCat(prefix, FormatOffsetId(seconds)),
          .rules = absl::FixedTimeZone(seconds),
          .is_region = false};
}

Zone Gmt0() {
  return {.id = std::string(kGmt0),
          .rules = absl::UTCTimeZone(),
          .is_region = true};
}

// The names of the files in the system's database.
absl::flat_hash_set<std::string> ListRegions() {
  const absl::string_view variable =
      absl::NullSafeStringView(std::getenv("TZDIR"));
  const std::filesystem::path folder =
      variable.empty() ? "/usr/share/zoneinfo" : std::string(variable);
  absl::flat_hash_set<std::string> names;
  std::error_code error;
  for (std::filesystem::recursive_directory_iterator file(folder, error), end;
       !error && file != end; file.increment(error)) {
    std::string name = file->path().lexically_relative(folder).string();
    // The same zones again, for other ways to count leap seconds.
    if (name == "posix" || name == "right") {
      file.disable_recursion_pending();
      continue;
    }
    std::error_code unknown;
    if (name.size() <= kMaxZoneNameBytes &&
        absl::c_all_of(name, IsInZoneName) &&
        !absl::c_linear_search(kNoZones, name) &&
        file->is_regular_file(unknown)) {
      names.insert(std::move(name));
    }
  }
  return names;
}

// Listed once: neither the file system nor absl, which remembers every name
// that it is asked for, is asked for names that clients make up.
bool IsRegion(absl::string_view name) {
  static const auto* const names =
      new absl::flat_hash_set<std::string>(ListRegions());
  return names->contains(name);
}

std::optional<Zone> LoadRegion(absl::string_view name) {
  Zone zone = {
      .id = std::string(name), .rules = absl::UTCTimeZone(), .is_region = true};
  if (!absl::LoadTimeZone(name, &zone.rules)) return std::nullopt;
  return zone;
}

}  // namespace

absl::StatusOr<Zone> FindZone(absl::string_view name) {
  if (name == "Z") return FixedZone("", 0);
  if (name == kGmt0) return Gmt0();
  absl::string_view offset = name;
  absl::string_view prefix;
  for (const absl::string_view known : kPrefixes) {
    if (!absl::ConsumePrefix(&offset, known)) continue;
    prefix = known;
    break;
  }
  if (offset.empty() && !prefix.empty()) return FixedZone(prefix, 0);
  if (const std::optional<int> seconds = OffsetSeconds(offset)) {
    return FixedZone(prefix, *seconds);
  }
  if (IsRegion(name)) {
    if (std::optional<Zone> zone = LoadRegion(name)) return *std::move(zone);
  }
  return absl::InvalidArgumentError(
      absl::StrCat("Unknown time zone: ", name.substr(0, 100)));
}

absl::string_view LongestZoneName(
    absl::string_view text,
    absl::FunctionRef<bool(absl::string_view)> is_name) {
  text = text.substr(0, kMaxZoneNameBytes);
  text = text.substr(
      0, static_cast<size_t>(absl::c_find_if_not(text, IsInZoneName) -
                             text.begin()));
  while (!text.empty() && !is_name(text)) text.remove_suffix(1);
  return text;
}

std::optional<Zone> TakeZone(absl::string_view& text) {
  if (absl::StartsWith(text, "+") || absl::StartsWith(text, "-")) {
    const std::optional<int> seconds = TakeOffsetId(text);
    if (!seconds.has_value()) return std::nullopt;
    return FixedZone("", *seconds);
  }
  if (text == kGmt0) {
    text = "";
    return Gmt0();
  }
  const absl::string_view region = LongestZoneName(text, IsRegion);
  for (const absl::string_view prefix : kPrefixes) {
    if (!absl::StartsWith(text, prefix)) continue;
    text.remove_prefix(prefix.size());
    absl::string_view rest = text;
    std::optional<int> seconds;
    if (!absl::StartsWith(rest, "Z")) seconds = TakeOffsetId(rest);
    if (seconds.has_value()) text = rest;
    return FixedZone(prefix, seconds.value_or(0));
  }
  if (!region.empty()) {
    std::optional<Zone> zone = LoadRegion(region);
    if (zone.has_value()) text.remove_prefix(region.size());
    return zone;
  }
  if (!absl::ConsumePrefix(&text, "Z")) return std::nullopt;
  return FixedZone("", 0);
}

}  // namespace byoshin::local::appsync::script

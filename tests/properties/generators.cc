#include "tests/properties/generators.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "rapidcheck.h"

namespace byoshin::properties {
namespace {

absl::Time Utc(const absl::CivilSecond& civil) {
  return absl::FromCivil(civil, absl::UTCTimeZone());
}

absl::Time First() { return Utc(absl::CivilSecond(1)); }

absl::Time Last() {
  return Utc(absl::CivilSecond(10000)) - absl::Nanoseconds(1);
}

// rapidcheck starts its ranges small and lets them grow from case to case,
// which would leave most cases in the first centuries.
template <typename T>
rc::Gen<T> Evenly(T min, T max) {
  return rc::gen::resize(rc::kNominalSize, rc::gen::inRange<T>(min, max + 1));
}

rc::Gen<absl::Time> Anywhere() {
  return rc::gen::map(
      rc::gen::pair(Evenly<int64_t>(absl::ToUnixSeconds(First()),
                                    absl::ToUnixSeconds(Last())),
                    Evenly<int64_t>(0, 999999999)),
      [](const std::pair<int64_t, int64_t>& time) {
        return absl::FromUnixSeconds(time.first) +
               absl::Nanoseconds(time.second);
      });
}

// Where something starts or ends.
rc::Gen<absl::Time> Landmark() {
  return rc::gen::oneOf(
      rc::gen::element(First(), Last(), absl::UnixEpoch(),
                       Utc(absl::CivilSecond(1900, 3, 1)),
                       Utc(absl::CivilSecond(2000, 2, 29)),
                       Utc(absl::CivilSecond(2024, 2, 29)),
                       Utc(absl::CivilSecond(2038, 1, 19, 3, 14, 8))),
      rc::gen::map(Anywhere(),
                   [](absl::Time time) {
                     return Utc(absl::ToCivilMinute(time, absl::UTCTimeZone()));
                   }),
      rc::gen::map(Anywhere(),
                   [](absl::Time time) {
                     return Utc(absl::ToCivilDay(time, absl::UTCTimeZone()));
                   }),
      rc::gen::map(Anywhere(), [](absl::Time time) {
        return Utc(absl::ToCivilYear(time, absl::UTCTimeZone()));
      }));
}

// On the spot, one step to either side, or up to ten seconds away.
rc::Gen<absl::Duration> SmallDistance() {
  return rc::gen::oneOf(
      rc::gen::element(absl::ZeroDuration(), absl::Nanoseconds(1),
                       -absl::Nanoseconds(1), absl::Milliseconds(1),
                       -absl::Milliseconds(1), absl::Seconds(1),
                       -absl::Seconds(1), absl::Seconds(5), -absl::Seconds(5)),
      rc::gen::map(Evenly<int64_t>(-10000000000, 10000000000),
                   [](int64_t n) { return absl::Nanoseconds(n); }));
}

}  // namespace

rc::Gen<absl::Time> AnyIso8601Time() {
  return rc::gen::oneOf(
      Anywhere(),
      rc::gen::map(rc::gen::pair(Landmark(), SmallDistance()),
                   [](const std::pair<absl::Time, absl::Duration>& near) {
                     return std::clamp(near.first + near.second, First(),
                                       Last());
                   }));
}

}  // namespace byoshin::properties

// Times as tests write them: Utc({2025, 12, 2, 10, 23, 0}).
#ifndef BYOSHIN_CORE_TIME_UTC_H_
#define BYOSHIN_CORE_TIME_UTC_H_

#include "absl/time/civil_time.h"
#include "absl/time/time.h"

namespace byoshin::time {

inline absl::Time Utc(const absl::CivilSecond& civil) {
  return absl::FromCivil(civil, absl::UTCTimeZone());
}

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_UTC_H_

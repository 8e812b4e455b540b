// Times rounded to multiples of a step.
//
//   time::FloorTo(now, absl::Minutes(1));  // the start of the minute
#ifndef BYOSHIN_CORE_TIME_FLOOR_H_
#define BYOSHIN_CORE_TIME_FLOOR_H_

#include "absl/time/time.h"

namespace byoshin::time {

// The last multiple of `step`, counted from the Unix epoch, that is not after
// `time`: towards the past, before 1970 too. An infinite time stays as it is.
inline absl::Time FloorTo(absl::Time time, absl::Duration step) {
  return absl::UnixEpoch() + absl::Floor(time - absl::UnixEpoch(), step);
}

}  // namespace byoshin::time

#endif  // BYOSHIN_CORE_TIME_FLOOR_H_

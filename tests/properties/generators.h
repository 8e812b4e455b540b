// What the properties are tried on.
//
//   const absl::Time time = *AnyIso8601Time();
#ifndef BYOSHIN_TESTS_PROPERTIES_GENERATORS_H_
#define BYOSHIN_TESTS_PROPERTIES_GENERATORS_H_

#include "absl/time/time.h"
#include "rapidcheck.h"

namespace byoshin::properties {

// Instants of the years 0001 to 9999, to the nanosecond: spread evenly over all
// of them, and as often close to where mistakes are made, such as the starts of
// minutes, days and years, 1970, leap days, and both ends.
rc::Gen<absl::Time> AnyIso8601Time();

}  // namespace byoshin::properties

#endif  // BYOSHIN_TESTS_PROPERTIES_GENERATORS_H_

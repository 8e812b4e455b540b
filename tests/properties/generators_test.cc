#include "tests/properties/generators.h"

#include <set>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/time/iso8601.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"

namespace byoshin::properties {
namespace {

TEST(AnyIso8601Time, StaysWithinItsYearsAndReachesAllOfThem) {
  std::set<absl::civil_year_t> centuries;
  CheckProperty([&centuries] {
    const absl::Time time = *AnyIso8601Time();
    RC_ASSERT(time::FitsIso8601(time));
    centuries.insert(absl::ToCivilYear(time, absl::UTCTimeZone()).year() / 100);
  });
  // Of 100 centuries, 100 even draws meet 63 on average, and practically never
  // as few as this.
  EXPECT_GT(centuries.size(), 30);
}

}  // namespace
}  // namespace byoshin::properties

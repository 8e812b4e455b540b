#include <string>

#include "absl/status/statusor.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generators.h"

namespace byoshin::properties {
namespace {

using ::testing::Matches;
using ::testing::MatchesRegex;

// **Feature: data-collection-scheduler, Property 5: For any timestamp, the calculated slot time has seconds that are a multiple of 5, is not later than the original timestamp, and differs from it by less than 5 seconds**
TEST(SlotTimeProperty, RoundsAnyTimestampDownToAFiveSecondBoundary) {
  CheckProperty([] {
    const absl::Time time = *AnyIso8601Time();

    const absl::StatusOr<absl::Time> slot =
        time::ParseIso8601(scheduler::CalculateSlotTime(time));

    RC_ASSERT(slot.ok());
    RC_ASSERT(absl::ToCivilSecond(*slot, absl::UTCTimeZone()).second() % 5 ==
              0);
    RC_ASSERT(*slot <= time);
    RC_ASSERT(time - *slot < absl::Seconds(5));
  });
}

// **Feature: data-collection-scheduler, Property 6: For any calculated slot time, the output string matches the ISO 8601 pattern YYYY-MM-DDTHH:mm:ssZ and can be parsed back to an equivalent date**
TEST(SlotTimeProperty, WritesAnySlotTimeAsIso8601ThatParsesBack) {
  CheckProperty([] {
    const absl::Time time = *AnyIso8601Time();

    const std::string text = scheduler::CalculateSlotTime(time);
    const absl::StatusOr<absl::Time> parsed = time::ParseIso8601(text);

    RC_ASSERT(Matches(MatchesRegex(
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"))(text));
    RC_ASSERT(parsed.ok());
    RC_ASSERT(*parsed == scheduler::FloorToSlot(time));
  });
}

}  // namespace
}  // namespace byoshin::properties

// How the correctness properties are tried: on at least 100 generated cases.
//
//   TEST(SlotTimeProperty, IsNeverLaterThanItsInstant) {
//     CheckProperty([] {
//       const absl::Time time = *AnyIso8601Time();
//       RC_ASSERT(FloorToSlot(time) <= time);
//     });
//   }
//
// A failure prints the smallest case found to fail, and the RC_PARAMS setting
// that reproduces it.
#ifndef BYOSHIN_TESTS_PROPERTIES_CHECK_PROPERTY_H_
#define BYOSHIN_TESTS_PROPERTIES_CHECK_PROPERTY_H_

#include <utility>

#include "gtest/gtest.h"
#include "rapidcheck.h"

namespace byoshin::properties {

inline constexpr int kMinCases = 100;

// Counts the cases itself: how many rapidcheck tries can be changed from
// outside (RC_PARAMS), and a property that was hardly tried must not pass.
template <typename Property>
void CheckProperty(Property property) {
  int cases = 0;
  const bool holds = rc::check([&cases, property = std::move(property)] {
    ++cases;
    property();
  });
  ASSERT_TRUE(holds) << "the property does not hold; see above";
  EXPECT_GE(cases, kMinCases);
}

}  // namespace byoshin::properties

#endif  // BYOSHIN_TESTS_PROPERTIES_CHECK_PROPERTY_H_

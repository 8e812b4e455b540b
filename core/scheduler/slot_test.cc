#include "core/scheduler/slot.h"

#include <array>
#include <string>

#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

absl::Time Utc(const absl::CivilSecond& civil) {
  return absl::FromCivil(civil, absl::UTCTimeZone());
}

absl::Time TenTwentyThree(int second) {
  return Utc(absl::CivilSecond(2025, 12, 2, 10, 23, second));
}

TEST(SlotTime, RoundsDownToTheBoundary) {
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(7)), "2025-12-02T10:23:05Z");
}

TEST(SlotTime, KeepsAnInstantOnTheBoundary) {
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(0)), "2025-12-02T10:23:00Z");
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(5)), "2025-12-02T10:23:05Z");
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(55)), "2025-12-02T10:23:55Z");
}

TEST(SlotTime, KeepsMinuteHourDayAndYearBoundaries) {
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2025, 12, 2, 10, 24, 0))),
            "2025-12-02T10:24:00Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2025, 12, 2, 11, 0, 0))),
            "2025-12-02T11:00:00Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2025, 12, 3))),
            "2025-12-03T00:00:00Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2026, 1, 1))),
            "2026-01-01T00:00:00Z");
}

TEST(SlotTime, StaysInTheMinuteHourAndDayUntilTheirLastInstant) {
  const absl::Duration instant = absl::Nanoseconds(1);
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2025, 12, 2, 10, 24, 0)) -
                              instant),
            "2025-12-02T10:23:55Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2025, 12, 2, 11, 0, 0)) -
                              instant),
            "2025-12-02T10:59:55Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(2024, 3, 1)) - instant),
            "2024-02-29T23:59:55Z");
}

TEST(SlotTime, DropsMilliseconds) {
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(5) + absl::Milliseconds(1)),
            "2025-12-02T10:23:05Z");
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(7) + absl::Milliseconds(250)),
            "2025-12-02T10:23:05Z");
  EXPECT_EQ(CalculateSlotTime(TenTwentyThree(9) + absl::Milliseconds(999)),
            "2025-12-02T10:23:05Z");
}

TEST(SlotTime, RoundsTowardsThePastBefore1970) {
  EXPECT_EQ(CalculateSlotTime(absl::UnixEpoch() - absl::Nanoseconds(1)),
            "1969-12-31T23:59:55Z");
  EXPECT_EQ(CalculateSlotTime(absl::UnixEpoch() - absl::Seconds(5)),
            "1969-12-31T23:59:55Z");
  EXPECT_EQ(CalculateSlotTime(Utc(absl::CivilSecond(1, 1, 1, 0, 0, 4))),
            "0001-01-01T00:00:00Z");
}

TEST(FloorToSlot, KeepsInfiniteTimes) {
  EXPECT_EQ(FloorToSlot(absl::InfiniteFuture()), absl::InfiniteFuture());
  EXPECT_EQ(FloorToSlot(absl::InfinitePast()), absl::InfinitePast());
}

TEST(FloorToMinute, RoundsTowardsThePast) {
  EXPECT_EQ(FloorToMinute(TenTwentyThree(0)), TenTwentyThree(0));
  EXPECT_EQ(FloorToMinute(TenTwentyThree(59) + absl::Milliseconds(999)),
            TenTwentyThree(0));
  EXPECT_EQ(FloorToMinute(absl::UnixEpoch() - absl::Nanoseconds(1)),
            absl::UnixEpoch() - absl::Minutes(1));
}

TEST(SlotConstants, FillTheMinute) {
  EXPECT_EQ(kSlotInterval * kSlotsPerMinute, absl::Minutes(1));
}

TEST(WindowsOfMinute, FollowEachOtherThroughTheMinuteWithoutGaps) {
  const auto windows = WindowsOfMinute(TenTwentyThree(0));
  absl::Time expected = TenTwentyThree(0);
  for (const Window& window : windows) {
    EXPECT_EQ(window.from, expected);
    EXPECT_EQ(window.to, expected + absl::Seconds(5));
    EXPECT_TRUE(IsSlotWindow(window));
    expected = window.to;
  }
  EXPECT_EQ(expected, Utc(absl::CivilSecond(2025, 12, 2, 10, 24, 0)));
}

TEST(WindowsOfMinute, AreTheSameForEveryInstantOfTheMinute) {
  EXPECT_EQ(WindowsOfMinute(TenTwentyThree(59) + absl::Milliseconds(999)),
            WindowsOfMinute(TenTwentyThree(0)));
}

TEST(WindowsOfMinute, MoveBackByTheLag) {
  const auto windows = WindowsOfMinute(TenTwentyThree(30), absl::Seconds(10));
  EXPECT_EQ(windows.front().from,
            Utc(absl::CivilSecond(2025, 12, 2, 10, 22, 50)));
  EXPECT_EQ(windows.back().to, TenTwentyThree(50));
}

TEST(WindowsOfMinute, RoundALagUpSoThatWindowsStaySlots) {
  EXPECT_EQ(WindowsOfMinute(TenTwentyThree(0), absl::Milliseconds(5001)),
            WindowsOfMinute(TenTwentyThree(0), absl::Seconds(10)));
  EXPECT_EQ(WindowsOfMinute(TenTwentyThree(0), absl::Seconds(1)),
            WindowsOfMinute(TenTwentyThree(0), absl::Seconds(5)));
}

TEST(IsSlotWindow, RefusesWhatIsNotExactlyOneSlot) {
  const absl::Time start = TenTwentyThree(5);
  EXPECT_TRUE(IsSlotWindow({start, start + kSlotInterval}));
  EXPECT_FALSE(IsSlotWindow({start, start}));
  EXPECT_FALSE(IsSlotWindow({start, start + 2 * kSlotInterval}));
  EXPECT_FALSE(IsSlotWindow({start + kSlotInterval, start}));
  EXPECT_FALSE(IsSlotWindow(
      {start + absl::Seconds(1), start + absl::Seconds(1) + kSlotInterval}));
  EXPECT_FALSE(IsSlotWindow({absl::InfiniteFuture(), absl::InfiniteFuture()}));
}

}  // namespace
}  // namespace byoshin::scheduler

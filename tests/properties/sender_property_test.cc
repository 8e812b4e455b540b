#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/scheduler/message.h"
#include "core/scheduler/plan.h"
#include "core/scheduler/sender.h"
#include "core/scheduler/slot.h"
#include "core/scheduler/testing/fake_queue.h"
#include "core/time/iso8601.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generators.h"

namespace byoshin::properties {
namespace {

using scheduler::testing::FakeQueue;
using time::testing::InstantClock;

// Multiples of 5 seconds: mostly such as people set, sometimes centuries.
rc::Gen<absl::Duration> AnyLag() {
  return rc::gen::map(
      rc::gen::oneOf(rc::gen::just<int64_t>(0),
                     rc::gen::inRange<int64_t>(0, 1000),
                     rc::gen::inRange<int64_t>(0, int64_t{1} << 30)),
      [](int64_t slots) { return slots * scheduler::kSlotInterval; });
}

// The windows of a minute at either end of the calendar may leave it.
bool HasWindows(absl::Time time, absl::Duration lag) {
  const absl::Time base = scheduler::FloorToMinute(time) - lag;
  return time::FitsIso8601(base) && time::FitsIso8601(base + absl::Minutes(1));
}

// Some of the twelve entries, for a queue to refuse.
rc::Gen<std::set<std::string>> AnySlots() {
  return rc::gen::map(
      rc::gen::inRange(0, 1 << scheduler::kSlotsPerMinute), [](int bits) {
        std::set<std::string> slots;
        for (int slot = 0; slot < scheduler::kSlotsPerMinute; ++slot) {
          if ((bits >> slot & 1) != 0) {
            slots.insert(absl::StrCat(slot));
          }
        }
        return slots;
      });
}

// **Feature: data-collection-scheduler, Property 1: For any execution of the Sender Lambda, the function generates exactly 12 messages, and their DelaySeconds values form the sequence [0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55]**
TEST(SenderProperty, SendsTwelveMessagesWhoseDelaysAreFiveSecondsApart) {
  CheckProperty([] {
    const absl::Time event_time = *AnyIso8601Time();
    const absl::Duration lag = *AnyLag();
    RC_PRE(HasWindows(event_time, lag));
    // How long after it was due the function runs doesn't matter, and the
    // queue may refuse any of the messages at first.
    const absl::Time now = std::max(*AnyIso8601Time(), event_time);
    FakeQueue queue;
    queue.FailEntries(*AnySlots(), FakeQueue::Fault::kService);
    queue.FailEntries(*AnySlots(), FakeQueue::Fault::kService);
    InstantClock clock(now);
    log::testing::RecordingSink sink;
    log::Logger logger(clock, sink);
    scheduler::Sender sender(
        {.queue_url = "http://localhost/1/slots", .window_lag = lag},
        {.queue = queue, .clock = clock, .logger = logger});

    const absl::StatusOr<std::string> response = sender.Handle(
        {.payload = absl::StrCat(R"({"time":")",
                                 time::FormatIso8601(event_time), R"("})"),
         .request_id = "r",
         .deadline = absl::InfiniteFuture()});

    RC_ASSERT(response.ok());
    std::vector<int64_t> delays;
    std::set<std::string> bodies;
    for (const FakeQueue::Entry& entry : queue.taken()) {
      delays.push_back(absl::ToInt64Seconds(entry.delay));
      bodies.insert(entry.body);
    }
    std::sort(delays.begin(), delays.end());
    RC_ASSERT(delays == std::vector<int64_t>(
                            {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55}));
    RC_ASSERT(bodies.size() == 12u);
  });
}

// **Feature: data-collection-scheduler, Property 2: For any base time (second 0 of a minute), the 12 messages that the Sender Lambda generates each have a contiguous time window (from, to) of exactly 5 seconds, with to - from = 5 seconds and from < to**
TEST(SenderProperty, GivesAnyMinuteTwelveContiguousWindowsOfFiveSeconds) {
  CheckProperty([] {
    const absl::Time time = *AnyIso8601Time();
    const absl::Duration lag = *AnyLag();
    RC_PRE(HasWindows(time, lag));

    const absl::StatusOr<scheduler::Plan> plan =
        scheduler::PlanMinute(time, lag);

    RC_ASSERT(plan.ok());
    absl::Time expected_from = scheduler::FloorToMinute(time) - lag;
    for (const scheduler::PlannedMessage& message : *plan) {
      // As it arrives at the other end of the queue.
      const absl::StatusOr<scheduler::Window> window =
          scheduler::ParseMessage(scheduler::WriteMessage(message.window));
      RC_ASSERT(window.ok());
      RC_ASSERT(window->from < window->to);
      RC_ASSERT(window->to - window->from == absl::Seconds(5));
      RC_ASSERT(window->from == expected_from);
      expected_from = window->to;
    }
    RC_ASSERT(expected_from ==
              scheduler::FloorToMinute(time) - lag + absl::Minutes(1));
  });
}

}  // namespace
}  // namespace byoshin::properties

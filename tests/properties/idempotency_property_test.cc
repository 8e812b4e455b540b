#include <json/json.h>

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/scheduler/collector.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/message.h"
#include "core/scheduler/slot.h"
#include "core/scheduler/testing/fake_table.h"
#include "core/time/iso8601.h"
#include "core/time/testing/instant_clock.h"
#include "gtest/gtest.h"
#include "rapidcheck.h"
#include "tests/properties/check_property.h"
#include "tests/properties/generators.h"

namespace byoshin::properties {
namespace {

using scheduler::testing::FakeTable;
using time::testing::InstantClock;

// One delivery of the message of one of a few slots.
struct Delivery {
  scheduler::Window window;
  // What the API answers this time: it need not be what it answered before.
  int64_t count;
  enum class Fate { kAnswered, kAnswerLost, kRequestLost } fate;
};

std::vector<Delivery> AnyDeliveries() {
  const absl::Time first = scheduler::FloorToSlot(*AnyIso8601Time());
  const int slots = *rc::gen::inRange(1, 5);
  RC_PRE(time::FitsIso8601(first + slots * scheduler::kSlotInterval));
  std::vector<Delivery> deliveries;
  for (const auto& [slot, count, fate] : *rc::gen::nonEmpty(
           rc::gen::container<std::vector<std::tuple<int, int64_t, int>>>(
               rc::gen::tuple(rc::gen::inRange(0, slots),
                              rc::gen::inRange<int64_t>(0, 1000),
                              rc::gen::inRange(0, 3))))) {
    const absl::Time from = first + slot * scheduler::kSlotInterval;
    deliveries.push_back({{from, from + scheduler::kSlotInterval},
                          count,
                          static_cast<Delivery::Fate>(fate)});
  }
  return deliveries;
}

std::string EventOf(const Delivery& delivery) {
  Json::Value event(Json::objectValue);
  event["Records"][0]["messageId"] = "m";
  event["Records"][0]["body"] = scheduler::WriteMessage(delivery.window);
  return json::WriteValue(event);
}

http::Response AnswerTo(const Delivery& delivery) {
  return {.status = 200,
          .headers = {},
          .body = absl::StrCat(
              R"({"from":")", time::FormatIso8601(delivery.window.from),
              R"(","to":")", time::FormatIso8601(delivery.window.to),
              R"(","count":)", delivery.count, "}")};
}

// **Feature: data-collection-scheduler, Property 9: For any metric record, when the same record (same metricName and slotTime) is written multiple times, the table contains exactly one record with consistent data**
TEST(IdempotencyProperty, KeepsOneRecordOfASlotHoweverOftenItIsDelivered) {
  CheckProperty([] {
    http::testing::FakeClient http_client;
    FakeTable table;
    InstantClock clock(absl::UnixEpoch());
    log::testing::RecordingSink sink;
    log::Logger logger(clock, sink);
    scheduler::Collector collector({.api_base_url = "http://localhost:3000",
                                    .table_name = scheduler::kMetricsTableName,
                                    .window_lag = absl::ZeroDuration()},
                                   {.http_client = http_client,
                                    .table = table,
                                    .clock = clock,
                                    .logger = logger});
    // What was written first, by slot.
    std::map<std::string, int64_t> expected;

    std::vector<Delivery> deliveries = AnyDeliveries();
    // SQS delivers until it hears of success.
    deliveries.push_back(deliveries.front());
    deliveries.back().fate = Delivery::Fate::kAnswered;
    for (const Delivery& delivery : deliveries) {
      http_client.Answer(AnswerTo(delivery));
      if (delivery.fate == Delivery::Fate::kAnswerLost) {
        table.Fail(absl::DeadlineExceededError("no answer"),
                   FakeTable::Effect::kWritten);
      } else if (delivery.fate == Delivery::Fate::kRequestLost) {
        table.Fail(absl::UnavailableError("no connection"));
      }
      const absl::StatusOr<std::string> response =
          collector.Handle({.payload = EventOf(delivery),
                            .request_id = "r",
                            .deadline = absl::InfiniteFuture()});
      RC_ASSERT(response.ok());
      const bool succeeded = *response == R"({"batchItemFailures":[]})";
      RC_ASSERT(succeeded == (delivery.fate == Delivery::Fate::kAnswered));
      if (delivery.fate != Delivery::Fate::kRequestLost) {
        expected.insert({scheduler::CalculateSlotTime(delivery.window.from),
                         delivery.count});
      }
    }

    RC_ASSERT(table.items().size() == expected.size());
    for (const auto& [slot_time, count] : expected) {
      using aws::dynamodb::AttributeValue;
      const FakeTable::Item item =
          table.items().at({scheduler::kMetricName, slot_time});
      RC_ASSERT(item == FakeTable::Item(
                            {{"metricName",
                              AttributeValue(std::string("ai_response_count"))},
                             {"slotTime", AttributeValue(slot_time)},
                             {"count", AttributeValue(count)}}));
    }
  });
}

}  // namespace
}  // namespace byoshin::properties

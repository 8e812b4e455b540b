// Slots over a real table and a real schedule.
#include "local/applications/scheduler/slot_source.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/floor.h"
#include "core/time/iso8601.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/slot_panel.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/time_range.h"
#include "local/dynamodb/dynamodb.h"
#include "local/events/events.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/queues/testing/fake_queues.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::applications {
namespace {

constexpr char kTestRegion[] = "eu-west-1";
constexpr absl::Duration kYear = absl::Hours(24 * 365);
const absl::Time kSourceBegin = absl::FromUnixSeconds(1'764'670'980);

// No event of a rule arrives anywhere.
class NoTargets final : public events::Targets {
 public:
  void Deliver(const events::Target&, const std::string&, std::string,
               std::function<void(absl::Status)>) override {}
};

class SlotSourceTest : public ::testing::Test {
 protected:
  SlotSourceTest() {
    events_ = *events::Events::Open({.store = *events_store_,
                                     .clock = clock_,
                                     .targets = targets_,
                                     .sink = sink_,
                                     .timer = timer_});
    slots_ = std::make_unique<SlotSource>(
        SlotSource::World{.clock = clock_,
                          .dynamodb = *dynamodb_,
                          .events = *events_,
                          .region = kTestRegion,
                          .on_change = [this] { ++changes_; }});
    Call("CreateTable", R"({"TableName":"records",
        "BillingMode":"PAY_PER_REQUEST",
        "AttributeDefinitions":[
            {"AttributeName":"metricName","AttributeType":"S"},
            {"AttributeName":"slotTime","AttributeType":"S"}],
        "KeySchema":[{"AttributeName":"metricName","KeyType":"HASH"},
                     {"AttributeName":"slotTime","KeyType":"RANGE"}]})");
  }

  Json::Value Call(const std::string& operation, absl::string_view request) {
    const absl::StatusOr<Json::Value> answer = CallInProcess(
        *dynamodb_, {.operation = operation, .region = kTestRegion},
        *json::ParseValue(request));
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.value_or(Json::Value());
  }
  // In the table; with a lateness, also as a record that was seen.
  void StoreRecord(int number, std::optional<absl::Duration> lateness) {
    StoreRecordAt(kSourceBegin + number * scheduler::kSlotInterval, lateness);
  }
  void StoreRecordAt(absl::Time slot, std::optional<absl::Duration> lateness) {
    Call("PutItem",
         absl::StrCat(
             R"({"TableName":"records","Item":{"count":{"N":"3"},)"
             R"("metricName":{"S":"ai_response_count"},"slotTime":{"S":")",
             time::FormatIso8601(slot), R"("}}})"));
    if (lateness.has_value()) {
      slots_->AddRecord({.slot = slot, .count = 3, .lateness = lateness});
    }
  }
  std::int64_t StoredItems() {
    return Call("Scan", R"({"TableName":"records"})")["Count"].asInt64();
  }
  std::optional<std::int64_t> Missing() {
    return slots_->GetStatus().records.missing;
  }
  std::vector<absl::Time> VisitedFrom(absl::Time from) {
    std::vector<absl::Time> slots;
    const absl::Status visited = slots_->VisitRecords(
        {from, absl::InfiniteFuture()}, [&](const SlotRecord& record) {
          slots.push_back(record.slot);
          return true;
        });
    EXPECT_TRUE(visited.ok()) << visited;
    return slots;
  }
  // Until all that the table holds has been read.
  void AwaitRecords() {
    ASSERT_TRUE(
        slots_->VisitRecords({}, [](const auto&) { return true; }).ok());
  }
  void PutScheduleRule() {
    const absl::Status put =
        events_->PutRule({.name = "minute",
                          .region = kTestRegion,
                          .arn = "arn:rule",
                          .schedule_expression = "rate(1 minute)",
                          .targets = {{.id = "sender", .arn = "arn:sender"}}});
    EXPECT_TRUE(put.ok()) << put;
  }

  // The scheduler's functions and its rule.
  static cloudformation::Stack SchedulerStack(const char* name = "byoshin",
                                              int lag_seconds = 10) {
    cloudformation::Stack stack{.name = name};
    for (const char* function_name : {"sender", "collector"}) {
      cloudformation::StackResource& function = stack.resources[function_name];
      function.type = "AWS::Lambda::Function";
      function.state = {
          .physical_id = function_name,
          .attributes = {{"Arn", absl::StrCat("arn:", function_name)}}};
    }
    Json::Value& of_sender =
        stack.resources["sender"].properties["Environment"]["Variables"];
    of_sender[scheduler::kQueueUrlVariable] = "http://127.0.0.1:1/0/jobs";
    of_sender[scheduler::kWindowLagVariable] = absl::StrCat(lag_seconds);
    Json::Value& of_collector =
        stack.resources["collector"].properties["Environment"]["Variables"];
    of_collector[scheduler::kApiBaseUrlVariable] = "http://127.0.0.1:3000";
    of_collector[scheduler::kTableNameVariable] = "records";
    cloudformation::StackResource& rule = stack.resources["Minute"];
    rule.type = "AWS::Events::Rule";
    rule.state.attributes["Arn"] = "arn:rule";
    Json::Value target;
    target["Arn"] = "arn:sender";
    rule.properties["Targets"].append(target);
    return stack;
  }

  time::SimulatedClock clock_{kSourceBegin};
  time::testing::ManualTimer timer_;
  std::unique_ptr<Store> dynamodb_store_ = *OpenSqliteStore({});
  std::unique_ptr<Store> events_store_ = *OpenSqliteStore({});
  std::unique_ptr<dynamodb::DynamoDb> dynamodb_ =
      *dynamodb::DynamoDb::Open(*dynamodb_store_, clock_, {});
  NoTargets targets_;
  queues::FakeQueues sink_{clock_};
  std::unique_ptr<events::Events> events_;
  std::atomic<int> changes_ = 0;
  std::unique_ptr<SlotSource> slots_;
};

TEST_F(SlotSourceTest, ExpectsSlotsFromTheFirstFiringThoughNoneIsStored) {
  slots_->Load(SchedulerStack());
  AwaitRecords();
  EXPECT_EQ(Missing(), 0);
  PutScheduleRule();
  events_->Begin();  // and fires after a minute
  clock_.RunUntil(kSourceBegin + absl::Minutes(3));
  const dashboard::TimeRange expected = slots_->ExpectedSlots();
  EXPECT_EQ(expected.from, kSourceBegin + absl::Minutes(1) - absl::Seconds(10));
  // Due for longer than the grace: the lag is not lateness.
  EXPECT_EQ(expected.to, kSourceBegin + absl::Minutes(3) - absl::Seconds(20));
  EXPECT_EQ(Missing(), 22);
  StoreRecord(12, absl::ZeroDuration());  // the third
  StoreRecord(35, absl::ZeroDuration());  // not expected yet
  EXPECT_EQ(Missing(), 21);

  slots_->ExpectSlotsFrom(kSourceBegin + absl::Seconds(30));
  EXPECT_EQ(Missing(), 25);
  // What was deleted is not missing; from the next firing on, it counts again.
  EXPECT_EQ(slots_->DeleteRecords().value_or(0), 2);
  EXPECT_EQ(Missing(), 0);
  clock_.RunUntil(kSourceBegin + absl::Minutes(5));
  EXPECT_EQ(slots_->ExpectedSlots().from,
            kSourceBegin + absl::Minutes(4) - absl::Seconds(10));
}

TEST_F(SlotSourceTest, ExpectsNoSlotsOfAnotherStack) {
  cloudformation::Stack stack = SchedulerStack();
  stack.resources.erase("collector");
  EXPECT_TRUE(slots_->Load(stack));
  PutScheduleRule();
  events_->Begin();
  clock_.RunUntil(kSourceBegin + absl::Minutes(2));
  EXPECT_EQ(CountSlots(slots_->ExpectedSlots()), 0);
  EXPECT_FALSE(slots_->parts().has_value());
  EXPECT_FALSE(slots_->IsTable("records"));
}

TEST_F(SlotSourceTest, ReadsWhatTheTableHolds) {
  for (int slot = 0; slot < 300; ++slot) StoreRecord(slot, std::nullopt);
  slots_->Load(SchedulerStack());
  std::int64_t seen = 0;
  ASSERT_TRUE(slots_
                  ->VisitRecords({absl::InfinitePast(), absl::InfiniteFuture()},
                                 [&](const SlotRecord&) {
                                   ++seen;
                                   return true;
                                 })
                  .ok());
  EXPECT_EQ(seen, 300);
  EXPECT_GT(changes_, 1);
  EXPECT_TRUE(slots_->IsTable("records"));
  EXPECT_TRUE(slots_->IsTable("arn:aws:dynamodb:r:0:table/records"));
  EXPECT_FALSE(slots_->IsTable("other"));
}

TEST_F(SlotSourceTest, ShowsTheSeriesThoughARecordIsFromTheFuture) {
  for (int slot = 0; slot < 12; ++slot) StoreRecord(slot, std::nullopt);
  StoreRecordAt(kSourceBegin + kYear, std::nullopt);
  slots_->Load(SchedulerStack());
  slots_->ExpectSlotsFrom(kSourceBegin);
  EXPECT_EQ(VisitedFrom(kSourceBegin).size(), 13u);
  clock_.RunUntil(kSourceBegin + absl::Minutes(2));
  EXPECT_EQ(slots_->GetStatus().records.total, 13);
  EXPECT_EQ(Missing(), 20 - 12);
  // While it runs.
  StoreRecordAt(kSourceBegin + 2 * kYear, absl::ZeroDuration());
  EXPECT_EQ(VisitedFrom(kSourceBegin).size(), 14u);
  EXPECT_EQ(Missing(), 20 - 12);
}

TEST_F(SlotSourceTest, MissesNothingBeforeTheScheduleThoughAnOldMinuteIsSent) {
  slots_->Load(SchedulerStack());
  AwaitRecords();
  StoreRecordAt(kSourceBegin - kYear, absl::ZeroDuration());
  EXPECT_EQ(Missing(), 0) << "nothing was scheduled";
  PutScheduleRule();
  events_->Begin();  // and fires after a minute
  clock_.RunUntil(kSourceBegin + absl::Minutes(3));
  EXPECT_EQ(Missing(), 22);
  EXPECT_EQ(VisitedFrom(absl::InfinitePast()).size(), 1u);
  // In the minute in which an earlier run of this cloud was started.
  StoreRecord(2, absl::ZeroDuration());
  EXPECT_EQ(slots_->ExpectedSlots().from, kSourceBegin + absl::Seconds(10));
  EXPECT_EQ(Missing(), 29);
}

TEST_F(SlotSourceTest, ReadsFromTheTableWhatMemoryDoesNotHold) {
  const absl::Time old = kSourceBegin - kYear;
  std::vector<absl::Time> stored;
  const auto store = [&](absl::Time slot) {
    StoreRecordAt(slot, std::nullopt);
    stored.push_back(slot);
  };
  // More than a page, and more hours than are held in memory.
  for (int i = 0; i < 300; ++i) store(old + i * scheduler::kSlotInterval);
  for (std::size_t hour = 0; hour < kMaxRememberedHours + 2; ++hour) {
    store(kSourceBegin + hour * absl::Hours(1));
  }
  clock_.RunUntil(kSourceBegin + absl::Hours(24) * 100);
  slots_->Load(SchedulerStack());
  slots_->ExpectSlotsFrom(kSourceBegin);
  EXPECT_EQ(VisitedFrom(absl::InfinitePast()), stored);
  EXPECT_EQ(slots_->GetStatus().records.total, kMaxRememberedHours);
  // Only in what is held, slots that are missing are counted.
  EXPECT_EQ(slots_->ExpectedSlots().from,
            time::FloorTo(kSourceBegin, absl::Hours(1)) + absl::Hours(2));
  EXPECT_EQ(Missing(), CountSlots(slots_->ExpectedSlots()) -
                           static_cast<std::int64_t>(kMaxRememberedHours));

  const absl::Time sent_again = old + absl::Hours(1);
  StoreRecordAt(sent_again, absl::ZeroDuration());
  EXPECT_EQ(VisitedFrom(sent_again - absl::Minutes(1)).front(), sent_again);
  std::vector<absl::Time> some;
  ASSERT_TRUE(slots_
                  ->VisitRecords({sent_again, absl::InfiniteFuture()},
                                 [&](const SlotRecord& record) {
                                   some.push_back(record.slot);
                                   return some.size() < 3;
                                 })
                  .ok());
  EXPECT_EQ(some, (std::vector<absl::Time>{sent_again, kSourceBegin,
                                           kSourceBegin + absl::Hours(1)}));

  EXPECT_EQ(slots_->DeleteRecords().value_or(0), stored.size() + 1);
  EXPECT_EQ(StoredItems(), 0);
  EXPECT_TRUE(VisitedFrom(absl::InfinitePast()).empty());
}

TEST_F(SlotSourceTest, ShowsTheSchedulerThatWasDeployedFirst) {
  EXPECT_TRUE(slots_->Load(SchedulerStack("first", 10)));
  EXPECT_FALSE(slots_->Load(SchedulerStack("second", 20)));
  EXPECT_TRUE(slots_->Load(cloudformation::Stack{.name = "third"}));
  EXPECT_EQ(slots_->window_lag(), absl::Seconds(10));
  // Deleted: it has no resources.
  EXPECT_TRUE(slots_->Load(cloudformation::Stack{.name = "first"}));
  EXPECT_FALSE(slots_->parts().has_value());
  EXPECT_TRUE(slots_->Load(SchedulerStack("second", 20)));
  EXPECT_EQ(slots_->window_lag(), absl::Seconds(20));
}

TEST_F(SlotSourceTest, CountsWhatIsMissingOrLateSinceATime) {
  slots_->Load(SchedulerStack());
  slots_->ExpectSlotsFrom(kSourceBegin);
  clock_.RunUntil(kSourceBegin + absl::Minutes(2));
  // Ten slots are due at second 10 and later, until those of the last 10 s.
  for (int slot = 0; slot < 12; ++slot) {
    StoreRecord(slot, slot < 3 ? absl::Minutes(1) : absl::Seconds(1));
  }
  const SlotSource::Shortfall all = slots_->CountSince(kSourceBegin);
  EXPECT_EQ(all.missing, 20 - 12);
  EXPECT_EQ(all.late, 3);
  const SlotSource::Shortfall later =
      slots_->CountSince(kSourceBegin + absl::Seconds(10 + 5));
  EXPECT_EQ(later.missing, 20 - 12);
  EXPECT_EQ(later.late, 2);
  EXPECT_EQ(slots_->CountSince(clock_.Now() + absl::Minutes(1)).missing, 0);
}

TEST_F(SlotSourceTest, DeletesMoreThanFitIntoOneRequest) {
  slots_->Load(SchedulerStack());
  for (int round = 0; round < 2; ++round) {
    for (int slot = 0; slot < 60; ++slot) {
      StoreRecord(slot, absl::ZeroDuration());
    }
    EXPECT_EQ(slots_->DeleteRecords().value_or(0), 60);
    EXPECT_EQ(StoredItems(), 0);
    EXPECT_EQ(slots_->GetStatus().records.total, 0);
  }
}

// The answer of the panel's endpoint of this name.
absl::StatusOr<Json::Value> Ask(SlotPanel& panel, absl::string_view name,
                                const std::string& query) {
  for (const dashboard::PanelEndpoint& endpoint : panel.endpoints()) {
    if (endpoint.name != name) continue;
    const absl::StatusOr<std::string> answer =
        endpoint.answer(http::ServerRequest{.query = query});
    if (!answer.ok()) return answer.status();
    return json::ParseValue(*answer);
  }
  return absl::NotFoundError(name);
}

TEST_F(SlotSourceTest, IsShownByThePanelOnceASchedulerIsDeployed) {
  SlotPanel panel(*slots_);
  EXPECT_FALSE(panel.IsShown());
  slots_->Load(SchedulerStack());
  EXPECT_TRUE(panel.IsShown());
  AwaitRecords();
  slots_->ExpectSlotsFrom(kSourceBegin);
  StoreRecord(3, absl::ZeroDuration());
  clock_.RunUntil(kSourceBegin + absl::Minutes(1));
  json::Writer json;
  panel.WriteStatus(json);
  const Json::Value status = *json::ParseValue(json.text());
  EXPECT_EQ(status["slotMs"], 5000);
  EXPECT_EQ(status["windowLagMs"], 10'000);
  EXPECT_EQ(status["records"]["total"], 1);
  EXPECT_EQ(status["records"]["missing"], 7);
  EXPECT_EQ(status["expected"]["from"].asInt64(),
            absl::ToUnixMillis(kSourceBegin));
}

TEST_F(SlotSourceTest, AggregatesASeries) {
  SlotPanel panel(*slots_);
  slots_->Load(SchedulerStack());
  slots_->ExpectSlotsFrom(kSourceBegin);
  AwaitRecords();
  StoreRecord(0, absl::Microseconds(1500));
  slots_->AddRecord(
      {.slot = kSourceBegin + 2 * scheduler::kSlotInterval, .count = 7});
  clock_.RunUntil(kSourceBegin + absl::Minutes(1));
  const auto at = [](int slot) {
    return absl::ToUnixMillis(kSourceBegin + slot * scheduler::kSlotInterval);
  };
  const absl::StatusOr<Json::Value> series =
      Ask(panel, "series",
          absl::StrCat("from=", at(0), "&to=", at(3), "&buckets=10"));
  ASSERT_TRUE(series.ok()) << series.status();
  EXPECT_EQ((*series)["bucketMs"], 5000);
  EXPECT_EQ(json::WriteValue((*series)["count"]["max"]), "[3,null,7]");
  EXPECT_EQ(json::WriteValue((*series)["missing"]), "[0,1,0]");
  EXPECT_EQ(json::WriteValue((*series)["lateness"]["p99"]), "[1.5,null,null]");
  EXPECT_EQ((*series)["summary"]["expected"], 3);
  EXPECT_EQ((*series)["summary"]["count"]["avg"].asDouble(), 5);
  for (const char* wrong : {"", "from=5&to=5", "from=1&to=9&buckets=1"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(Ask(panel, "series", wrong).status()))
        << wrong;
  }
}

TEST_F(SlotSourceTest, GivesRecordsInPages) {
  SlotPanel panel(*slots_);
  slots_->Load(SchedulerStack());
  for (int i = 0; i < 5; ++i) {
    slots_->AddRecord(
        {.slot = kSourceBegin + i * scheduler::kSlotInterval, .count = i});
  }
  const std::int64_t to = absl::ToUnixMillis(kSourceBegin + absl::Minutes(1));
  std::int64_t from = absl::ToUnixMillis(kSourceBegin);
  std::string counts;
  int pages = 0;
  while (from != 0) {
    const Json::Value page = *Ask(
        panel, "records", absl::StrCat("from=", from, "&to=", to, "&limit=2"));
    for (const Json::Value& record : page["records"]) {
      absl::StrAppend(&counts, record["count"].asInt64());
    }
    from = page["next"].asInt64();
    ++pages;
  }
  EXPECT_EQ(pages, 3);
  EXPECT_EQ(counts, "01234");
}

}  // namespace
}  // namespace byoshin::local::applications

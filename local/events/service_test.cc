// EventBridge's API over the wire.

#include "local/events/service.h"

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "gtest/gtest.h"
#include "local/events/events.h"
#include "local/events/rule.h"
#include "local/gateway/service.h"
#include "local/queues/testing/fake_queues.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::events {
namespace {

constexpr char kRegion[] = "us-east-1";

class NoTargets final : public Targets {
 public:
  void Deliver(const Target&, const std::string&, std::string,
               std::function<void(absl::Status)>) override {}
};

class EventsServiceTest : public ::testing::Test {
 protected:
  EventsServiceTest() { Open(); }

  // As a process that starts.
  void Open() {
    events_.reset();
    events_ = *Events::Open({.store = *store_,
                             .clock = clock_,
                             .targets = targets_,
                             .sink = queues_,
                             .timer = timer_});
  }

  static Rule TheRule(const std::string& name) {
    return {
        .name = name,
        .region = kRegion,
        .account_id = "000000000000",
        .arn =
            absl::StrCat("arn:aws:events:us-east-1:000000000000:rule/", name),
        .description = "every minute",
        .schedule_expression = "rate(1 minute)",
        .targets = {{.id = "t",
                     .arn = "arn:aws:lambda:f",
                     .retry = {.max_attempts = 4, .max_age = absl::Minutes(2)},
                     .dead_letters = "arn:aws:sqs:d"}}};
  }
  void Put(const std::string& name) {
    ASSERT_TRUE(events_->PutRule(TheRule(name)).ok());
  }

  Json::Value Ask(const std::string& operation, const std::string& body,
                  const std::string& region = kRegion) {
    EventsService service(*events_);
    const Answer answer = async::Await<Answer>([&](auto done) {
      service.Handle({.operation = operation,
                      .body = body,
                      .region = region,
                      .caller = {.account_id = "000000000000"}},
                     done);
    });
    EXPECT_EQ(answer.content_type, "application/x-amz-json-1.1");
    Json::Value value = json::ParseValue(answer.body).value();
    EXPECT_EQ(answer.status == 400, value.isMember("__type")) << answer.body;
    return value;
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  NoTargets targets_;
  queues::FakeQueues queues_{clock_, absl::Seconds(30)};
  time::testing::ManualTimer timer_;
  std::unique_ptr<Events> events_;
};

TEST_F(EventsServiceTest, DescribesARule) {
  Put("minutely");
  const Json::Value rule = Ask("DescribeRule", R"({"Name":"minutely"})");
  EXPECT_EQ(rule["Arn"], "arn:aws:events:us-east-1:000000000000:rule/minutely");
  EXPECT_EQ(rule["ScheduleExpression"], "rate(1 minute)");
  EXPECT_EQ(rule["State"], "ENABLED");
  EXPECT_EQ(rule["Description"], "every minute");
  EXPECT_EQ(rule["EventBusName"], "default");
  EXPECT_EQ(rule["CreatedBy"], "000000000000");
}

TEST_F(EventsServiceTest, ListsRulesAndTargets) {
  for (const char* name : {"a1", "a2", "b1"}) Put(name);
  EXPECT_EQ(Ask("ListRules", "{}")["Rules"].size(), 3u);
  EXPECT_EQ(Ask("ListRules", R"({"NamePrefix":"a"})")["Rules"].size(), 2u);
  EXPECT_EQ(Ask("ListRules", "{}", "eu-west-1")["Rules"].size(), 0u);
  const Json::Value first = Ask("ListRules", R"({"Limit":2})");
  EXPECT_EQ(first["Rules"].size(), 2u);
  EXPECT_EQ(Ask("ListRules",
                absl::StrCat(R"({"NextToken":")", first["NextToken"].asString(),
                             "\"}"))["Rules"][0]["Name"],
            "b1");
  const Json::Value targets =
      Ask("ListTargetsByRule", R"({"Rule":"a1"})")["Targets"];
  ASSERT_EQ(targets.size(), 1u);
  EXPECT_EQ(targets[0]["Id"], "t");
  EXPECT_EQ(targets[0]["RetryPolicy"]["MaximumRetryAttempts"], 4);
  EXPECT_EQ(targets[0]["RetryPolicy"]["MaximumEventAgeInSeconds"], 120);
  EXPECT_EQ(targets[0]["DeadLetterConfig"]["Arn"], "arn:aws:sqs:d");
  EXPECT_EQ(Ask("ListRuleNamesByTarget",
                R"({"TargetArn":"arn:aws:lambda:f"})")["RuleNames"]
                .size(),
            3u);
}

TEST_F(EventsServiceTest, DisablesARuleUntilItIsEnabledOrPutAgain) {
  Put("r");
  events_->Begin();
  Ask("DisableRule", R"({"Name":"r"})");
  EXPECT_EQ(Ask("DescribeRule", R"({"Name":"r"})")["State"], "DISABLED");
  EXPECT_FALSE(events_->ListRules()[0].next.has_value());
  // Also by a process that starts again, which puts it back as deployed.
  Open();
  ASSERT_TRUE(events_->RestoreRule(TheRule("r")).ok());
  EXPECT_EQ(Ask("DescribeRule", R"({"Name":"r"})")["State"], "DISABLED");
  events_->Begin();
  Ask("EnableRule", R"({"Name":"r"})");
  EXPECT_TRUE(events_->ListRules()[0].next.has_value());
  Ask("DisableRule", R"({"Name":"r"})");
  Put("r");
  EXPECT_EQ(Ask("DescribeRule", R"({"Name":"r"})")["State"], "ENABLED");
}

TEST_F(EventsServiceTest, RefusesAsEventBridgeDoes) {
  for (const char* operation : {"DescribeRule", "EnableRule", "DisableRule"}) {
    const Json::Value error = Ask(operation, R"({"Name":"none"})");
    EXPECT_EQ(error["__type"], "ResourceNotFoundException");
    EXPECT_EQ(error["message"],
              "Rule none does not exist on EventBus default.");
    EXPECT_EQ(Ask(operation, "{}")["__type"], "ValidationException");
  }
  EXPECT_EQ(Ask("ListRules", R"({"EventBusName":"mine"})")["__type"],
            "ResourceNotFoundException");
  EXPECT_EQ(Ask("ListRules", R"({"NextToken":"!"})")["__type"],
            "ValidationException");
  EXPECT_EQ(Ask("PutEvents", "{}")["__type"], "ValidationException");
  EXPECT_EQ(Ask("CreateEventBus", "{}")["__type"], "UnknownOperationException");
}

TEST_F(EventsServiceTest, TakesEventsAndSaysWhichAreWrong) {
  const Json::Value answer = Ask("PutEvents", R"({"Entries":[
      {"Source":"shop","DetailType":"Order","Detail":"{\"id\":1}"},
      {"Source":"shop","DetailType":"Order","Detail":"1"},
      {"Source":"shop","DetailType":"Order"},
      {"Source":"aws.shop","DetailType":"Order","Detail":"{}"}]})");
  EXPECT_EQ(answer["FailedEntryCount"], 3);
  EXPECT_EQ(answer["Entries"][0]["EventId"].asString().size(), 36u);
  EXPECT_EQ(answer["Entries"][1]["ErrorCode"], "MalformedDetail");
  EXPECT_EQ(answer["Entries"][2]["ErrorMessage"],
            "Parameter Detail is not valid. Reason: Detail is a required "
            "argument.");
  EXPECT_EQ(answer["Entries"][3]["ErrorCode"],
            "NotAuthorizedForSourceException");
}

TEST_F(EventsServiceTest, NeedsThePermissionOnTheRule) {
  const Call call{.operation = "DisableRule",
                  .body = R"({"Name":"r"})",
                  .region = kRegion,
                  .caller = {.account_id = "000000000000"}};
  EXPECT_EQ(EventsService(*events_).PermissionsFor(call),
            (std::vector<NeededPermission>{
                {"events:DisableRule",
                 "arn:aws:events:us-east-1:000000000000:rule/r"}}));
}

}  // namespace
}  // namespace byoshin::local::events

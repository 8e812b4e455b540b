// Events on the bus, and the rules that EventBridge's API makes for them.

#include <json/json.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/events/bus_event.h"
#include "local/events/events.h"
#include "local/events/rule.h"
#include "local/events/service.h"
#include "local/gateway/service.h"
#include "local/queues/testing/fake_queues.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::events {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kFunction[] = "arn:aws:lambda:us-east-1:000000000000:function:f";

// Remembers what was delivered, and to whom.
class RecordingTargets final : public Targets {
 public:
  void Deliver(const Target& target, const std::string&, std::string payload,
               std::function<void(absl::Status)> done) override {
    {
      const sync::MutexLock lock(mutex_);
      delivered_.emplace_back(target.id, std::move(payload));
    }
    done(absl::OkStatus());
  }
  std::vector<std::pair<std::string, std::string>> delivered() const {
    const sync::MutexLock lock(mutex_);
    return delivered_;
  }

 private:
  mutable sync::Mutex mutex_;
  std::vector<std::pair<std::string, std::string>> delivered_
      ABSL_GUARDED_BY(mutex_);
};

class BusTest : public ::testing::Test {
 protected:
  BusTest() {
    Open();
    events_->Begin();
  }
  void Open() {
    events_.reset();
    events_ = *Events::Open({.store = *store_,
                             .clock = clock_,
                             .targets = targets_,
                             .sink = queues_,
                             .timer = timer_});
  }

  Json::Value Ask(const std::string& operation, const std::string& body) {
    EventsService service(*events_);
    const Answer answer = async::Await<Answer>([&](auto done) {
      service.Handle({.operation = operation,
                      .body = body,
                      .region = "us-east-1",
                      .caller = {.account_id = "000000000000"}},
                     done);
    });
    return json::ParseValue(answer.body).value();
  }
  static std::string Quoted(const std::string& text) {
    return json::WriteValue(Json::Value(text));
  }
  // A rule "r" with the pattern, and a target with these members besides.
  void PutRule(const std::string& pattern, const std::string& more = "") {
    const Json::Value put = Ask(
        "PutRule",
        absl::StrCat(R"({"Name":"r","EventPattern":)", Quoted(pattern), "}"));
    ASSERT_EQ(put["RuleArn"], "arn:aws:events:us-east-1:000000000000:rule/r")
        << put;
    const Json::Value targets = Ask(
        "PutTargets", absl::StrCat(R"({"Rule":"r","Targets":[{"Id":"t",)",
                                   R"("Arn":")", kFunction, "\"", more, "}]}"));
    ASSERT_EQ(targets["FailedEntryCount"], 0) << targets;
  }
  Json::Value Send(const std::string& source, const std::string& detail) {
    return Ask("PutEvents",
               absl::StrCat(R"({"Entries":[{"Source":")", source,
                            R"(","DetailType":"T","Resources":["arn:r"],)",
                            R"("Detail":)", Quoted(detail), "}]}"));
  }
  std::vector<std::string> Delivered() {
    clock_.AwaitIdle();
    std::vector<std::string> payloads;
    for (const auto& [target, payload] : targets_.delivered()) {
      payloads.push_back(payload);
    }
    return payloads;
  }

  // 2025-12-02T10:23:00Z
  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  RecordingTargets targets_;
  queues::FakeQueues queues_{clock_, absl::Seconds(30)};
  time::testing::ManualTimer timer_;
  std::unique_ptr<Events> events_;
};

TEST_F(BusTest, SendsEventsToRulesThatMatch) {
  PutRule(R"({"source":["shop"],"detail":{"n":[{"numeric":[">",5]}]}})");
  const Json::Value sent = Send("shop", R"({"n": 6})");
  EXPECT_EQ(sent["FailedEntryCount"], 0);
  Send("shop", R"({"n": 5})");
  Send("other", R"({"n": 6})");
  EXPECT_THAT(
      Delivered(),
      ElementsAre(absl::StrCat(
          R"({"version":"0","id":")", sent["Entries"][0]["EventId"].asString(),
          R"(","detail-type":"T","source":"shop","account":"000000000000",)",
          R"("time":"2025-12-02T10:23:00Z","region":"us-east-1",)",
          R"("resources":["arn:r"],"detail":{"n": 6}})")));
}

TEST_F(BusTest, SendsNothingToRulesThatAreDisabledOrElsewhere) {
  PutRule(R"({"source":["shop"]})");
  Ask("DisableRule", R"({"Name":"r"})");
  Send("shop", "{}");
  Ask("EnableRule", R"({"Name":"r"})");
  for (const auto& [region, account] :
       {std::pair("eu-west-1", "000000000000"),
        std::pair("us-east-1", "111111111111")}) {
    async::Await<absl::Status>([&](auto done) {
      events_->Publish({{.id = "i",
                         .source = "shop",
                         .account_id = account,
                         .region = region,
                         .time = clock_.Now()}},
                       done);
    }).IgnoreError();
  }
  EXPECT_THAT(Delivered(), IsEmpty());
}

TEST_F(BusTest, KnowsWhetherAnyRuleMayMatch) {
  EXPECT_FALSE(events_->MayMatch());
  PutRule(R"({"source":["shop"]})");
  EXPECT_TRUE(events_->MayMatch());
  Ask("RemoveTargets", R"({"Rule":"r","Ids":["t"]})");
  Ask("DeleteRule", R"({"Name":"r"})");
  EXPECT_FALSE(events_->MayMatch());
  Open();
  EXPECT_TRUE(events_->MayMatch());
  events_->Begin();
  EXPECT_FALSE(events_->MayMatch());
}

TEST_F(BusTest, KeepsRulesOfTheApiOverARestart) {
  PutRule(R"({"source":["shop"]})", R"(,"InputPath":"$.detail")");
  Open();
  const Json::Value rule = Ask("DescribeRule", R"({"Name":"r"})");
  EXPECT_EQ(rule["EventPattern"], R"({"source":["shop"]})");
  EXPECT_EQ(rule["State"], "ENABLED");
  events_->Begin();
  Send("shop", R"({"a":1})");
  EXPECT_THAT(Delivered(), ElementsAre(R"({"a":1})"));
}

TEST_F(BusTest, DeliversAfterARestartWhatWasSentBefore) {
  PutRule(R"({"source":["shop"]})", R"(,"InputPath":"$.detail")");
  Open();  // and does not begin
  Send("shop", R"({"a":1})");
  EXPECT_THAT(Delivered(), IsEmpty());
  Open();
  events_->Begin();
  EXPECT_THAT(Delivered(), ElementsAre(R"({"a":1})"));
}

TEST_F(BusTest, SendsThePartThatATargetAsksFor) {
  PutRule(R"({"source":["shop"]})", R"(,"InputPath":"$.detail.items[1].name")");
  Send("shop", R"({"items":[{"name":"a"},{"name":"b"}]})");
  Send("shop", R"({"items":[]})");
  EXPECT_THAT(Delivered(), ElementsAre(R"("b")", "null"));
}

TEST_F(BusTest, TransformsTheInput) {
  const std::string text =
      R"({"who": <who>, "text": "<who> has <n>: <list>", "all": <list>, )"
      R"("none": <none>, "rule": "<aws.events.rule-name>", )"
      R"("arn": <aws.events.rule-arn>, "at": <aws.events.event.ingestion-time>, )"
      R"("event": <aws.events.event>})";
  PutRule(
      R"({"source":["shop"]})",
      absl::StrCat(
          R"(,"InputTransformer":{"InputPathsMap":{"who":"$.detail.who",)",
          R"("n":"$.detail.n","list":"$.detail.list","none":"$.detail.x"},)",
          R"("InputTemplate":)", Quoted(text), "}"));
  const Json::Value sent =
      Send("shop", R"({"who":"a \"b\"","n":5,"list":["x",1]})");
  ASSERT_THAT(Delivered(), SizeIs(1));
  EXPECT_EQ(
      Delivered()[0],
      absl::StrCat(
          R"({"who": "a \"b\"", "text": "a \"b\" has 5: [x,1]", )",
          R"("all": ["x",1], "none": "", "rule": "r", )",
          R"("arn": "arn:aws:events:us-east-1:000000000000:rule/r", )",
          R"("at": "2025-12-02T10:23:00Z", "event": {"account":)",
          R"("000000000000","detail-type":"T","id":")",
          sent["Entries"][0]["EventId"].asString(),
          R"(","region":"us-east-1","resources":["arn:r"],"source":"shop",)",
          R"("time":"2025-12-02T10:23:00Z","version":"0"}})"));
}

TEST_F(BusTest, TransformsTheInputToAText) {
  PutRule(R"({"source":["shop"]})",
          R"(,"InputTransformer":{"InputPathsMap":{"s":"$.source"},)"
          R"("InputTemplate":"\"it is <s>, 1 < 2\""})");
  Send("shop", "{}");
  EXPECT_THAT(Delivered(), ElementsAre(R"("it is shop, 1 < 2")"));
}

TEST_F(BusTest, KeepsTheGroupOfAFifoQueue) {
  Ask("PutRule", R"({"Name":"r","EventPattern":"{\"source\":[\"shop\"]}"})");
  const std::string target =
      R"({"Id":"q","Arn":"arn:aws:sqs:us-east-1:1:q.fifo","SqsParameters":)"
      R"({"MessageGroupId":"g"}})";
  Ask("PutTargets", absl::StrCat(R"({"Rule":"r","Targets":[)", target, "]}"));
  Open();
  EXPECT_EQ(
      Ask("ListTargetsByRule",
          R"({"Rule":"r"})")["Targets"][0]["SqsParameters"]["MessageGroupId"],
      "g");
}

TEST_F(BusTest, RefusesTargetsThatCannotWork) {
  PutRule(R"({"source":["shop"]})");
  const auto refusal = [this](const std::string& target) {
    const Json::Value answer = Ask(
        "PutTargets", absl::StrCat(R"({"Rule":"r","Targets":[)", target, "]}"));
    EXPECT_EQ(answer["__type"], "ValidationException") << target;
    return answer["message"].asString();
  };
  const std::string begin =
      absl::StrCat(R"({"Id":"x","Arn":")", kFunction, "\",");
  EXPECT_THAT(refusal(R"({"Id":"x","Arn":"arn:aws:sns:us-east-1:1:t"})"),
              HasSubstr("must be a Lambda function"));
  EXPECT_EQ(refusal(R"({"Id":"x","Arn":"arn:aws:sqs:us-east-1:1:q.fifo"})"),
            "Parameter(s) SqsParameters must be specified for target: x.");
  EXPECT_THAT(refusal(absl::StrCat(
                  begin, R"("SqsParameters":{"MessageGroupId":"g"}})")),
              HasSubstr("which are for SQS queues"));
  EXPECT_THAT(refusal(absl::StrCat(begin, R"("DeadLetterConfig":{"Arn":)",
                                   R"("arn:aws:sqs:us-east-1:1:q.fifo"}})")),
              HasSubstr("standard queues only"));
  EXPECT_THAT(refusal(R"({"Id":"x","Arn":"arn:aws:states:us-east-1:1:m"})"),
              HasSubstr("RoleArn is required"));
  EXPECT_THAT(refusal(absl::StrCat(begin, R"("Input":"{"})")),
              HasSubstr("not JSON"));
  EXPECT_THAT(refusal(absl::StrCat(begin, R"("InputPath":"detail"})")),
              HasSubstr("InputPath"));
  EXPECT_THAT(
      refusal(absl::StrCat(begin, R"("Input":"{}","InputPath":"$.detail"})")),
      HasSubstr("Only one of Input"));
  EXPECT_THAT(refusal(absl::StrCat(
                  begin, R"("InputTransformer":{"InputTemplate":"<x>"}})")),
              HasSubstr("<x>"));
  EXPECT_THAT(refusal(absl::StrCat(
                  begin, R"("InputTransformer":{"InputTemplate":"{"}})")),
              HasSubstr("not valid JSON"));
  EXPECT_THAT(refusal(absl::StrCat(
                  begin, R"("EcsParameters":{"TaskDefinitionArn":"arn:a"}})")),
              HasSubstr("EcsParameters"));
  EXPECT_EQ(
      Ask("PutTargets",
          R"({"Rule":"none","Targets":[{"Id":"x","Arn":"arn:aws:lambda:f"}]})")
          ["__type"],
      "ResourceNotFoundException");
}

TEST_F(BusTest, RefusesRulesThatCannotWork) {
  EXPECT_EQ(Ask("PutRule", R"({"Name":"r"})")["message"],
            "Parameter(s) EventPattern or ScheduleExpression must be "
            "specified.");
  EXPECT_EQ(Ask("PutRule", R"({"Name":"r","EventPattern":"{}"})")["__type"],
            "InvalidEventPatternException");
  EXPECT_EQ(
      Ask("PutRule",
          R"x({"Name":"a b","ScheduleExpression":"rate(1 day)"})x")["__type"],
      "ValidationException");
  EXPECT_EQ(
      Ask("PutRule",
          R"x({"Name":"r","ScheduleExpression":"rate(1 day)","State":"ON"})x")
          ["__type"],
      "ValidationException");
  EXPECT_EQ(
      Ask("PutRule", R"x({"Name":"r","ScheduleExpression":"rate(1 day)",)x"
                     R"("EventBusName":"mine"})")["__type"],
      "ResourceNotFoundException");
}

TEST_F(BusTest, DeletesARuleWithoutTargetsOnly) {
  PutRule(R"({"source":["shop"]})");
  EXPECT_EQ(Ask("DeleteRule", R"({"Name":"r"})")["__type"],
            "ValidationException");
  EXPECT_EQ(
      Ask("RemoveTargets", R"({"Rule":"r","Ids":["t"]})")["FailedEntryCount"],
      0);
  Ask("DeleteRule", R"({"Name":"r"})");
  EXPECT_EQ(Ask("DescribeRule", R"({"Name":"r"})")["__type"],
            "ResourceNotFoundException");
  EXPECT_FALSE(Ask("DeleteRule", R"({"Name":"r"})").isMember("__type"));
}

TEST_F(BusTest, LeavesRulesOfStacksToTheirTemplates) {
  ASSERT_TRUE(events_
                  ->PutRule({.name = "s",
                             .region = "us-east-1",
                             .account_id = "000000000000",
                             .arn = "arn:aws:events:us-east-1:000000000000:"
                                    "rule/s",
                             .event_pattern = R"({"source":["shop"]})"})
                  .ok());
  for (const char* operation : {"DeleteRule", "PutRule"}) {
    EXPECT_EQ(
        Ask(operation,
            R"x({"Name":"s","ScheduleExpression":"rate(1 day)"})x")["__type"],
        "ManagedRuleException");
  }
}

TEST_F(BusTest, TestsPatterns) {
  const std::string event =
      R"({"id":"1","account":"1","source":"shop","time":"2025-12-02T10:23:00Z",)"
      R"("region":"us-east-1","resources":[],"detail-type":"T","detail":{}})";
  const auto ask = [&](const std::string& pattern, const std::string& of) {
    return Ask("TestEventPattern",
               absl::StrCat(R"({"EventPattern":)", Quoted(pattern),
                            R"(,"Event":)", Quoted(of), "}"));
  };
  EXPECT_EQ(ask(R"({"source":["shop"]})", event)["Result"], true);
  EXPECT_EQ(ask(R"({"source":["other"]})", event)["Result"], false);
  EXPECT_EQ(ask("[]", event)["__type"], "InvalidEventPatternException");
  EXPECT_EQ(ask(R"({"source":["shop"]})", "{}")["__type"],
            "ValidationException");
}

}  // namespace
}  // namespace byoshin::local::events

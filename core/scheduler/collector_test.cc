#include "core/scheduler/collector.h"

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/error.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "core/log/testing/recording_sink.h"
#include "core/scheduler/config.h"
#include "core/scheduler/message.h"
#include "core/scheduler/slot.h"
#include "core/scheduler/testing/fake_table.h"
#include "core/time/iso8601.h"
#include "core/time/testing/instant_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::scheduler {
namespace {

using ::testing::ElementsAre;
using testing::FakeTable;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;
using time::testing::InstantClock;

constexpr char kNoFailures[] = R"({"batchItemFailures":[]})";
constexpr char kBaseUrl[] = "http://localhost:3000";

class CollectorTest : public ::testing::Test {
 protected:
  absl::StatusOr<std::string> Collect(std::string payload) {
    Collector collector({.api_base_url = kBaseUrl,
                         .table_name = "AiResponseMetrics",
                         .window_lag = lag_},
                        {.http_client = http_client_,
                         .table = table_,
                         .clock = clock_,
                         .logger = logger_});
    return collector.Handle({.payload = std::move(payload),
                             .request_id = "r-1",
                             .deadline = deadline_});
  }

  // The slot that begins so many seconds after 10:23:00.
  static Window Slot(int seconds) {
    const absl::Time from = time::ParseIso8601("2025-12-02T10:23:00Z").value() +
                            absl::Seconds(seconds);
    return {from, from + absl::Seconds(5)};
  }

  static Json::Value Record(absl::string_view id, absl::string_view body) {
    Json::Value record(Json::objectValue);
    record["messageId"] = std::string(id);
    record["body"] = std::string(body);
    record["attributes"]["ApproximateReceiveCount"] = "1";
    return record;
  }

  static std::string Event(const std::vector<Json::Value>& records) {
    Json::Value event(Json::objectValue);
    event["Records"] = Json::Value(Json::arrayValue);
    for (const Json::Value& record : records) event["Records"].append(record);
    return json::WriteValue(event);
  }

  static std::string EventFor(const Window& window) {
    return Event({Record("m-1", WriteMessage(window))});
  }

  static http::Response Answer(const Window& window, int64_t count) {
    return {.status = 200,
            .headers = {},
            .body = absl::StrCat(
                R"({"from":")", time::FormatIso8601(window.from), R"(","to":")",
                time::FormatIso8601(window.to), R"(","count":)", count, "}")};
  }

  // What the one record of an invocation failed with, as logged.
  Json::Value TheError() {
    const std::vector<Json::Value> errors = sink_.AtLevel("ERROR");
    EXPECT_THAT(errors, SizeIs(1));
    return errors.empty() ? Json::Value() : errors[0];
  }

  // Collects a slot whose API answers like that, which must fail.
  Json::Value ErrorWhenApiAnswers(
      const absl::StatusOr<http::Response>& answer) {
    http_client_.AnswerBy([answer](const http::Request&) { return answer; });
    EXPECT_EQ(Collect(EventFor(Slot(0))).value(),
              R"({"batchItemFailures":[{"itemIdentifier":"m-1"}]})");
    EXPECT_THAT(table_.calls(), IsEmpty());
    return TheError();
  }

  const absl::Time start_ =
      time::ParseIso8601("2025-12-02T10:23:00.250Z").value();
  absl::Time deadline_ = start_ + absl::Seconds(30);
  absl::Duration lag_ = absl::ZeroDuration();
  InstantClock clock_{start_};
  http::testing::FakeClient http_client_;
  FakeTable table_;
  log::testing::RecordingSink sink_;
  log::Logger logger_{clock_, sink_};
};

TEST_F(CollectorTest, StoresTheCountUnderItsSlot) {
  http_client_.Answer(Answer(Slot(5), 7));
  EXPECT_EQ(Collect(EventFor(Slot(5))).value(), kNoFailures);

  EXPECT_EQ(http_client_.requests().at(0).url,
            "http://localhost:3000/response_count"
            "?from=2025-12-02T10%3A23%3A05Z&to=2025-12-02T10%3A23%3A10Z");
  ASSERT_THAT(table_.calls(), SizeIs(1));
  const aws::dynamodb::PutItemRequest& request = table_.calls()[0].request;
  EXPECT_EQ(request.table_name, "AiResponseMetrics");
  EXPECT_EQ(request.condition_expression, "attribute_not_exists(metricName)");
  using aws::dynamodb::AttributeValue;
  EXPECT_THAT(
      request.item,
      UnorderedElementsAre(
          Pair("metricName", AttributeValue(std::string("ai_response_count"))),
          Pair("slotTime", AttributeValue(std::string("2025-12-02T10:23:05Z"))),
          Pair("count", AttributeValue(int64_t{7}))));
}

TEST_F(CollectorTest, StoresACountOfZero) {
  http_client_.Answer(Answer(Slot(0), 0));
  EXPECT_EQ(Collect(EventFor(Slot(0))).value(), kNoFailures);
  EXPECT_EQ(table_.calls().at(0).request.item.at("count"),
            aws::dynamodb::AttributeValue(int64_t{0}));
}

TEST_F(CollectorTest, LogsWhatItStored) {
  http_client_.Answer(Answer(Slot(0), 7));
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  const std::vector<Json::Value> lines = sink_.AtLevel("INFO");
  ASSERT_THAT(lines, SizeIs(1));
  EXPECT_EQ(lines[0]["message"].asString(), "count stored");
  EXPECT_EQ(lines[0]["messageId"].asString(), "m-1");
  EXPECT_EQ(lines[0]["receiveCount"].asString(), "1");
  EXPECT_EQ(lines[0]["from"].asString(), "2025-12-02T10:23:00Z");
  EXPECT_EQ(lines[0]["to"].asString(), "2025-12-02T10:23:05Z");
  EXPECT_EQ(lines[0]["count"].asInt(), 7);
}

TEST_F(CollectorTest, TakesADuplicateForASuccess) {
  http_client_.Answer(Answer(Slot(0), 7));
  http_client_.Answer(Answer(Slot(0), 8));
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  EXPECT_EQ(Collect(EventFor(Slot(0))).value(), kNoFailures);
  ASSERT_THAT(table_.items(), SizeIs(1));
  EXPECT_EQ(table_.items().begin()->second.at("count"),
            aws::dynamodb::AttributeValue(int64_t{7}));
  EXPECT_THAT(sink_.Messages("INFO"),
              ElementsAre("count stored", "slot was stored before"));
  EXPECT_THAT(sink_.AtLevel("ERROR"), IsEmpty());
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiCannotBeReached) {
  const Json::Value error =
      ErrorWhenApiAnswers(absl::UnavailableError("connection refused"));
  EXPECT_EQ(error["message"].asString(), "record failed");
  EXPECT_EQ(error["step"].asString(), "api");
  EXPECT_EQ(error["code"].asString(), "UNAVAILABLE");
  EXPECT_EQ(error["error"].asString(), "connection refused");
  EXPECT_EQ(error["messageId"].asString(), "m-1");
  EXPECT_EQ(error["from"].asString(), "2025-12-02T10:23:00Z");
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiTakesTooLong) {
  EXPECT_EQ(ErrorWhenApiAnswers(absl::DeadlineExceededError("time-out"))["code"]
                .asString(),
            "DEADLINE_EXCEEDED");
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiAnswersTooMuch) {
  EXPECT_EQ(
      ErrorWhenApiAnswers(absl::ResourceExhaustedError("too long"))["code"]
          .asString(),
      "RESOURCE_EXHAUSTED");
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiAnswersAnotherStatus) {
  http::Response answer = Answer(Slot(0), 7);
  answer.status = 500;
  EXPECT_THAT(ErrorWhenApiAnswers(answer)["error"].asString(),
              HasSubstr("status 500"));
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiAnswersNoJson) {
  EXPECT_THAT(ErrorWhenApiAnswers(http::Response{
                  .status = 200, .headers = {}, .body = "<html>"})["error"]
                  .asString(),
              HasSubstr("cannot be used: line 1, column 1"));
}

TEST_F(CollectorTest, FailsTheRecordIfTheCountIsAString) {
  http::Response answer = Answer(Slot(0), 7);
  answer.body = R"({"from":"2025-12-02T10:23:00Z",)"
                R"("to":"2025-12-02T10:23:05Z","count":"7"})";
  EXPECT_THAT(ErrorWhenApiAnswers(answer)["error"].asString(),
              HasSubstr("count: "));
}

TEST_F(CollectorTest, FailsTheRecordIfTheApiAnswersAnotherQuestion) {
  EXPECT_THAT(ErrorWhenApiAnswers(Answer(Slot(5), 7))["error"].asString(),
              HasSubstr("was asked for"));
}

TEST_F(CollectorTest, FailsTheRecordIfTheTableCannotBeWritten) {
  http_client_.Answer(Answer(Slot(0), 7));
  table_.Fail(aws::ToStatus({.code = "ResourceNotFoundException",
                             .message = "Requested resource not found",
                             .http_status = 400,
                             .request_id = "x"},
                            "DynamoDB PutItem"));
  EXPECT_EQ(Collect(EventFor(Slot(0))).value(),
            R"({"batchItemFailures":[{"itemIdentifier":"m-1"}]})");
  EXPECT_EQ(TheError()["step"].asString(), "table");
  EXPECT_EQ(TheError()["code"].asString(), "NOT_FOUND");
  EXPECT_THAT(TheError()["error"].asString(),
              HasSubstr("Requested resource not found"));
}

TEST_F(CollectorTest, TakesNoOtherFailedPreconditionForADuplicate) {
  http_client_.Answer(Answer(Slot(0), 7));
  table_.Fail(absl::FailedPreconditionError("no credentials"));
  EXPECT_EQ(Collect(EventFor(Slot(0))).value(),
            R"({"batchItemFailures":[{"itemIdentifier":"m-1"}]})");
}

TEST_F(CollectorTest, SucceedsOnRetryAfterAWriteWhoseAnswerWasLost) {
  http_client_.Answer(Answer(Slot(0), 7));
  http_client_.Answer(Answer(Slot(0), 7));
  table_.Fail(absl::DeadlineExceededError("time-out"),
              FakeTable::Effect::kWritten);
  EXPECT_NE(Collect(EventFor(Slot(0))).value(), kNoFailures);
  EXPECT_EQ(Collect(EventFor(Slot(0))).value(), kNoFailures);
  EXPECT_THAT(table_.items(), SizeIs(1));
}

TEST_F(CollectorTest, FailsMessagesThatCanNeverSucceedLikeAnyOther) {
  const std::vector<std::string> bodies = {
      "not json", "{}",
      R"({"from":"2025-12-02T10:23:05Z","to":"2025-12-02T10:23:00Z"})",
      R"({"from":"2025-12-02T10:23:01Z","to":"2025-12-02T10:23:06Z"})",
      R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:24:00Z"})"};
  std::vector<Json::Value> records;
  records.reserve(bodies.size());
  for (const std::string& body : bodies) {
    records.push_back(Record(absl::StrCat("m-", records.size()), body));
  }
  EXPECT_EQ(Collect(Event(records)).value(),
            R"({"batchItemFailures":[{"itemIdentifier":"m-0"},)"
            R"({"itemIdentifier":"m-1"},{"itemIdentifier":"m-2"},)"
            R"({"itemIdentifier":"m-3"},{"itemIdentifier":"m-4"}]})");
  EXPECT_THAT(http_client_.requests(), IsEmpty());
  ASSERT_THAT(sink_.AtLevel("ERROR"), SizeIs(5));
  EXPECT_EQ(sink_.AtLevel("ERROR")[1]["step"].asString(), "message");
  EXPECT_EQ(sink_.AtLevel("ERROR")[1]["error"].asString(),
            "body: from: required, but missing");
}

TEST_F(CollectorTest, FailsOnlyTheBadRecordOfABatch) {
  http_client_.Answer(Answer(Slot(0), 1));
  http_client_.Fail(absl::UnavailableError("connection refused"));
  http_client_.Answer(Answer(Slot(15), 3));
  EXPECT_EQ(Collect(Event({Record("a", WriteMessage(Slot(0))),
                           Record("b", "not json"),
                           Record("c", WriteMessage(Slot(10))),
                           Record("d", WriteMessage(Slot(15)))}))
                .value(),
            R"({"batchItemFailures":[{"itemIdentifier":"b"},)"
            R"({"itemIdentifier":"c"}]})");
  EXPECT_THAT(table_.items(), SizeIs(2));
  EXPECT_THAT(sink_.Messages("INFO"), SizeIs(2));
  EXPECT_THAT(sink_.Messages("ERROR"), SizeIs(2));
}

TEST_F(CollectorTest, HasNothingToDoForAnEmptyBatch) {
  EXPECT_EQ(Collect(Event({})).value(), kNoFailures);
}

TEST_F(CollectorTest, RefusesWhatIsNotAnEventOfAQueue) {
  for (const char* payload : {"", "[]", "{}", R"({"Records":5})"}) {
    EXPECT_EQ(Collect(payload).status().code(),
              absl::StatusCode::kInvalidArgument)
        << payload;
  }
}

TEST_F(CollectorTest, FailsAsAWholeAfterAllIfARecordHasNoMessageId) {
  http_client_.Answer(Answer(Slot(0), 1));
  http_client_.Answer(Answer(Slot(5), 2));
  Json::Value nameless = Record("", WriteMessage(Slot(10)));
  nameless.removeMember("messageId");
  const absl::Status status =
      Collect(Event({Record("a", WriteMessage(Slot(0))), nameless,
                     Record("c", WriteMessage(Slot(5)))}))
          .status();
  EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(status.message(),
            "Records[1] failed and has no messageId to report it by: "
            "messageId: required, but missing");
  EXPECT_THAT(table_.items(), SizeIs(2));
}

TEST_F(CollectorTest, GivesTheApiNoMoreTimeThanThereIs) {
  http_client_.Answer(Answer(Slot(0), 1));
  http_client_.Answer(Answer(Slot(5), 1));
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  deadline_ = start_ + absl::Seconds(4);
  ASSERT_TRUE(Collect(EventFor(Slot(5))).ok());
  EXPECT_EQ(http_client_.requests().at(0).timeout, absl::Seconds(10));
  EXPECT_EQ(http_client_.requests().at(1).timeout, absl::Seconds(3));
  EXPECT_EQ(table_.calls().at(1).deadline, deadline_ - absl::Seconds(1));
}

TEST_F(CollectorTest, ReportsWhatTheDeadlineLeavesNoTimeFor) {
  http_client_.AnswerBy([&](const http::Request&) {
    clock_.Advance(absl::Seconds(29));
    return Answer(Slot(0), 1);
  });
  EXPECT_EQ(Collect(Event({Record("a", WriteMessage(Slot(0))),
                           Record("b", WriteMessage(Slot(5))),
                           Record("c", WriteMessage(Slot(10)))}))
                .value(),
            R"({"batchItemFailures":[{"itemIdentifier":"b"},)"
            R"({"itemIdentifier":"c"}]})");
  EXPECT_THAT(http_client_.requests(), SizeIs(1));
  ASSERT_THAT(sink_.AtLevel("ERROR"), SizeIs(2));
  EXPECT_THAT(sink_.AtLevel("ERROR")[0]["error"].asString(),
              HasSubstr("not started: no time was left"));
}

TEST_F(CollectorTest, MeasuresLatenessLatencyAndOutcome) {
  http_client_.AnswerBy([&](const http::Request&) {
    clock_.Advance(absl::Milliseconds(40));
    return Answer(Slot(0), 1);
  });
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  ASSERT_THAT(sink_.metrics(), SizeIs(1));
  const Json::Value metrics = sink_.metrics()[0];
  EXPECT_EQ(metrics["_aws"]["CloudWatchMetrics"][0]["Namespace"].asString(),
            "Byoshin/Scheduler");
  EXPECT_EQ(metrics["Function"].asString(), "Collector");
  // Until the record is stored: 250 ms on the queue, and the API's 40 ms.
  EXPECT_EQ(metrics["SlotLateness"].asDouble(), 290);
  EXPECT_EQ(metrics["ApiLatency"].asDouble(), 40);
  EXPECT_EQ(metrics["SlotsStored"].asDouble(), 1);
  EXPECT_EQ(metrics["SlotsDuplicate"].asDouble(), 0);
  EXPECT_EQ(metrics["SlotsFailed"].asDouble(), 0);
  EXPECT_EQ(metrics["from"].asString(), "2025-12-02T10:23:00Z");
}

TEST_F(CollectorTest, CountsLatenessFromWhenTheSlotWasDueWithItsLag) {
  lag_ = absl::Seconds(10);
  http_client_.Answer(Answer(Slot(-10), 1));
  ASSERT_TRUE(Collect(EventFor(Slot(-10))).ok());
  EXPECT_EQ(sink_.metrics().at(0)["SlotLateness"].asDouble(), 250);
}

TEST_F(CollectorTest, MeasuresNoLatenessOfADuplicate) {
  http_client_.AlwaysAnswerBy(
      [](const http::Request&) { return Answer(Slot(0), 1); });
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  ASSERT_TRUE(Collect(EventFor(Slot(0))).ok());
  const Json::Value metrics = sink_.metrics().at(1);
  EXPECT_EQ(metrics["SlotsStored"].asDouble(), 0);
  EXPECT_EQ(metrics["SlotsDuplicate"].asDouble(), 1);
  EXPECT_FALSE(metrics.isMember("SlotLateness"));
  EXPECT_TRUE(metrics.isMember("ApiLatency"));
}

TEST_F(CollectorTest, MeasuresNoLatencyOfAnApiThatWasNotAsked) {
  ASSERT_TRUE(Collect(Event({Record("a", "not json")})).ok());
  const Json::Value metrics = sink_.metrics().at(0);
  EXPECT_EQ(metrics["SlotsFailed"].asDouble(), 1);
  EXPECT_FALSE(metrics.isMember("SlotLateness"));
  EXPECT_FALSE(metrics.isMember("ApiLatency"));
}

}  // namespace
}  // namespace byoshin::scheduler

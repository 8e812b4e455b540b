// The Collector's zip under the Runtime API, with the real mock API and
// dynalite: what it stores, and what it refuses.

#include <json/json.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/civil_time.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/integration/collector_fixture.h"
#include "tests/integration/function_fixture.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::integration {
namespace {

using ::testing::AnyOf;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::Pair;
using ::testing::SizeIs;

absl::Time At(int hour, int minute, int second) {
  return absl::FromCivil(absl::CivilSecond(2025, 12, 2, hour, minute, second),
                         absl::UTCTimeZone());
}

TEST_F(CollectorTest, StoresTheCountThatTheApiAnswers) {
  StartCollector({});
  EXPECT_THAT(FailedRecords({{"a", SlotBody(At(10, 23, 5))}}), IsEmpty());
  // 23 mod 11.
  EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-12-02T10:23:05Z", "1")));
}

TEST_F(CollectorTest, StoresACountOfZero) {
  StartCollector({});
  EXPECT_THAT(FailedRecords({{"a", SlotBody(At(10, 22, 0))}}), IsEmpty());
  EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-12-02T10:22:00Z", "0")));
}

TEST_F(CollectorTest, StoresTheMinuteThatTheSenderPlans) {
  StartCollector({});
  std::vector<SqsRecord> records;
  for (const scheduler::Window& window :
       scheduler::WindowsOfMinute(At(10, 23, 41))) {
    records.push_back(
        {absl::StrCat("id-", records.size()), SlotBody(window.from)});
  }
  EXPECT_THAT(FailedRecords(records), IsEmpty());
  EXPECT_THAT(
      StoredCounts(),
      ElementsAre(
          Pair("2025-12-02T10:23:00Z", "1"), Pair("2025-12-02T10:23:05Z", "1"),
          Pair("2025-12-02T10:23:10Z", "1"), Pair("2025-12-02T10:23:15Z", "1"),
          Pair("2025-12-02T10:23:20Z", "1"), Pair("2025-12-02T10:23:25Z", "1"),
          Pair("2025-12-02T10:23:30Z", "1"), Pair("2025-12-02T10:23:35Z", "1"),
          Pair("2025-12-02T10:23:40Z", "1"), Pair("2025-12-02T10:23:45Z", "1"),
          Pair("2025-12-02T10:23:50Z", "1"),
          // Its window ends in minute 24.
          Pair("2025-12-02T10:23:55Z", "2")));
}

TEST_F(CollectorTest, TakesADuplicateForASuccess) {
  StartCollector({});
  EXPECT_THAT(FailedRecords({{"a", SlotBody(At(10, 23, 5))}}), IsEmpty());
  EXPECT_THAT(FailedRecords({{"a", SlotBody(At(10, 23, 5))},
                             {"b", SlotBody(At(10, 23, 5))},
                             {"c", SlotBody(At(10, 23, 10))}}),
              IsEmpty());

  EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-12-02T10:23:05Z", "1"),
                                          Pair("2025-12-02T10:23:10Z", "1")));
  const std::vector<Json::Value> lines = LogLines("slot was stored before");
  ASSERT_THAT(lines, SizeIs(2));
  EXPECT_EQ(lines[0]["level"], "INFO");
}

TEST_F(CollectorTest, FilesAWindowInAnotherSpellingUnderTheSameSlot) {
  StartCollector({});
  EXPECT_THAT(FailedRecords({{"a", WindowBody("2025-12-02T19:23:05+09:00",
                                              "2025-12-02T10:23:10.000Z")},
                             {"b", SlotBody(At(10, 23, 5))}}),
              IsEmpty());
  EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-12-02T10:23:05Z", "1")));
}

TEST_F(CollectorTest, HasNothingToDoForAnEventWithoutRecords) {
  StartCollector({});
  EXPECT_THAT(FailedRecords({}), IsEmpty());
  EXPECT_THAT(StoredCounts(), IsEmpty());
}

TEST_F(CollectorTest, FailsBadBodiesAloneAmongGoodOnes) {
  const std::vector<std::string> bad_bodies = {
      "",
      "null",
      "{}",
      "not json",
      "[]",
      "{\"from\":",
      R"({"from":"2025-12-02T10:23:00Z"})",
      R"({"to":"2025-12-02T10:23:05Z"})",
      R"({"from":null,"to":null})",
      R"({"from":1764670980,"to":1764670985})",
      WindowBody("", ""),
      WindowBody("now", "then"),
      WindowBody("2025-02-30T10:23:00Z", "2025-02-30T10:23:05Z"),
      WindowBody("2025-12-02T10:23:05Z", "2025-12-02T10:23:00Z"),  // backwards
      WindowBody("2025-12-02T10:23:05Z", "2025-12-02T10:23:05Z"),  // empty
      WindowBody("2025-12-02T10:23:01Z", "2025-12-02T10:23:06Z"),  // off
      WindowBody("2025-12-02T10:23:00Z", "2025-12-02T10:23:10Z"),  // too long
      WindowBody("2025-12-02T10:23:00Z", "2025-12-02T10:23:04Z"),  // too short
      WindowBody("2025-12-02T10:23:00.001Z", "2025-12-02T10:23:05.001Z"),
      R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z"}x)",
      std::string(100'000, '['),
      R"({"from":"../../secret","to":"2025-12-02T10:23:05Z&x=y"})",
  };
  StartCollector({});
  std::vector<SqsRecord> records;
  std::vector<std::string> bad_ids;
  for (const std::string& body : bad_bodies) {
    const std::string n = absl::StrCat(bad_ids.size());
    bad_ids.push_back("bad-" + n);
    records.push_back({bad_ids.back(), body});
    records.push_back(
        {"good-" + n,
         SlotBody(At(10, 0, 0) + bad_ids.size() * scheduler::kSlotInterval)});
  }

  EXPECT_THAT(FailedRecords(records), ElementsAreArray(bad_ids));
  EXPECT_THAT(StoredCounts(), SizeIs(bad_bodies.size()));
  EXPECT_THAT(LogLines("record failed"), SizeIs(bad_bodies.size()));
}

TEST_F(CollectorTest, FailsAMalformedRecordAloneAmongGoodOnes) {
  StartCollector({});
  Json::Value event = ParseJson(SqsEvent({{"a", SlotBody(At(10, 23, 0))},
                                          {"b", SlotBody(At(10, 23, 5))},
                                          {"c", SlotBody(At(10, 23, 10))}}));
  event["Records"][1].removeMember("body");
  EXPECT_EQ(ParseJson(Respond(event.toStyledString())),
            ParseJson(R"({"batchItemFailures":[{"itemIdentifier":"b"}]})"));
  EXPECT_THAT(StoredCounts(), SizeIs(2));
}

TEST_F(CollectorTest, FailsTheInvocationForARecordWithoutAnId) {
  // SQS could not be told which record failed; so it has to hear that some did,
  // and the good ones are stored all the same.
  StartCollector({});
  Json::Value event = ParseJson(SqsEvent(
      {{"a", SlotBody(At(10, 23, 0))}, {"b", SlotBody(At(10, 23, 5))}}));
  event["Records"][0].removeMember("messageId");
  event["Records"][0]["body"] = "not json";
  EXPECT_THAT(Fail(event.toStyledString()).message, HasSubstr("messageId"));
  EXPECT_THAT(StoredCounts(), ElementsAre(Pair("2025-12-02T10:23:05Z", "1")));
}

TEST_F(CollectorTest, RefusesMalformedEventsAndSurvivesThem) {
  const std::vector<std::string> events = {
      "",
      " ",
      "null",
      "[]",
      "{}",
      "42",
      "\"Records\"",
      "{\"Records\":",
      "{\"Records\":null}",
      "{\"Records\":{}}",
      "{\"Records\":\"\"}",
      "{\"Records\":[null]}",
      "{\"Records\":[[]]}",
      "{\"Records\":[{}]}",
      "{\"records\":[]}",
      "{\"Records\":[]}]",
      "{\"Records\":[],\"Records\":[]}",
      "{\"Records\":[{\"messageId\":7,\"body\":\"{}\"}]}",
      "{\"Records\":[{\"messageId\":\"\",\"body\":\"{}\"}]}",
      "{\"Records\":[\"\xc3\x28\"]}",
      std::string("{\"Records\":[\0]}", 14),
      std::string(100'000, '['),
      "{\"Records\":" + std::string(100'000, '{'),
      R"({"time":"2025-12-02T10:23:00Z","source":"aws.events"})",
  };
  StartCollector({});
  for (const std::string& event : events) {
    SCOPED_TRACE(event.substr(0, 100));
    const FunctionError error = Fail(event);
    EXPECT_THAT(error.type, Not(IsEmpty()));
    EXPECT_THAT(error.message, AnyOf(HasSubstr("Records"), HasSubstr("SQS")));
    EXPECT_LT(error.message.size(), 1000);
  }
  EXPECT_THAT(FailedRecords({{"a", SlotBody(At(10, 23, 5))}}), IsEmpty());
  EXPECT_THAT(StoredCounts(), SizeIs(1));
}

TEST_F(CollectorTest, ReportsAMissingVariableWhenItStarts) {
  for (const char* name :
       {scheduler::kApiBaseUrlVariable, scheduler::kTableNameVariable}) {
    Variables variables = CollectorVariables({});
    variables.erase(name);
    const FunctionError error = FailToStart("collector", variables);
    EXPECT_THAT(error.type, Not(IsEmpty()));
    EXPECT_THAT(error.message, HasSubstr(name));
  }
}

TEST_F(CollectorTest, ReportsAnUnusableVariableWhenItStarts) {
  for (const char* url : {"localhost", "ftp://x", "http://", "http://a b/"}) {
    SCOPED_TRACE(url);
    Variables variables = CollectorVariables({});
    variables[scheduler::kApiBaseUrlVariable] = url;
    EXPECT_THAT(FailToStart("collector", variables).message,
                HasSubstr(scheduler::kApiBaseUrlVariable));
  }
}

}  // namespace
}  // namespace byoshin::integration

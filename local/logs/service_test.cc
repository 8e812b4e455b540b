// CloudWatch Logs' API, its filter patterns, and log groups in templates.

#include "local/logs/service.h"

#include <json/json.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"
#include "local/logs/cloudformation.h"
#include "local/logs/filter_pattern.h"
#include "local/logs/log_groups.h"
#include "local/logs/logs.h"

namespace byoshin::local::logs {
namespace {

using Texts = std::vector<std::string>;
constexpr char kRegion[] = "us-east-1";

TEST(FilterPattern, WantsAllTermsAndNoneBehindAMinusSign) {
  const FilterPattern pattern = *FilterPattern::Parse("ERROR slot -retry");
  EXPECT_TRUE(pattern.Matches("slot 5: ERROR"));
  EXPECT_FALSE(pattern.Matches("slot 5: error"));
  EXPECT_FALSE(pattern.Matches("ERROR"));
  EXPECT_FALSE(pattern.Matches("slot 5: ERROR, retry"));
  EXPECT_TRUE(FilterPattern::Parse("")->Matches("anything"));
}

TEST(FilterPattern, TakesQuotesAndAlternatives) {
  EXPECT_TRUE(FilterPattern::Parse(R"("time out" x)")->Matches("x time out"));
  EXPECT_FALSE(FilterPattern::Parse(R"("time out")")->Matches("time is out"));
  EXPECT_TRUE(FilterPattern::Parse(R"("\"level\":\"INFO\"")")
                  ->Matches(R"({"level":"INFO"})"));
  const FilterPattern any = *FilterPattern::Parse("?ERROR ?WARN");
  EXPECT_TRUE(any.Matches("a WARN"));
  EXPECT_FALSE(any.Matches("an INFO"));
}

TEST(FilterPattern, RefusesWhatItDoesNotUnderstand) {
  for (const char* text : {"[a, b]", "%[0-9]+%", "\"open", "?a b", "-"}) {
    EXPECT_FALSE(FilterPattern::Parse(text).ok()) << text;
  }
  EXPECT_TRUE(
      FilterPattern::Parse(std::string(kMaxFilterPatternLength, 'a')).ok());
  EXPECT_FALSE(
      FilterPattern::Parse(std::string(kMaxFilterPatternLength + 1, 'a')).ok());
}

constexpr char kJsonLine[] =
    R"({"level":"ERROR","count":3,"ratio":0.5,"last":true,"none":null,)"
    R"("text":"3","at":{"zone":"eu-west-1","my key":"x"},)"
    R"("list":["a",{"b":7}],"q":"say \"hi\" (now) x"})";

TEST(JsonPattern, MatchesLinesWhosePropertiesAreAsItSays) {
  for (const char* text :
       {R"({ $.level = "ERROR" })",
        R"({$.level=ERROR})",
        R"({ $.level = "ERR*" })",
        R"({ $.level = *R*R })",
        "{ $.level = * }",
        R"({ $.level != "INFO" })",
        "{ $.count = 3 }",
        "{ $.count = 3.0e0 }",
        "{ $.count != 4 }",
        "{ $.count > 2 }",
        "{ $.count >= 3 }",
        "{ $.count < 3.5 }",
        "{ $.count <= 3 }",
        "{ $.ratio = 0.5 }",
        "{ $.text = 3 }",
        R"({ $.text = "3" })",
        "{ $.last IS TRUE }",
        "{ $.none IS NULL }",
        "{ $.other NOT EXISTS }",
        "{ $.at.other.more NOT EXISTS }",
        R"({ $.at.zone = "eu-*-1" })",
        R"({ $.at['my key'] = x })",
        R"({ $.at.["my key"] = x })",
        R"({ $.list[0] = "a" })",
        "{ $.list[1].b = 7 }",
        "{ $.list[2] NOT EXISTS }",
        R"({ $.q = "say \"hi\" (now) x" })",
        R"({ $.level = "INFO" || $.count = 3 && $.last IS TRUE })",
        R"({ ($.level = "ERROR") && (($.count = 4) || ($.ratio < 1)) })"}) {
    const auto pattern = FilterPattern::Parse(text);
    ASSERT_TRUE(pattern.ok()) << text << ": " << pattern.status();
    EXPECT_TRUE(pattern->Matches(kJsonLine)) << text;
    EXPECT_FALSE(pattern->Matches("level ERROR")) << text;
    EXPECT_FALSE(pattern->Matches(R"({"level":)")) << text;
  }
}

TEST(JsonPattern, MatchesNoOtherLines) {
  for (const char* text :
       {R"({ $.level = "error" })", R"({ $.level = "ERRO" })",
        R"({ $.level = "E*O" })", R"({ $.level != "E*" })", "{ $.count = 4 }",
        "{ $.count > 3 }", "{ $.count < 3 }", "{ $.text > 2 }",
        "{ $.last IS FALSE }", "{ $.level IS NULL }", "{ $.other IS NULL }",
        "{ $.level NOT EXISTS }", "{ $.other = * }", "{ $.other != x }",
        "{ $.level.deep = x }", "{ $.list[5] = a }", "{ $.at[0] = a }",
        R"({ ($.level = "INFO" || $.count = 3) && $.last IS FALSE })"}) {
    const auto pattern = FilterPattern::Parse(text);
    ASSERT_TRUE(pattern.ok()) << text << ": " << pattern.status();
    EXPECT_FALSE(pattern->Matches(kJsonLine)) << text;
  }
}

TEST(JsonPattern, RefusesWhatIsNone) {
  for (const char* text : {"{",
                           "{}",
                           "{ $ = 1 }",
                           "{ $.a }",
                           "{ $. = 1 }",
                           "{ a = 1 }",
                           "{ $.a = }",
                           "{ $.a == 1 }",
                           "{ $.a > x }",
                           "{ $.a > \"1\" }",
                           "{ $.a = \"open }",
                           "{ $.a = 1",
                           "{ $.a = 1 } x",
                           "{ ($.a = 1 }",
                           "{ $.a = 1 && }",
                           "{ $.a = 1 $.b = 2 }",
                           "{ $.a[x] = 1 }",
                           "{ $.a[1 = 1 }",
                           "{ $.a IS }",
                           "{ $.a IS 5 }",
                           "{ $.a NOT }",
                           "{ $.a = %b% }"}) {
    EXPECT_FALSE(FilterPattern::Parse(text).ok()) << text;
  }
}

TEST(JsonPattern, NestsAsDeepAsItsLengthAllows) {
  constexpr std::size_t kDepth = (kMaxFilterPatternLength - 9) / 2;
  const std::string text = absl::StrCat(
      "{", std::string(kDepth, '('), "$.a = 1", std::string(kDepth, ')'), "}");
  const auto pattern = FilterPattern::Parse(text);
  ASSERT_TRUE(pattern.ok()) << pattern.status();
  EXPECT_TRUE(pattern->Matches(R"({"a":1})"));
}

class LogsServiceTest : public ::testing::Test {
 protected:
  LogsServiceTest() {
    groups_.Put({.name = "/app/one",
                 .region = kRegion,
                 .created = clock_.Now(),
                 .retention_days = 7});
  }

  void Write(const std::string& stream, const std::string& text,
             const std::string& group = "/app/one") {
    logs_.Write({.time = {}, .group = group, .stream = stream, .text = text});
  }
  // So many lines of one stream, a second apart.
  void WriteLines(int count) {
    for (int i = 0; i < count; ++i) {
      Write("s", absl::StrCat("line ", i));
      clock_.AdvanceBy(absl::Seconds(1));
    }
  }

  Json::Value Ask(const std::string& operation, const std::string& body,
                  const std::string& region = kRegion) {
    LogsService service(groups_, logs_, clock_, {.region = kRegion});
    Json::Value value;
    service.Handle({.operation = operation, .body = body, .region = region},
                   [&](const Answer& answer) {
                     value = json::ParseValue(answer.body).value();
                     EXPECT_EQ(answer.status == 400, value.isMember("__type"));
                   });
    return value;
  }
  static Texts Messages(const Json::Value& answer) {
    Texts texts;
    for (const Json::Value& event : answer["events"]) {
      texts.push_back(event["message"].asString());
    }
    return texts;
  }
  std::string ErrorOf(const std::string& operation, const std::string& body) {
    return Ask(operation, body)["__type"].asString();
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
  LogGroups groups_;
  Logs logs_{clock_, {}};
};

TEST_F(LogsServiceTest, DescribesGroupsThatWereMadeAndThatWereWrittenTo) {
  Write("s", "hello", "/aws/lambda/other");
  const Json::Value groups = Ask("DescribeLogGroups", "{}")["logGroups"];
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0]["logGroupName"], "/app/one");
  EXPECT_EQ(groups[0]["retentionInDays"], 7);
  EXPECT_EQ(groups[0]["arn"],
            "arn:aws:logs:us-east-1:000000000000:log-group:/app/one:*");
  EXPECT_EQ(groups[1]["logGroupName"], "/aws/lambda/other");
  EXPECT_EQ(groups[1]["storedBytes"], 5);
  EXPECT_FALSE(groups[1].isMember("retentionInDays"));
  EXPECT_EQ(
      Ask("DescribeLogGroups", R"({"logGroupNamePrefix":"/app"})")["logGroups"]
          .size(),
      1u);
  EXPECT_EQ(
      Ask("DescribeLogGroups", R"({"logGroupNamePattern":"oth"})")["logGroups"]
          .size(),
      1u);
  EXPECT_EQ(Ask("DescribeLogGroups", "{}", "eu-west-1")["logGroups"].size(),
            0u);
}

TEST_F(LogsServiceTest, GivesGroupsInPages) {
  groups_.Put({.name = "/app/two", .region = kRegion});
  const Json::Value first = Ask("DescribeLogGroups", R"({"limit":1})");
  EXPECT_EQ(first["logGroups"][0]["logGroupName"], "/app/one");
  const Json::Value second = Ask(
      "DescribeLogGroups", absl::StrCat(R"({"limit":1,"nextToken":")",
                                        first["nextToken"].asString(), "\"}"));
  EXPECT_EQ(second["logGroups"][0]["logGroupName"], "/app/two");
  EXPECT_FALSE(second.isMember("nextToken"));
}

TEST_F(LogsServiceTest, DescribesStreams) {
  Write("b", "1");
  clock_.AdvanceBy(absl::Seconds(1));
  Write("a", "2");
  clock_.AdvanceBy(absl::Seconds(1));
  Write("b", "3");
  const Json::Value by_name =
      Ask("DescribeLogStreams", R"({"logGroupName":"/app/one"})")["logStreams"];
  ASSERT_EQ(by_name.size(), 2u);
  EXPECT_EQ(by_name[0]["logStreamName"], "a");
  EXPECT_EQ(by_name[1]["firstEventTimestamp"].asInt64(), 1764670980000);
  EXPECT_EQ(by_name[1]["lastEventTimestamp"].asInt64(), 1764670982000);
  const Json::Value newest = Ask(
      "DescribeLogStreams",
      R"({"logGroupName":"/app/one","orderBy":"LastEventTime","descending":true,"limit":1})");
  EXPECT_EQ(newest["logStreams"][0]["logStreamName"], "b");
  EXPECT_TRUE(newest.isMember("nextToken"));
}

TEST_F(LogsServiceTest, FiltersByTimeTermStreamAndPage) {
  WriteLines(5);
  Write("t", "line of another");
  const auto filter = [&](const std::string& more) {
    return Ask("FilterLogEvents",
               absl::StrCat(R"({"logGroupName":"/app/one")", more, "}"));
  };
  EXPECT_EQ(filter("")["events"].size(), 6u);
  EXPECT_EQ(Messages(filter(R"(,"filterPattern":"another")")),
            Texts{"line of another"});
  EXPECT_EQ(Messages(filter(R"(,"logStreamNames":["t"])")),
            Texts{"line of another"});
  EXPECT_EQ(filter(R"(,"logStreamNamePrefix":"s")")["events"].size(), 5u);
  EXPECT_EQ(
      Messages(filter(R"(,"startTime":1764670981000,"endTime":1764670982000)")),
      (Texts{"line 1", "line 2"}));
  const Json::Value page = filter(R"(,"limit":4)");
  EXPECT_EQ(page["events"].size(), 4u);
  EXPECT_EQ(page["events"][0]["eventId"].asString().size(), 56u);
  const Json::Value rest = filter(absl::StrCat(
      R"(,"limit":4,"nextToken":")", page["nextToken"].asString(), "\""));
  EXPECT_EQ(Messages(rest), (Texts{"line 4", "line of another"}));
  EXPECT_FALSE(rest.isMember("nextToken"));
}

TEST_F(LogsServiceTest, LeafsThroughAStreamInBothDirections) {
  WriteLines(5);
  const auto get = [&](const std::string& more) {
    return Ask(
        "GetLogEvents",
        absl::StrCat(
            R"({"logGroupName":"/app/one","logStreamName":"s","limit":2)", more,
            "}"));
  };
  const auto token = [](const Json::Value& answer, const char* name) {
    return absl::StrCat(R"(,"nextToken":")", answer[name].asString(), "\"");
  };
  const Json::Value newest = get("");
  EXPECT_EQ(Messages(newest), (Texts{"line 3", "line 4"}));
  EXPECT_EQ(Messages(get(token(newest, "nextBackwardToken"))),
            (Texts{"line 1", "line 2"}));
  const Json::Value oldest = get(R"(,"startFromHead":true)");
  EXPECT_EQ(Messages(oldest), (Texts{"line 0", "line 1"}));
  EXPECT_EQ(Messages(get(token(oldest, "nextForwardToken"))),
            (Texts{"line 2", "line 3"}));
  // At the end the token stays the same until there is more.
  const Json::Value end = get(token(newest, "nextForwardToken"));
  EXPECT_EQ(end["events"].size(), 0u);
  EXPECT_EQ(end["nextForwardToken"], newest["nextForwardToken"]);
  EXPECT_EQ(Messages(get(token(end, "nextBackwardToken"))),
            (Texts{"line 3", "line 4"}));
  Write("s", "line 5");
  EXPECT_EQ(Messages(get(token(end, "nextForwardToken"))), Texts{"line 5"});
}

TEST_F(LogsServiceTest, DoesNotShowWhatIsTooOld) {
  Write("s", "old");
  clock_.AdvanceBy(absl::Hours(24 * 7) + absl::Seconds(1));
  Write("s", "new");
  EXPECT_EQ(Messages(Ask("FilterLogEvents", R"({"logGroupName":"/app/one"})")),
            Texts{"new"});
}

TEST_F(LogsServiceTest, RefusesAsCloudWatchDoes) {
  WriteLines(1);
  EXPECT_EQ(ErrorOf("FilterLogEvents", R"({"logGroupName":"/none"})"),
            "ResourceNotFoundException");
  EXPECT_EQ(ErrorOf("GetLogEvents",
                    R"({"logGroupName":"/app/one","logStreamName":"none"})"),
            "ResourceNotFoundException");
  EXPECT_EQ(ErrorOf("FilterLogEvents", "{}"), "InvalidParameterException");
  EXPECT_EQ(ErrorOf("DescribeLogStreams",
                    R"({"logGroupName":"/app/one","orderBy":"Size"})"),
            "InvalidParameterException");
  EXPECT_EQ(ErrorOf("FilterLogEvents",
                    R"({"logGroupName":"/app/one","limit":10001})"),
            "InvalidParameterException");
  EXPECT_EQ(ErrorOf("FilterLogEvents",
                    R"({"logGroupName":"/app/one","filterPattern":"{ $.a }"})"),
            "InvalidParameterException");
  EXPECT_EQ(ErrorOf("FilterLogEvents",
                    R"({"logGroupName":"/app/one","nextToken":"f/x/y"})"),
            "InvalidParameterException");
  EXPECT_EQ(ErrorOf("FilterLogEvents", R"({"logGroupName":7})"),
            "SerializationException");
  EXPECT_EQ(ErrorOf("StartQuery", "{}"), "UnknownOperationException");
}

TEST_F(LogsServiceTest, TakesAGroupByItsArn) {
  WriteLines(1);
  EXPECT_EQ(
      Messages(Ask(
          "FilterLogEvents",
          R"({"logGroupIdentifier":"arn:aws:logs:us-east-1:000000000000:log-group:/app/one"})")),
      Texts{"line 0"});
}

class LogGroupProviderTest : public LogsServiceTest {
 protected:
  cloudformation::ResourceRequest Request(absl::string_view properties,
                                          const std::string& id = "") {
    properties_ = json::ParseValue(properties).value();
    return {.stack = stack_,
            .logical_id = "Group",
            .physical_id = id,
            .name_suffix = "ABCDEF123456",
            .properties = properties_};
  }

  const cloudformation::StackContext stack_{.stack_name = "s"};
  Json::Value properties_;
  std::unique_ptr<cloudformation::ResourceProvider> provider_ =
      LogGroupProvider(groups_, logs_, clock_);
};

TEST_F(LogGroupProviderTest, MakesChangesRestoresAndDeletesGroups) {
  const cloudformation::ResourceState state = *provider_->Create(
      Request(R"({"LogGroupName":"/g","RetentionInDays":"30"})"));
  EXPECT_EQ(state.physical_id, "/g");
  EXPECT_EQ(state.attributes.at("Arn"),
            "arn:aws:logs:us-east-1:000000000000:log-group:/g:*");
  EXPECT_EQ(groups_.Find(kRegion, "/g")->retention_days, 30);
  const absl::Time created = clock_.Now();
  clock_.AdvanceBy(absl::Seconds(9));
  ASSERT_TRUE(provider_->Update(Request("{}", "/g"), {}).ok());
  EXPECT_EQ(groups_.Find(kRegion, "/g")->retention_days, std::nullopt);
  groups_.Remove(kRegion, "/g");
  ASSERT_TRUE(provider_->Restore(Request("{}", "/g"), state).ok());
  EXPECT_EQ(groups_.Find(kRegion, "/g")->created, created);
  Write("s", "line", "/g");
  ASSERT_TRUE(provider_->Delete(Request("{}", "/g")).ok());
  EXPECT_EQ(ErrorOf("FilterLogEvents", R"({"logGroupName":"/g"})"),
            "ResourceNotFoundException");
}

TEST_F(LogGroupProviderTest, RefusesARetentionThatAwsDoesNotHave) {
  EXPECT_FALSE(provider_->Create(Request(R"({"RetentionInDays":2})")).ok());
  EXPECT_EQ(provider_->Create(Request("{}"))->physical_id,
            "s-Group-ABCDEF123456");
}

TEST_F(LogsServiceTest, NeedsThePermissionOnTheGroup) {
  const LogsService service(groups_, logs_, clock_, {.region = kRegion});
  Call call{.operation = "FilterLogEvents",
            .body = R"({"logGroupName":"/g"})",
            .region = kRegion,
            .caller = {.account_id = "000000000000"}};
  EXPECT_EQ(service.PermissionsFor(call),
            (std::vector<NeededPermission>{
                {"logs:FilterLogEvents",
                 "arn:aws:logs:us-east-1:000000000000:log-group:/g:*"}}));
  call = {.operation = "DescribeLogGroups", .body = "{}", .region = kRegion};
  EXPECT_EQ(service.PermissionsFor(call),
            (std::vector<NeededPermission>{{"logs:DescribeLogGroups", "*"}}));
}

}  // namespace
}  // namespace byoshin::local::logs

#include "core/log/logger.h"

#include <json/json.h>

#include <cstdint>
#include <limits>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/log/testing/recording_sink.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::log {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::SizeIs;

class LoggerTest : public ::testing::Test {
 protected:
  time::SimulatedClock clock_{absl::FromUnixMillis(1764670980012)};
  testing::RecordingSink sink_;
  Logger logger_{clock_, sink_};
};

TEST_F(LoggerTest, WritesOneLineInAFixedOrder) {
  logger_.SetRequestId("r-1");
  logger_.Info("message sent",
               {{"from", "2025-12-02T10:23:00Z"}, {"delaySeconds", 5}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre(R"({"timestamp":"2025-12-02T10:23:00.012Z","level":"INFO",)"
                  R"("requestId":"r-1","message":"message sent",)"
                  R"("from":"2025-12-02T10:23:00Z","delaySeconds":5})"));
}

TEST_F(LoggerTest, LeavesTheRequestIdOutBeforeTheFirstInvocation) {
  logger_.Info("starting");
  EXPECT_THAT(sink_.lines(),
              ElementsAre(R"({"timestamp":"2025-12-02T10:23:00.012Z",)"
                          R"("level":"INFO","message":"starting"})"));
}

TEST_F(LoggerTest, NamesEachLevel) {
  logger_.Debug("d");
  logger_.Info("i");
  logger_.Warning("w");
  logger_.Error("e");
  EXPECT_THAT(sink_.Messages("DEBUG"), ElementsAre("d"));
  EXPECT_THAT(sink_.Messages("INFO"), ElementsAre("i"));
  EXPECT_THAT(sink_.Messages("WARN"), ElementsAre("w"));
  EXPECT_THAT(sink_.Messages("ERROR"), ElementsAre("e"));
}

TEST_F(LoggerTest, WritesNothingBelowItsThreshold) {
  Logger logger(clock_, sink_, Level::kWarning);
  logger.Info("i");
  logger.Debug("d");
  EXPECT_THAT(sink_.lines(), IsEmpty());
  logger.Warning("w");
  logger.Error("e");
  EXPECT_THAT(sink_.lines(), SizeIs(2));
}

TEST_F(LoggerTest, KeepsTheTypesOfFields) {
  const std::string text = "t";
  logger_.Info("m", {{"literal", "l"},
                     {"string", text},
                     {"bool", true},
                     {"int", -1},
                     {"int64", std::numeric_limits<int64_t>::min()},
                     {"double", 0.25},
                     {"nan", std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_THAT(sink_.lines().at(0),
              ::testing::EndsWith(
                  R"("literal":"l","string":"t","bool":true,"int":-1,)"
                  R"("int64":-9223372036854775808,"double":0.25,"nan":null})"));
}

TEST_F(LoggerTest, CutsTheFractionOfTheTimeToMilliseconds) {
  clock_.AdvanceBy(absl::Microseconds(1999));
  logger_.Info("m");
  EXPECT_EQ(sink_.entries().at(0)["timestamp"].asString(),
            "2025-12-02T10:23:00.013Z");
}

TEST_F(LoggerTest, EscapesLineBreaksSoThatALineStaysALine) {
  logger_.Error("a\nb\r\n\"c\"", {{"na\nme", std::string("x\0y", 3)}});
  EXPECT_THAT(sink_.lines(), SizeIs(1));
  const Json::Value entry = sink_.entries().at(0);
  EXPECT_EQ(entry["message"].asString(), "a\nb\r\n\"c\"");
  EXPECT_EQ(entry["na\nme"].asString(), std::string("x\0y", 3));
}

TEST_F(LoggerTest, ReplacesBytesThatAreNotUtf8) {
  logger_.SetRequestId("r\xff");
  logger_.Error("a\xff", {{"body\xc0", "\xe7\xa7 and 秒"}});
  const Json::Value entry = sink_.entries().at(0);
  EXPECT_EQ(entry["requestId"].asString(), "r\uFFFD");
  EXPECT_EQ(entry["message"].asString(), "a\uFFFD");
  EXPECT_EQ(entry["body\uFFFD"].asString(), "\uFFFD\uFFFD and 秒");
}

TEST_F(LoggerTest, KeepsTheLongestTextWhole) {
  const std::string text(kMaxTextBytes, 'x');
  logger_.Info(text, {{"value", text}});
  EXPECT_EQ(sink_.entries().at(0)["message"].asString(), text);
  EXPECT_EQ(sink_.entries().at(0)["value"].asString(), text);
}

TEST_F(LoggerTest, CutsALongerTextAndSaysSo) {
  const std::string text(1'000'000, 'x');
  logger_.Info(text, {{"value", text}});
  const std::string cut =
      absl::StrCat(text.substr(0, kMaxTextBytes), "... (1000000 bytes)");
  EXPECT_EQ(sink_.entries().at(0)["message"].asString(), cut);
  EXPECT_EQ(sink_.entries().at(0)["value"].asString(), cut);
}

TEST_F(LoggerTest, DoesNotCutACharacterInTwo) {
  const std::string text = std::string(kMaxTextBytes - 2, 'x') + "秒針";
  logger_.Info(text);
  EXPECT_EQ(sink_.entries().at(0)["message"].asString(),
            absl::StrCat(text.substr(0, kMaxTextBytes - 2), "... (",
                         kMaxTextBytes + 4, " bytes)"));
}

TEST_F(LoggerTest, RenamesAFieldThatWouldHideAnother) {
  logger_.Info("m", {{"level", "of water"}, {"a", 1}, {"a", 2}, {"a", 3}});
  const Json::Value entry = sink_.entries().at(0);
  EXPECT_EQ(entry["level"].asString(), "INFO");
  EXPECT_EQ(entry["level_"].asString(), "of water");
  EXPECT_EQ(entry["a"].asInt(), 1);
  EXPECT_EQ(entry["a_"].asInt(), 2);
  EXPECT_EQ(entry["a__"].asInt(), 3);

  logger_.Info("m", {{"\xff", 1}, {"\xfe", 2}});
  EXPECT_EQ(sink_.entries().at(1)["\uFFFD"].asInt(), 1);
  EXPECT_EQ(sink_.entries().at(1)["\uFFFD_"].asInt(), 2);
}

TEST_F(LoggerTest, EmitsMetricsInTheEmbeddedFormat) {
  logger_.SetRequestId("r-1");
  logger_.EmitMetrics("Byoshin/Scheduler", {{"Function", "Collector"}},
                      {{"SlotLateness", Metric::Unit::kMilliseconds, 12.5},
                       {"Age", Metric::Unit::kSeconds, 3},
                       {"SlotsStored", Metric::Unit::kCount, 1}},
                      {{"slotTime", "2025-12-02T10:23:00Z"}});
  EXPECT_THAT(
      sink_.lines(),
      ElementsAre(
          R"({"_aws":{"CloudWatchMetrics":[{"Dimensions":[["Function"]],)"
          R"("Metrics":[{"Name":"SlotLateness","Unit":"Milliseconds"},)"
          R"({"Name":"Age","Unit":"Seconds"},)"
          R"({"Name":"SlotsStored","Unit":"Count"}],)"
          R"("Namespace":"Byoshin/Scheduler"}],"Timestamp":1764670980012},)"
          R"("Function":"Collector","SlotLateness":12.5,"Age":3.0,)"
          R"("SlotsStored":1.0,"requestId":"r-1",)"
          R"("slotTime":"2025-12-02T10:23:00Z"})"));
}

TEST_F(LoggerTest, EmitsMetricsWithoutDimensions) {
  logger_.EmitMetrics("N", {}, {{"M", Metric::Unit::kCount, 1}});
  EXPECT_EQ(sink_.entries()
                .at(0)["_aws"]["CloudWatchMetrics"][0]["Dimensions"]
                .toStyledString(),
            "[\n\t[]\n]\n");
}

TEST_F(LoggerTest, EmitsMetricsWhateverTheThreshold) {
  Logger logger(clock_, sink_, Level::kError);
  logger.EmitMetrics("N", {}, {{"M", Metric::Unit::kCount, 1}});
  EXPECT_THAT(sink_.metrics(), SizeIs(1));
}

TEST_F(LoggerTest, LeavesOutAMetricThatIsNotANumber) {
  const double infinity = std::numeric_limits<double>::infinity();
  logger_.EmitMetrics("N", {},
                      {{"Bad", Metric::Unit::kCount, infinity},
                       {"Good", Metric::Unit::kCount, 1}});
  const Json::Value entry = sink_.metrics().at(0);
  EXPECT_FALSE(entry.isMember("Bad"));
  EXPECT_EQ(entry["_aws"]["CloudWatchMetrics"][0]["Metrics"].size(), 1);
  EXPECT_EQ(entry["Good"].asDouble(), 1);
}

TEST_F(LoggerTest, EmitsNothingWhereNoMetricIsLeft) {
  logger_.EmitMetrics("N", {}, {});
  logger_.EmitMetrics(
      "N", {},
      {{"M", Metric::Unit::kCount, std::numeric_limits<double>::quiet_NaN()}});
  EXPECT_THAT(sink_.lines(), IsEmpty());
}

TEST_F(LoggerTest, KeepsAMetricFromAPropertyOfTheSameName) {
  logger_.EmitMetrics("N", {}, {{"M", Metric::Unit::kCount, 1}}, {{"M", "p"}});
  EXPECT_EQ(sink_.metrics().at(0)["M"].asDouble(), 1);
  EXPECT_EQ(sink_.metrics().at(0)["M_"].asString(), "p");
}

TEST_F(LoggerTest, CanBeSharedByThreads) {
  std::vector<std::thread> threads;
  threads.reserve(4);
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([this, i] {
      for (int j = 0; j < 100; ++j) logger_.Info("m", {{"thread", i}});
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(sink_.entries(), SizeIs(400));
}

}  // namespace
}  // namespace byoshin::log

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <ios>
#include <string>
#include <tuple>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/json/value.h"
#include "local/applications/application.h"
#include "local/applications/scheduler/application.h"
#include "local/cli/command.h"
#include "local/cli/testing_commands.h"

namespace byoshin::local::applications {
namespace {

constexpr char kSlotStatus[] = R"({"now": 1764671000000})";

class SlotCommandsTest : public cli::CommandTest {
 protected:
  int Run(const std::vector<std::string>& words) {
    return CommandTest::Run(SchedulerApplication().commands, words);
  }
};

TEST_F(SlotCommandsTest, PrintRecordsPageByPage) {
  for (const char* format : {"csv", "json", "table"}) {
    Answer(kSlotStatus);
    Answer(R"({"records":[{"slot":1764670995000,"count":3,
                           "lateness":1929826.5}],"next":1764670996000})");
    Answer(R"({"records":[{"slot":1764671000000,"count":0}],"next":null})");
    EXPECT_EQ(Run({"records", "--since=10m", absl::StrCat("--format=", format),
                   "--endpoint=http://127.0.0.1:9"}),
              0);
  }
  EXPECT_EQ(terminal_.printed,
            "slotTime,count\n"
            "2025-12-02T10:23:15Z,3\n"
            "2025-12-02T10:23:20Z,0\n"
            "[{\"slotTime\":\"2025-12-02T10:23:15Z\",\"count\":3},\n"
            " {\"slotTime\":\"2025-12-02T10:23:20Z\",\"count\":0}]\n"
            "SLOT                  COUNT  LATENESS\n"
            "2025-12-02T10:23:15Z      3  32 min\n"
            "2025-12-02T10:23:20Z      0  -\n");
  EXPECT_EQ(
      Url(1),
      "http://127.0.0.1:9/_byoshin/api/scheduler/records?from=1764670400000&to="
      "1764671000000&limit=5000");
  EXPECT_TRUE(absl::StrContains(Url(2), "from=1764670996000&"));
}

TEST_F(SlotCommandsTest, PrintAnEmptyListOfRecords) {
  Answer(kSlotStatus);
  Answer(R"({"records":[],"next":null})");
  EXPECT_EQ(Run({"records", "--format=json"}), 0);
  EXPECT_EQ(terminal_.printed, "[]\n");
}

TEST_F(SlotCommandsTest, StopWhenNobodyReads) {
  terminal_.closed = true;
  Answer(kSlotStatus);
  Answer(R"({"records":[{"slot":1764670995000,"count":3},
                        {"slot":1764671000000,"count":3}],"next":5})");
  EXPECT_EQ(Run({"records"}), 1);
  EXPECT_EQ(http_.requests().size(), 2);
  EXPECT_EQ(terminal_.noted, "");
}

TEST_F(SlotCommandsTest, RefuseARangeThatEndsBeforeItBegins) {
  Answer(kSlotStatus);
  EXPECT_EQ(Run({"records", "--since=1m", "--until=2m"}), 2);
}

TEST_F(SlotCommandsTest, DrawWhatWasCollected) {
  const std::string file = ::testing::TempDir() + "/chart.png";
  for (const std::string& flag : {std::string("--ascii"), "--png=" + file}) {
    Answer(kSlotStatus);
    Answer(kSlotStatus);
    Answer(R"({"records":[{"slot":1764670985000,"count":3},
                          {"slot":1764670995000,"count":9}],"next":null})");
    EXPECT_EQ(Run({"chart", "--since=1m", flag}), 0) << terminal_.noted;
  }
  EXPECT_TRUE(absl::StrContains(terminal_.printed, "#"));
  std::ifstream png(file, std::ios::binary);
  std::string head(8, ' ');
  png.read(head.data(), head.size());
  EXPECT_EQ(head, "\x89PNG\r\n\x1a\n");
  Answer(kSlotStatus);
  Answer(kSlotStatus);
  Answer(R"({"records":[],"next":null})");
  EXPECT_EQ(Run({"chart", "--html=/nowhere/at/all.html"}), 1);
  EXPECT_TRUE(
      absl::StrContains(terminal_.noted, "cannot write /nowhere/at/all.html"));
}

TEST_F(SlotCommandsTest, DrawWithTheCharactersOfTheLocale) {
  const auto drawn = [this](const std::string& locale) {
    terminal_.printed.clear();
    environment_ = env::FromMap({{"LC_ALL", locale}});
    Answer(kSlotStatus);
    Answer(kSlotStatus);
    Answer(R"({"records":[{"slot":1764670985000,"count":3}],"next":null})");
    EXPECT_EQ(Run({"chart", "--since=1m"}), 0) << terminal_.noted;
    return terminal_.printed;
  };
  const auto is_ascii = [](const std::string& text) {
    return std::all_of(text.begin(), text.end(),
                       [](unsigned char c) { return absl::ascii_isascii(c); });
  };
  EXPECT_TRUE(is_ascii(drawn("C")));
  EXPECT_FALSE(is_ascii(drawn("C.UTF-8")));
}

TEST_F(SlotCommandsTest, DrawSlotsAsMissingThatAreExpected) {
  const auto drawn = [this](const std::string& expected,
                            const std::string& records) {
    terminal_.printed.clear();
    Answer(kSlotStatus);
    Answer(absl::StrCat(R"({"now":1764671000000,"scheduler":{"expected":)",
                        expected, "}}"));
    Answer(absl::StrCat(R"({"records":[)", records, R"(],"next":null})"));
    EXPECT_EQ(Run({"chart", "--since=1m", "--ascii"}), 0) << terminal_.noted;
    return terminal_.printed;
  };
  const std::string one = R"({"slot":1764670985000,"count":3})";
  const std::string to = R"(,"to":1764670990000})";
  const std::string long_before = absl::StrCat(R"({"from":1764600000000)", to);
  for (const auto& [expected, records, summary] :
       {std::tuple(long_before, one, "1 of 10 slots stored, 9 missing"),
        // Nothing was stored for as long as is looked at.
        std::tuple(long_before, std::string(),
                   "0 of 10 slots stored, 10 missing"),
        std::tuple(absl::StrCat(R"({"from":1764670985000)", to), one,
                   "1 of 1 slots stored, 0 missing"),
        std::tuple(std::string("null"), std::string(),
                   "0 of 0 slots stored, 0 missing")}) {
    const std::string chart = drawn(expected, records);
    EXPECT_TRUE(absl::StrContains(chart, summary)) << chart;
  }
}

TEST_F(SlotCommandsTest, DrawWholeBucketsOfLongRanges) {
  Answer(kSlotStatus);
  Answer(kSlotStatus);
  Answer(R"({"records":[],"next":null})");
  EXPECT_EQ(Run({"chart", "--since=24h", "--ascii"}), 0) << terminal_.noted;
  // 17,280 slots in 160 buckets: of 9 minutes and 5 seconds each.
  EXPECT_TRUE(absl::StrContains(Url(2), "from=1764584105000&to=1764671305000&"))
      << Url(2);
}

TEST_F(SlotCommandsTest, TakePathsOfChartsFromWhereBazelWasCalled) {
  const std::string folder = ::testing::TempDir() + "/where_bazel_was_called";
  std::filesystem::create_directories(folder);
  environment_ = env::FromMap({{"BUILD_WORKING_DIRECTORY", folder}});
  Answer(kSlotStatus);
  Answer(kSlotStatus);
  Answer(R"({"records":[],"next":null})");
  EXPECT_EQ(Run({"chart", "--png=chart.png", "--html=chart.html"}), 0)
      << terminal_.noted;
  EXPECT_TRUE(std::filesystem::exists(folder + "/chart.png"));
  EXPECT_TRUE(std::filesystem::exists(folder + "/chart.html"));
  EXPECT_EQ(terminal_.printed, "");
  const auto size = [&folder](const char* name) {
    return std::filesystem::file_size(folder + name);
  };
  EXPECT_EQ(terminal_.noted,
            absl::StrCat("wrote ", folder, "/chart.png (", size("/chart.png"),
                         " bytes)\nwrote ", folder, "/chart.html (",
                         size("/chart.html"), " bytes)\n"));
}

TEST(SchedulerApplication, TellsOfItsRecordsInTheStatus) {
  const auto lines = [](const char* status) {
    return SchedulerApplication().format_status(*json::ParseValue(status));
  };
  EXPECT_EQ(lines(R"({"records": {"total": 2, "first": 1764670995000,
                                  "last": null, "missing": 178}})"),
            "records       2, 2025-12-02T10:23:15Z to -\n"
            "missing slots 178\n");
  EXPECT_EQ(lines("{}"), "");
}

}  // namespace
}  // namespace byoshin::local::applications

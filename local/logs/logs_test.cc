#include "local/logs/logs.h"

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"

namespace byoshin::local::logs {
namespace {

namespace fs = std::filesystem;

class LogsTest : public testing::Test {
 protected:
  static std::vector<std::string> Texts(Logs& logs) {
    std::vector<std::string> texts;
    for (const LogLine& line : logs.Tail("/g", 1000))
      texts.push_back(line.text);
    return texts;
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1764670980)};
};

TEST_F(LogsTest, KeepsTheNewestWithinItsBounds) {
  Logs logs(clock_, {.folder = "", .max_memory_bytes = 1000});
  for (int i = 0; i < 100; ++i) {
    logs.Write({.time = {}, .group = "/g", .text = absl::StrCat("line ", i)});
  }
  const std::vector<std::string> texts = Texts(logs);
  EXPECT_LT(texts.size(), 10);
  EXPECT_EQ(texts.back(), "line 99");
  EXPECT_EQ(logs.Tail("/g", 2).size(), 2);
}

TEST_F(LogsTest, CountsItsLinesAlsoThoseOfBefore) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  {
    Logs logs(clock_, {.folder = folder});
    logs.Write({.time = {}, .group = "/g", .text = "one"});
  }
  Logs logs(clock_, {.folder = folder});
  logs.Write({.time = {}, .group = "/g", .text = "two"});
  const std::vector<LogLine> lines = logs.Tail("/g", 10);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[0].number, 0);
  EXPECT_EQ(lines[1].number, 1);
}

TEST_F(LogsTest, KnowsTheGroupsOfEarlierRuns) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  Logs(clock_, {.folder = folder})
      .Write({.time = {}, .group = "/aws/lambda/f", .text = "one"});
  Logs later(clock_, {.folder = folder});
  EXPECT_EQ(later.Groups(), std::vector<std::string>{"/aws/lambda/f"});
  EXPECT_EQ(later.Tail("/aws/lambda/f", 10).front().text, "one");
  later.Remove("/aws/lambda/f");
  EXPECT_EQ(later.Groups(), std::vector<std::string>());
}

TEST_F(LogsTest, ForgetsAGroup) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  Logs logs(clock_, {.folder = folder});
  logs.Write({.time = {}, .group = "/g", .text = "one"});
  logs.Remove("/g");
  EXPECT_TRUE(fs::is_empty(folder));
  EXPECT_TRUE(logs.Groups().empty());
  logs.Write({.time = {}, .group = "/g", .text = "two"});
  EXPECT_EQ(Texts(logs), std::vector<std::string>{"two"});
}

TEST_F(LogsTest, RotatesItsFiles) {
  const TestFolder test_folder;
  const std::string& folder = test_folder.path();
  {
    Logs logs(clock_, {.folder = folder, .max_file_bytes = 1000});
    for (int i = 0; i < 100; ++i) {
      logs.Write({.time = {}, .group = "/g", .text = absl::StrCat("line ", i)});
    }
    EXPECT_EQ(logs.file_error(), "");
  }
  EXPECT_LE(fs::file_size(folder + "/+g.log"), 1000);
  EXPECT_LE(fs::file_size(folder + "/+g.log.1"), 1000);
  EXPECT_TRUE(absl::StrContains(*files::ReadFile(folder + "/+g.log"),
                                "2025-12-02T10:23:00.000Z\t\tline 99\n"));
}

TEST_F(LogsTest, GoesOnWithoutItsFiles) {
  Logs logs(clock_, {.folder = "/proc/no/such/folder"});
  logs.Write({.time = {}, .group = "/g", .text = "line"});
  EXPECT_EQ(Texts(logs), std::vector<std::string>{"line"});
  EXPECT_NE(logs.file_error(), "");
}

TEST_F(LogsTest, TellsItsSubscribers) {
  Logs logs(clock_, {});
  std::vector<std::string> heard;
  const Logs::SubscriptionId id =
      logs.Subscribe([&](const LogLine& line) { heard.push_back(line.text); });
  logs.Write({.time = {}, .group = "/g", .text = "one"});
  logs.Unsubscribe(id);
  logs.Write({.time = {}, .group = "/g", .text = "two"});
  EXPECT_EQ(heard, std::vector<std::string>{"one"});
}

TEST(GroupOfArn, IsTheNameOfTheGroup) {
  constexpr char kArn[] =
      "arn:aws:logs:us-east-1:000000000000:log-group:/byoshin/x";
  EXPECT_EQ(GroupOfArn(kArn), "/byoshin/x");
  EXPECT_EQ(GroupOfArn(absl::StrCat(kArn, ":*")), "/byoshin/x");
  EXPECT_EQ(GroupOfArn("/byoshin/x"), "/byoshin/x");
}

}  // namespace
}  // namespace byoshin::local::logs

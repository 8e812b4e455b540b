#include "local/cli/table.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "core/env/environment.h"
#include "local/cli/terminal.h"
#include "local/cli/testing_terminal.h"

namespace byoshin::local::cli {
namespace {

TEST(FormatTable, AlignsTextLeftAndNumbersRight) {
  EXPECT_EQ(FormatTable({"NAME", "N"}, {{"a", "1"}, {"longer", "100"}}, {}),
            "NAME      N\n"
            "a         1\n"
            "longer  100\n");
  EXPECT_EQ(FormatTable({"名", "X"}, {{"秒針", "a"}, {"b", "c"}}, {}),
            "名   X\n"
            "秒針  a\n"
            "b   c\n");
  EXPECT_EQ(FormatTable({"A", "B"}, {}, {}), "A  B\n");
  EXPECT_EQ(FormatTable({"LATE"}, {{"2.1 ms"}, {"3 min"}, {"-"}}, {}),
            "  LATE\n"
            "2.1 ms\n"
            " 3 min\n"
            "     -\n");
}

TEST(FormatTable, ShortensNamesAndNothingElseToFitTheLine) {
  const std::vector<std::string> header = {"FUNCTION", "CALLS", "QUEUE"};
  const std::vector<std::vector<std::string>> rows = {
      {"stack-CollectorFunction-1ABCDEFGHIJK", "123456789", "jobs"},
      {"another-function-with-a-long-name", "1", "abcdefghijklmnopqrstuvwxyz"}};
  const Paper wide = {.columns = 80, .ellipsis = "…"};
  EXPECT_EQ(FormatTable(header, rows, wide, {0, 2}),
            FormatTable(header, rows, {}));
  EXPECT_EQ(FormatTable(header, rows, {.columns = 48, .ellipsis = "…"}, {0, 2}),
            "FUNCTION               CALLS  QUEUE\n"
            "CollectorFunction  123456789  jobs\n"
            "another-…ong-name          1  abcdefghi…stuvwxyz\n");
  EXPECT_EQ(FormatTable(header, rows, {.columns = 30}, {0, 2}),
            "FUNCTION      CALLS  QUEUE\n"
            "Col...on  123456789  jobs\n"
            "ano...me          1  abc...xyz\n");
  // Less than the headers need can't be done.
  EXPECT_EQ(FormatTable(header, rows, {.columns = 5}, {0, 2}),
            FormatTable(header, rows, {.columns = 26}, {0, 2}));
}

TEST(CutMiddle, CountsCharactersNotBytes) {
  EXPECT_EQ(CutMiddle("秒針秒針秒針", 6, "…"), "秒針秒針秒針");
  EXPECT_EQ(CutMiddle("秒針分針時計", 5, "…"), "秒針…時計");
  EXPECT_EQ(CutMiddle("abcdef", 2, "..."), "...");
  EXPECT_EQ(CutMiddle("", 0, "…"), "");
}

TEST(ShortName, IsTheTemplatesNameOfWhatCloudFormationHasNamed) {
  EXPECT_EQ(ShortName("byoshin-Collector-ZJDZPCCLZGPI"), "Collector");
  EXPECT_EQ(ShortName("my-stack-Collector-ZJDZPCCLZGP1"), "Collector");
  for (const char* name :
       {"", "jobs", "a-b", "a-b-short", "a-b-zjdzpcclzgpi", "a--ZJDZPCCLZGPI",
        "Collector-ZJDZPCCLZGPI", "a-b_c-ZJDZPCCLZGPI"}) {
    EXPECT_EQ(ShortName(name), name);
  }
}

TEST(Paper, IsAsWideAsTheTerminalOnlyIfAPersonReadsIt) {
  TestingTerminal terminal;
  const env::Environment utf8 = env::FromMap({{"LANG", "en_US.UTF-8"}});
  EXPECT_EQ(PaperOf(terminal, utf8).columns, 0);
  terminal.interactive = true;
  EXPECT_EQ(PaperOf(terminal, utf8).columns, 80);
  EXPECT_EQ(PaperOf(terminal, utf8).ellipsis, "…");
  EXPECT_EQ(PaperOf(terminal, env::FromMap({})).ellipsis, "...");
}

TEST(UsesUtf8, GoesByTheFirstVariableOfTheLocaleThatIsSet) {
  const auto uses = [](const std::string& variables) {
    std::map<std::string, std::string> map;
    for (const auto variable : absl::StrSplit(variables, ' ')) {
      map.insert(std::pair<std::string, std::string>(
          absl::StrSplit(variable, absl::MaxSplits('=', 1))));
    }
    return UsesUtf8(env::FromMap(std::move(map)));
  };
  EXPECT_FALSE(UsesUtf8(env::FromMap({})));
  EXPECT_TRUE(uses("LANG=de_DE.UTF-8"));
  EXPECT_TRUE(uses("LANG=C.utf8"));
  EXPECT_TRUE(uses("LC_CTYPE=en_US.UTF-8@x LANG=C"));
  EXPECT_TRUE(uses("LC_ALL= LC_CTYPE= LANG=en_US.UTF-8"));
  EXPECT_FALSE(uses("LC_ALL=C LC_CTYPE=en_US.UTF-8 LANG=en_US.UTF-8"));
  EXPECT_FALSE(uses("LC_CTYPE=POSIX LANG=en_US.UTF-8"));
  EXPECT_FALSE(uses("LANG=de_DE.ISO-8859-1"));
}

}  // namespace
}  // namespace byoshin::local::cli

#include "core/generation/sql_split.h"

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::generation {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

std::vector<std::string> Split(absl::string_view sql) {
  return SplitStatements(sql).value();
}

TEST(SplitStatements, SeparatesAtSemicolons) {
  EXPECT_THAT(Split("SELECT 1; SELECT 2 ;\n"),
              ElementsAre("SELECT 1", "SELECT 2"));
  EXPECT_THAT(Split("SELECT 1"), ElementsAre("SELECT 1"));
}

TEST(SplitStatements, LeavesOutWhatIsEmpty) {
  EXPECT_THAT(Split(""), IsEmpty());
  EXPECT_THAT(Split(" ;;\n-- nothing\n; /* nothing */ ;"), IsEmpty());
}

TEST(SplitStatements, KeepsStringsWhole) {
  for (const char* sql :
       {"SELECT ';'", "SELECT 'it''s;'", R"(SELECT E'\';', 1)",
        R"(SELECT E'a'';\'')", R"(SELECT "a;""b;")", "SELECT $$;$$",
        "SELECT $tag$ $$;$$ ' $tag$", R"(SELECT '\', 2)"}) {
    EXPECT_THAT(Split(sql), ElementsAre(sql));
  }
}

TEST(SplitStatements, KeepsCommentsWhole) {
  for (const char* sql :
       {"SELECT 1 -- a; b\n + 2", "SELECT /* ; /* nested; */ ; */ 1",
        "SELECT 1 -- it's\n, 2"}) {
    EXPECT_THAT(Split(sql), ElementsAre(sql));
  }
}

TEST(SplitStatements, KnowsParametersAndNamesWithDollars) {
  EXPECT_THAT(Split("SELECT $1; SELECT $2"),
              ElementsAre("SELECT $1", "SELECT $2"));
  EXPECT_THAT(Split("SELECT a$b; SELECT c$b"),
              ElementsAre("SELECT a$b", "SELECT c$b"));
  EXPECT_THAT(Split("SELECT name'x;'"), ElementsAre("SELECT name'x;'"));
}

TEST(SplitStatements, NamesTheLineOfWhatDoesNotEnd) {
  for (const char* sql :
       {"\n\nSELECT 'x;", "\n\nSELECT \"x", "\n\n/* /* */", "\n\n$a$ $b$"}) {
    const absl::Status status = SplitStatements(sql).status();
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << sql;
    EXPECT_THAT(std::string(status.message()),
                ::testing::StartsWith("line 3: "));
  }
}

}  // namespace
}  // namespace byoshin::generation

#include "local/appsync/resolve/request_effects.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/appsync/resolve/operations_fixture.h"

namespace byoshin::local::appsync {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

using RequestEffectsTest = OperationsTest;

int CountOf(absl::string_view part, absl::string_view text) {
  const std::vector<absl::string_view> pieces = absl::StrSplit(text, part);
  return static_cast<int>(pieces.size()) - 1;
}

TEST_F(RequestEffectsTest, TheLatestResponseHeaderOfANameCounts) {
  Execute(
      R"({ a: header(name: "X-One", value: "1") things { id }
           b: header(name: "x-two", value: "2")
           c: header(name: "x-ONE", value: "3") })");
  EXPECT_THAT(Headers(), ElementsAre("x-ONE: 3", "x-two: 2"));
}

TEST_F(RequestEffectsTest, ResponseHeadersThatAreNotAllowedAreErrorsOnly) {
  Execute(
      R"({ a: header(name: "Content-Type", value: "text/html")
           b: header(name: "", value: "1") c: header(name: "x-null")
           d: header(name: "x-good", value: "") })");
  EXPECT_THAT(Headers(), ElementsAre("x-good: "));
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(
      outcomes_[0],
      HasSubstr(R"("data":{"a":"done","b":"done","c":"done","d":"done"})"));
  EXPECT_EQ(CountOf("\"errorType\":\"ResponseHeaderError\"", outcomes_[0]), 3);
}

TEST_F(RequestEffectsTest, AllResponseHeadersOfARequestShareALimit) {
  const std::string value(1000, 'x');
  std::string query = "{";
  for (int i = 0; i < 6; ++i) {
    absl::StrAppend(&query, " a", i, ": header(name: \"x-", i, "\", value: \"",
                    value, "\")");
  }
  Execute(query + "}");
  EXPECT_THAT(Headers(), SizeIs(4));
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(outcomes_[0], HasSubstr(R"("a5":"done")"));
  EXPECT_EQ(CountOf("\"errorType\":\"ResponseHeaderError\"", outcomes_[0]), 2);
}

TEST_F(RequestEffectsTest, TheSameResponseHeaderCountsEachTime) {
  const std::string value(3000, 'x');
  Execute(absl::StrCat("{ a: header(name: \"x\", value: \"", value,
                       "\") b: header(name: \"x\", value: \"", value,
                       "\") c: header(name: \"y\", value: \"short\") }"));
  EXPECT_EQ(CountOf("\"errorType\":\"ResponseHeaderError\"", outcomes_[0]), 1);
  // One that was refused takes no room.
  EXPECT_THAT(Headers(), ElementsAre("x: " + value, "y: short"));
}

TEST_F(RequestEffectsTest, TheInvalidationsOfARequestAreLimited) {
  Execute(
      R"({ a: invalidate(payload: 1) again: invalidate(payload: 1)
           b: invalidate(payload: 2) c: invalidate(payload: 3)
           d: invalidate(payload: 4) e: invalidate(payload: 5)
           f: invalidate(payload: 6) g: invalidate(payload: 5) })");
  EXPECT_THAT(effects_.invalidations, SizeIs(5));
  ASSERT_THAT(outcomes_, SizeIs(1));
  EXPECT_THAT(outcomes_[0], HasSubstr(R"("e":"done","f":null,"g":"done")"));
  EXPECT_EQ(CountOf("At most 5 invalidations", outcomes_[0]), 1);
}

}  // namespace
}  // namespace byoshin::local::appsync

#include "local/rdsdata/array_text.h"

#include <optional>

#include "absl/status/status.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::rdsdata {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(ArrayText, ReadsElements) {
  EXPECT_THAT(*ReadArray("{}"), IsEmpty());
  EXPECT_THAT(*ReadArray("{1,-2,3}"), ElementsAre("1", "-2", "3"));
  EXPECT_THAT(*ReadArray(R"({"","a,b","\"q\\","{}"})"),
              ElementsAre("", "a,b", "\"q\\", "{}"));
}

TEST(ArrayText, TellsNullFromItsText) {
  EXPECT_THAT(*ReadArray(R"({NULL,"NULL",null})"),
              ElementsAre(std::nullopt, "NULL", "null"));
}

TEST(ArrayText, IgnoresBounds) {
  EXPECT_THAT(*ReadArray("[0:1]={1,2}"), ElementsAre("1", "2"));
}

TEST(ArrayText, RefusesSeveralDimensionsAndOtherText) {
  EXPECT_TRUE(absl::IsUnimplemented(ReadArray("{{1},{2}}").status()));
  for (const char* text : {"", "1", "{1", "{\"1", "{1,", "{\"1\"2}", "[1"}) {
    EXPECT_TRUE(absl::IsInvalidArgument(ReadArray(text).status())) << text;
  }
}

}  // namespace
}  // namespace byoshin::local::rdsdata

#include "core/json/writer.h"

#include <optional>

#include "absl/time/time.h"
#include "gtest/gtest.h"

namespace byoshin::json {
namespace {

TEST(Writer, SeparatesMembersAndElements) {
  Writer json;
  json.Open('{').Key("a").Open('[').Int(1).Null().Bool(true).Close(']');
  json.Key("b").Open('{').Close('}').Key("c").String("x\n").Close('}');
  EXPECT_EQ(json.text(), R"({"a":[1,null,true],"b":{},"c":"x\n"})");
  EXPECT_EQ(json.Take(), R"({"a":[1,null,true],"b":{},"c":"x\n"})");
}

TEST(Writer, TakesOverWhatIsJsonAlready) {
  Writer json;
  json.Open('[').Int(1).Json(R"({"a":[2]})").Json("null").Close(']');
  EXPECT_EQ(json.text(), R"([1,{"a":[2]},null])");
}

TEST(Writer, GivesTimesInMilliseconds) {
  Writer json;
  json.Open('[').Time(absl::UnixEpoch() + absl::Seconds(2));
  json.Time(std::nullopt).Duration(absl::Microseconds(1500)).Close(']');
  EXPECT_EQ(json.text(), "[2000,null,1.5]");
}

}  // namespace
}  // namespace byoshin::json

#include "local/appsync/realtime/event_filter.h"

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "gtest/gtest.h"

namespace byoshin::local::appsync {
namespace {

// Whether a filter of one condition matches.
bool Matches(absl::string_view op, absl::string_view value,
             absl::string_view event) {
  const absl::StatusOr<EventFilter> filter = EventFilter::Parse(absl::StrCat(
      R"({"filterGroup":[{"filters":[{"fieldName":"a.b","operator":")", op,
      R"(","value":)", value, "}]}]}"));
  EXPECT_TRUE(filter.ok()) << filter.status();
  return filter.ok() && filter->Matches(*json::Data::Parse(event));
}

TEST(EventFilter, ComparesTheValueAtItsPath) {
  constexpr char kEvent[] = R"({"a":{"b":3}})";
  EXPECT_TRUE(Matches("eq", "3", kEvent));
  EXPECT_FALSE(Matches("ne", "3", kEvent));
  EXPECT_TRUE(Matches("ge", "3", kEvent));
  EXPECT_FALSE(Matches("gt", "3", kEvent));
  EXPECT_TRUE(Matches("le", "3.0", kEvent));
  EXPECT_FALSE(Matches("lt", "\"3\"", kEvent));
  EXPECT_TRUE(Matches("between", "[1,3]", kEvent));
  EXPECT_TRUE(Matches("in", "[1,3]", kEvent));
  EXPECT_FALSE(Matches("notIn", "[1,3]", kEvent));
  EXPECT_FALSE(Matches("eq", "3", "{}"));
}

TEST(EventFilter, SearchesTextsAndLists) {
  EXPECT_TRUE(Matches("contains", "\"b\"", R"({"a":{"b":"abc"}})"));
  EXPECT_TRUE(Matches("contains", "\"b\"", R"({"a":{"b":["a","b"]}})"));
  EXPECT_FALSE(Matches("notContains", "\"b\"", R"({"a":{"b":["a","b"]}})"));
  EXPECT_TRUE(Matches("beginsWith", "\"ab\"", R"({"a":{"b":"abc"}})"));
  EXPECT_TRUE(Matches("containsAny", R"(["x","b"])", R"({"a":{"b":["b"]}})"));
}

TEST(EventFilter, RefusesWhatExceedsALimit) {
  const auto parse = [](absl::string_view name, absl::string_view op,
                        absl::string_view value) {
    return EventFilter::Parse(
               absl::StrCat(R"({"filterGroup":[{"filters":[{"fieldName":")",
                            name, R"(","operator":")", op, R"(","value":)",
                            value, "}]}]}"))
        .ok();
  };
  EXPECT_TRUE(parse("a.b.c.d.e", "eq", "1"));
  EXPECT_FALSE(parse("a.b.c.d.e.f", "eq", "1"));
  EXPECT_FALSE(parse("a", "like", "1"));
  EXPECT_FALSE(parse("a", "in", "[1,2,3,4,5,6]"));
  EXPECT_FALSE(parse("a", "between", "[1]"));
  EXPECT_EQ(EventFilter::Parse(R"({"filterGroup":[]})").status().message(),
            "Invalid subscription filter: the value of filterGroup must have 1 "
            "to 10 elements");
  EXPECT_FALSE(EventFilter::Parse("{}").ok());
  EXPECT_FALSE(EventFilter::Parse("").ok());
}

TEST(EventFilter, NeedsOneGroupWhole) {
  const absl::StatusOr<EventFilter> filter = EventFilter::Parse(
      R"({"filterGroup":[
          {"filters":[{"fieldName":"x","operator":"eq","value":1},
                      {"fieldName":"y","operator":"eq","value":1}]},
          {"filters":[{"fieldName":"z","operator":"eq","value":1}]}]})");
  ASSERT_TRUE(filter.ok());
  const auto matches = [&](absl::string_view event) {
    return filter->Matches(*json::Data::Parse(event));
  };
  EXPECT_FALSE(matches(R"({"x":1})"));
  EXPECT_TRUE(matches(R"({"x":1,"y":1})"));
  EXPECT_TRUE(matches(R"({"z":1})"));
}

}  // namespace
}  // namespace byoshin::local::appsync

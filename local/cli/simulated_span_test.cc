#include "local/cli/simulated_span.h"

#include <gtest/gtest.h>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/iso8601.h"

namespace byoshin::local::cli {
namespace {

absl::Time At(absl::string_view text) { return *time::ParseIso8601(text); }

TEST(SimulatedStart, IsTheMinute) {
  EXPECT_EQ(*ParseSimulatedStart("2026-01-01T00:00:59.5Z"),
            At("2026-01-01T00:00:00Z"));
  EXPECT_EQ(*ParseSimulatedStart("1970-01-01T00:01:00Z"),
            At("1970-01-01T00:01:00Z"));
  EXPECT_EQ(*ParseSimulatedStart("2199-12-31T23:59:59Z"),
            At("2199-12-31T23:59:00Z"));
}

TEST(SimulatedStart, IsRefusedWhereNoScheduleFires) {
  for (const char* early : {"0001-01-01T00:00:00Z", "1969-12-31T23:59:59Z",
                            "1970-01-01T00:00:59Z"}) {
    EXPECT_EQ(ParseSimulatedStart(early).status(),
              absl::InvalidArgumentError(absl::StrCat(
                  "--start=", early,
                  " is too early; schedules fire from 1970-01-01T00:01:00Z up "
                  "to 2200-01-01T00:00:00Z")));
  }
  for (const char* late : {"2200-01-01T00:00:00Z", "9999-12-31T23:59:59Z"}) {
    EXPECT_TRUE(absl::StrContains(ParseSimulatedStart(late).status().message(),
                                  "is too late; schedules fire from"));
  }
  EXPECT_TRUE(absl::StartsWith(ParseSimulatedStart("soon").status().message(),
                               "--start: invalid ISO 8601 time"));
}

TEST(SimulatedEnd, IsRefusedWhereNoScheduleFires) {
  const absl::Time start = At("2199-12-31T00:00:00Z");
  EXPECT_EQ(*SimulatedEnd(start, absl::Hours(24)), At("2200-01-01T00:00:00Z"));
  EXPECT_EQ(SimulatedEnd(start, absl::Hours(25)).status().message(),
            "--for: the simulation would end at 2200-01-01T01:00:00Z; "
            "schedules fire from 1970-01-01T00:01:00Z up to "
            "2200-01-01T00:00:00Z");
}

}  // namespace
}  // namespace byoshin::local::cli

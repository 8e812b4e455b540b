#include "local/dashboard/duration_text.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "core/files/read_file.h"
#include "core/json/value.h"

namespace byoshin::local::dashboard {
namespace {

TEST(DurationText, ReadsAsThePageShowsIt) {
  const std::string text =
      files::ReadFile("local/dashboard/duration_text_cases.json").value();
  const absl::StatusOr<Json::Value> cases = json::ParseValue(text);
  ASSERT_TRUE(cases.ok()) << cases.status();
  ASSERT_GT(cases->size(), 20);
  for (const std::string& name : cases->getMemberNames()) {
    double millis = 0;
    ASSERT_TRUE(absl::SimpleAtod(name, &millis)) << name;
    EXPECT_EQ(DurationText(absl::Milliseconds(millis)),
              (*cases)[name].asString())
        << name;
  }
}

}  // namespace
}  // namespace byoshin::local::dashboard

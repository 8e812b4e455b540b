#include "local/cli/faults.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace byoshin::local::cli {
namespace {

TEST(ParseFaults, TakesProbabilitiesByName) {
  EXPECT_EQ(*ParseFaults(""), Faults());
  EXPECT_EQ(*ParseFaults("api:0.3,sqs:0.05,crash:1"),
            (Faults{{"api", 0.3}, {"sqs", 0.05}, {kCrashFault, 1}}));
  EXPECT_EQ(*ParseFaults("dynamodb:0.5"), (Faults{{"dynamodb", 0.5}}));
}

TEST(ParseFaults, RefusesWhatIsNoProbabilityOfSomethingThatCanFail) {
  for (const char* bad :
       {"api", "api:", "api:2", "api:-1", "api:x", "api:nan"}) {
    EXPECT_TRUE(absl::StartsWith(
        ParseFaults(bad).status().message(),
        absl::StrCat("--faults: \"", bad, "\" is not crash:P or NAME:P")))
        << ParseFaults(bad).status();
  }
  EXPECT_EQ(ParseFaults("sqs:0,sqs:1").status().message(),
            "--faults: sqs is given twice");
}

TEST(CheckFaults, RefusesWhatIsNotThere) {
  const std::vector<std::string> known = {"api", "dynamodb", "sqs"};
  EXPECT_TRUE(
      CheckFaults({{"api", 1}, {kCrashFault, 1}, {"sqs", 1}}, known).ok());
  EXPECT_EQ(CheckFaults({{"disk", 0.1}}, known).message(),
            "--faults: there is no \"disk\" that could fail; there are crash, "
            "api, dynamodb, sqs");
}

TEST(FaultSource, LetsOnlyTheNamedServiceFail) {
  FaultSource source({{"sqs", 1}}, /*seed=*/1);
  EXPECT_TRUE(source.Fails("sqs"));
  EXPECT_FALSE(source.Fails("dynamodb"));
  EXPECT_FALSE(source.Fails("api"));
  EXPECT_FALSE(source.Fails(kCrashFault));
}

TEST(FaultSource, FailsAboutAsOftenAsAsked) {
  FaultSource source({{"sqs", 0.25}}, /*seed=*/1);
  int failures = 0;
  for (int i = 0; i < 10000; ++i) failures += source.Fails("sqs");
  EXPECT_NEAR(failures, 2500, 200);
}

}  // namespace
}  // namespace byoshin::local::cli

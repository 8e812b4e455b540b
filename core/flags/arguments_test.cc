#include "core/flags/arguments.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace byoshin::flags {
namespace {

using Strings = std::vector<std::string>;

const absl::Time kNow = absl::FromUnixSeconds(1'764'671'000);

CommandSpec Spec() {
  return {.name = "demo",
          .summary = "shows how it works",
          .details = "More.",
          .words = {{.name = "THING", .help = "what"},
                    {.name = "OTHER", .help = "what else", .required = false}},
          .flags = {{.name = "since",
                     .value = "TIME",
                     .help = "from then on",
                     .default_value = "1h"},
                    {.name = "follow", .help = "goes on", .letter = 'f'},
                    {.name = "assignment",
                     .value = "NAME=VALUE",
                     .help = "sets one",
                     .repeated = true}}};
}

std::string ErrorFor(const Strings& words) {
  const absl::StatusOr<Arguments> arguments = ParseArguments(Spec(), words);
  EXPECT_FALSE(arguments.ok());
  return std::string(arguments.status().message());
}

TEST(Arguments, TakeFlagsInAnyFormAndPlace) {
  const absl::StatusOr<Arguments> arguments =
      ParseArguments(Spec(), {"--since=2h", "a", "-f", "--assignment", "x=1",
                              "--assignment=y=2", "--", "-b"});
  ASSERT_TRUE(arguments.ok()) << arguments.status();
  EXPECT_EQ(arguments->Get("since"), "2h");
  EXPECT_TRUE(arguments->Has("follow"));
  EXPECT_EQ(arguments->All("assignment"), (Strings{"x=1", "y=2"}));
  EXPECT_EQ(arguments->Word(0), "a");
  EXPECT_EQ(arguments->Word(1), "-b");
}

TEST(Arguments, HaveDefaults) {
  const absl::StatusOr<Arguments> arguments = ParseArguments(Spec(), {"a"});
  ASSERT_TRUE(arguments.ok());
  EXPECT_EQ(arguments->Get("since"), "1h");
  EXPECT_FALSE(arguments->Has("since"));
  EXPECT_FALSE(arguments->Has("follow"));
  EXPECT_EQ(arguments->Word(1), "");
}

TEST(Arguments, SayWhatIsWrong) {
  EXPECT_EQ(ErrorFor({"a", "--sinc=1"}),
            "unknown flag --sinc, perhaps --since was meant; see `byoshin demo "
            "--help`");
  EXPECT_EQ(ErrorFor({"a", "--zzzzzzzzz"}),
            "unknown flag --zzzzzzzzz; see `byoshin demo --help`");
  EXPECT_EQ(ErrorFor({"a", "--since"}),
            "--since requires a value: --since=TIME; see `byoshin demo "
            "--help`");
  EXPECT_EQ(ErrorFor({"a", "--since", "--follow"}),
            "--since requires a value: --since=TIME; see `byoshin demo "
            "--help`");
  EXPECT_EQ(ErrorFor({"a", "--follow=1"}),
            "--follow takes no value; see `byoshin demo --help`");
  EXPECT_EQ(ErrorFor({"a", "--since=1", "--since=2"}),
            "--since is given twice; see `byoshin demo --help`");
  EXPECT_EQ(ErrorFor({}), "THING is missing; see `byoshin demo --help`");
  EXPECT_EQ(ErrorFor({"a", "b", "c"}),
            "unexpected word \"c\"; see `byoshin demo --help`");
  EXPECT_NE(ErrorFor({"a", "-x"}).find("unknown flag -x"), std::string::npos);
}

TEST(CommandHelp, TellsAllThereIsToKnow) {
  EXPECT_EQ(CommandHelp(Spec()),
            "byoshin demo: shows how it works\n"
            "\n"
            "Usage: byoshin demo [FLAGS] THING [OTHER]\n"
            "\n"
            "  THING                   what\n"
            "  OTHER                   what else\n"
            "\n"
            "Flags:\n"
            "  --since=TIME            from then on (default: 1h)\n"
            "  -f, --follow            goes on\n"
            "  --assignment=NAME=VALUE\n"
            "                          sets one\n"
            "\n"
            "More.\n");
}

TEST(ParseSpan, TakesUnitsUpToDays) {
  EXPECT_EQ(*ParseSpan("for", "90s"), absl::Seconds(90));
  EXPECT_EQ(*ParseSpan("for", "1h30m"), absl::Minutes(90));
  EXPECT_EQ(*ParseSpan("for", "7d"), absl::Hours(168));
  EXPECT_EQ(*ParseSpan("for", "1d12h"), absl::Hours(36));
  for (const char* bad : {"", "5", "-5m", "0s", "d", "soon", "inf"}) {
    const absl::Status status = ParseSpan("for", bad).status();
    EXPECT_EQ(status.message(), absl::StrCat("--for=", bad,
                                             " is not a span of time such as "
                                             "5m, 24h or 7d"));
  }
}

TEST(ParseSpan, RefusesMoreThanTenYears) {
  EXPECT_EQ(*ParseSpan("for", "3650d"), kLongestSpan);
  for (const char* long_span : {"3651d", "87601h", "999999999999999d"}) {
    EXPECT_EQ(
        ParseSpan("for", long_span).status(),
        absl::InvalidArgumentError(absl::StrCat("--for=", long_span,
                                                " is too long; the longest "
                                                "is 3650d (ten years)")));
  }
}

TEST(ParseMinutes, RefusesPartsOfAMinute) {
  EXPECT_EQ(*ParseMinutes("for", "1h30m"), absl::Minutes(90));
  EXPECT_EQ(*ParseMinutes("for", "120s"), absl::Minutes(2));
  for (const char* bad : {"30s", "90s", "1m1s", "0.5m", "1m1ms"}) {
    EXPECT_EQ(
        ParseMinutes("for", bad).status(),
        absl::InvalidArgumentError(absl::StrCat("--for=", bad,
                                                " is not a whole number of "
                                                "minutes, such as 1m or 24h")));
  }
}

TEST(ParseWhen, SaysWhyATimeIsOutOfRange) {
  EXPECT_EQ(ParseWhen("since", "4000d", kNow).status().message(),
            "--since=4000d is too long; the longest is 3650d (ten years)");
  EXPECT_EQ(ParseWhen("since", "1969-12-31T23:59:59Z", kNow).status().message(),
            "--since=1969-12-31T23:59:59Z is before 1970-01-01T00:00:00Z; "
            "there are no records from so early a time");
  EXPECT_EQ(*ParseWhen("since", "1970-01-01T00:00:00Z", kNow),
            absl::UnixEpoch());
  EXPECT_EQ(*ParseWhen("since", "1h", absl::FromUnixSeconds(60)),
            absl::UnixEpoch());
}

TEST(ParseWhen, TakesInstantsAndSpansBeforeNow) {
  EXPECT_EQ(*ParseWhen("since", "now", kNow), kNow);
  EXPECT_EQ(*ParseWhen("since", "5m", kNow), kNow - absl::Minutes(5));
  EXPECT_EQ(*ParseWhen("since", "2025-12-02T10:23:20Z", kNow), kNow);
  EXPECT_FALSE(ParseWhen("since", "yesterday", kNow).ok());
}

TEST(ParsePort, IsFrom0To65535) {
  EXPECT_EQ(*ParsePort("port", "0"), 0);
  EXPECT_EQ(*ParsePort("port", "65535"), 65535);
  EXPECT_EQ(ParsePort("port", "65536").status().message(),
            "--port=65536 is not a whole number from 0 to 65535");
}

TEST(ParseCount, KeepsToItsLimits) {
  EXPECT_EQ(*ParseCount("limit", "12", 1, 12), 12);
  EXPECT_FALSE(ParseCount("limit", "13", 1, 12).ok());
  EXPECT_FALSE(ParseCount("limit", "x", 1, 12).ok());
}

TEST(ParseArguments, PointsToTheHelpOfAProgramWithoutAName) {
  EXPECT_EQ(ParseArguments(
                {.flags = {{.name = "out", .value = "FILE"}}, .program = ""},
                {"--uot=x"})
                .status()
                .message(),
            "unknown flag --uot, perhaps --out was meant; see --help");
}

TEST(ReadAll, ParsesEveryValueUntilOneIsWrong) {
  const CommandSpec spec = {
      .flags = {{.name = "n", .value = "N", .repeated = true}}};
  const auto parse = [](const std::string& text) {
    return ParseCount("n", text, 0, 9);
  };
  std::vector<std::int64_t> numbers;
  EXPECT_TRUE(
      ReadAll(*ParseArguments(spec, {"--n=1", "--n=2"}), "n", parse, numbers)
          .ok());
  EXPECT_EQ(numbers, (std::vector<std::int64_t>{1, 2}));
  EXPECT_FALSE(
      ReadAll(*ParseArguments(spec, {"--n=x"}), "n", parse, numbers).ok());
}

}  // namespace
}  // namespace byoshin::flags

#include "local/cli/failure_report.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace byoshin::local::cli {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const absl::Time kBegin = absl::FromUnixSeconds(1'764'670'980);  // 10:23:00Z
constexpr absl::Duration kTick = absl::Seconds(5);
constexpr absl::Duration kGrace = absl::Seconds(10);
constexpr char kRefused[] =
    "GET http://127.0.0.1:9: Couldn't connect to server";

// A cloud whose time the test tells.
class FailureReportTest : public testing::Test {
 protected:
  void Fail(const std::string& failure, const std::string& function = "f") {
    Take(report_.AddOutcome({.started = now_,
                             .time = now_ + took_,
                             .function = function,
                             .failure = failure}));
  }
  void Succeed(const std::string& function = "f") {
    Take(report_.AddOutcome(
        {.started = now_, .time = now_ + took_, .function = function}));
  }
  void Tick(std::optional<std::int64_t> missing,
            const std::vector<FailureReport::DeadLetterQueue>& letters = {}) {
    FailureReport::Snapshot snapshot{.dead_letters = letters};
    if (missing.has_value()) {
      snapshot.work = {{.one = "slot",
                        .many = "slots",
                        .done = "stored",
                        .missing = *missing,
                        .late = late_,
                        .counted_to = now_ - kGrace}};
    }
    Take(report_.Tick(now_, snapshot));
  }
  void Take(const FailureReport::Lines& lines) {
    lines_.insert(lines_.end(), lines.begin(), lines.end());
  }
  // What was said since the last call.
  FailureReport::Lines Said() { return std::exchange(lines_, {}); }

  absl::Time now_ = kBegin;
  // Of the invocations.
  absl::Duration took_ = absl::ZeroDuration();
  // Slots that were stored late.
  std::int64_t late_ = 0;
  FailureReport report_;
  FailureReport::Lines lines_;
};

TEST_F(FailureReportTest, TellsTheFirstFailureThenHowManyThenTheRecovery) {
  Fail(kRefused);
  EXPECT_THAT(Said(), ElementsAre("2025-12-02T10:23:00Z  f fails: GET "
                                  "http://127.0.0.1:9: Couldn't connect to "
                                  "server"));
  for (int slot = 1; slot <= 24; ++slot) {
    now_ += kTick;
    Fail(kRefused);
    Tick(slot);
  }
  EXPECT_THAT(
      Said(),
      ElementsAre("2025-12-02T10:24:00Z  f: 12 more failures in the last "
                  "minute, 12 slots are missing",
                  "2025-12-02T10:25:00Z  f: 12 more failures in the last "
                  "minute, 24 slots are missing"));
  // It works again, and what had failed comes again.
  for (int slot = 1; slot <= 6; ++slot) {
    now_ += kTick;
    Succeed();
    ++late_;
    Tick(24 - slot);
  }
  EXPECT_THAT(Said(), ElementsAre("2025-12-02T10:25:30Z  f has recovered after "
                                  "2m: 6 slots were stored late, 18 are "
                                  "missing"));
  late_ = 24;
  now_ += kTick;
  Tick(0);
  Tick(0);
  EXPECT_THAT(Said(),
              ElementsAre("2025-12-02T10:25:35Z  nothing is missing any more: "
                          "24 slots were stored late, 0 are missing"));
}

TEST_F(FailureReportTest, SaysOnceThatItHasRecoveredIfNothingIsMissing) {
  Fail(kRefused);
  Said();
  Succeed();
  late_ = 1;
  now_ += kRecoveryTime;
  Tick(0);
  Tick(0);
  EXPECT_THAT(Said(), ElementsAre("2025-12-02T10:23:30Z  f has recovered: 1 "
                                  "slot was stored late, 0 are missing"));
}

TEST_F(FailureReportTest, DoesNotCallRecoveredWhatFailsNowAndThen) {
  for (int i = 0; i < 120; ++i) {
    i % 4 == 0 ? Fail(kRefused) : Succeed();
    now_ += kTick;
    Tick(1);
  }
  const FailureReport::Lines said = Said();
  ASSERT_EQ(said.size(), 11);  // the first, and one a minute
  for (const std::string& line : said) {
    EXPECT_THAT(line, HasSubstr(&line == &said[0]
                                    ? "f fails"
                                    : "more failures in the last minute"));
  }
}

TEST_F(FailureReportTest, DoesNotCallRecoveredWhatIsNotInvokedAnyMore) {
  Fail(kRefused);
  Said();
  for (int i = 0; i < 1000; ++i) {
    now_ += kTick;
    Tick(0);
  }
  EXPECT_THAT(Said(), IsEmpty());
  // That is long ago, and reported again.
  Fail(kRefused);
  EXPECT_EQ(Said().size(), 1);
}

TEST_F(FailureReportTest, TellsFailuresOfAnotherKindAndOfOtherFunctions) {
  Fail("the API answered with status 500 after 12 ms");
  Fail("the API answered with status 500 after 1234 ms");
  Fail("the API answered with status 503 after 12 ms");
  Fail("Sandbox.Timedout: Task timed out", "g");
  EXPECT_THAT(
      Said(),
      ElementsAre(HasSubstr("f fails: the API answered with status 500"),
                  HasSubstr("f also fails: the API answered with "
                            "status 503"),
                  HasSubstr("g fails: Sandbox.Timedout")));
}

TEST_F(FailureReportTest, ShowsSoManyKindsAndCountsTheRest) {
  for (char kind = 'a'; kind < 'a' + 20; ++kind) Fail(std::string(1, kind));
  EXPECT_EQ(Said().size(), kMaxKindsShown);
  now_ += kSummaryInterval;
  Tick(0);
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("15 more failures")));
}

TEST_F(FailureReportTest, DoesNotLetAReasonDriveTheTerminal) {
  Fail(absl::StrCat("\x1b[2J\n", std::string(1'000'000, 'x')));
  const FailureReport::Lines said = Said();
  ASSERT_EQ(said.size(), 1);
  EXPECT_THAT(said[0], HasSubstr("\\x1b[2J\\nxxx"));
  EXPECT_LT(said[0].size(), 1000);
}

TEST_F(FailureReportTest, CutsAReasonBetweenCharactersAndInAsciiIfToldTo) {
  // A character of three bytes lies across the limit of 400.
  const std::string reason = absl::StrCat("xx", std::string(397, 'x'), "…yyy");
  Fail(reason);
  EXPECT_THAT(Said(), ElementsAre(testing::EndsWith("xxx...")));
  EXPECT_THAT(FailureReport("…").AddOutcome({.time = now_, .failure = reason}),
              ElementsAre(testing::EndsWith("xxx…")));
  EXPECT_THAT(FailureReport().AddOutcome(
                  {.time = now_, .failure = std::string(500, '\x80')}),
              ElementsAre(testing::EndsWith("\\x80...")));
}

TEST_F(FailureReportTest, DoesNotLetANoteDriveTheTerminal) {
  Take(report_.AddNote(now_,
                       absl::StrCat("\x1b[2J\n", std::string(6'000'000, 'x'))));
  const FailureReport::Lines said = Said();
  ASSERT_EQ(said.size(), 1);
  EXPECT_THAT(said[0], HasSubstr("\\x1b[2J\\nxxx"));
  EXPECT_LT(said[0].size(), 3000);
}

TEST_F(FailureReportTest, TellsOnceThatAFunctionCannotStart) {
  Take(report_.AddNote(now_, "function f cannot start: Runtime.ExitError: x"));
  for (const char* function : {"f", "g"}) {
    Take(report_.AddOutcome({.time = now_,
                             .function = function,
                             .failure = "Runtime.ExitError: x",
                             .could_not_start = true}));
  }
  EXPECT_THAT(Said(), ElementsAre("function f cannot start: Runtime.ExitError: "
                                  "x",
                                  HasSubstr("g fails: Runtime.ExitError")));
  // It is failing all the same.
  Succeed();
  now_ += kRecoveryTime;
  Tick(std::nullopt);
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("f has recovered")));
}

TEST_F(FailureReportTest, CountsNotesOfOneKindThatDifferEachTime) {
  for (int i = 0; i < 100; ++i) {
    Take(report_.AddNote(now_, absl::StrCat("no start: request ", 1000 + i)));
  }
  EXPECT_EQ(Said().size(), kMaxKindsShown);
  now_ += kSummaryInterval;
  Tick(0);
  EXPECT_THAT(Said(), ElementsAre("95 more times in the last minute: no start: "
                                  "request #"));
}

TEST_F(FailureReportTest, ReportsASlotThatIsLostOnceAndForgetsIt) {
  Fail(kRefused);
  Succeed();
  now_ += kRecoveryTime;
  Tick(1);
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("f fails"),
                                  HasSubstr("f has recovered: 0 slots were "
                                            "stored late, 1 is missing")));
  const absl::Time lost = now_ + kLostAfter;
  while (now_ < lost) {
    now_ += kTick;
    Tick(1);
  }
  EXPECT_THAT(Said(),
              ElementsAre("2025-12-02T10:28:30Z  1 slot is still missing "
                          "although nothing has failed for 5m, and will not be "
                          "reported again; `byoshin status` shows more"));
  EXPECT_EQ(report_.since(), now_ - kGrace);
  // What is missing later is not part of that outage.
  Tick(2);
  now_ += kRecoveryTime;
  Tick(2);
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("2 slots are missing, but no "
                                            "function has failed")));
}

TEST_F(FailureReportTest, SaysNothingOfSlotsWhereNoneAreCollected) {
  Fail(kRefused);
  Fail(kRefused);
  Said();
  now_ += kSummaryInterval;
  Tick(std::nullopt);
  Succeed();
  now_ += kRecoveryTime;
  Tick(std::nullopt);
  EXPECT_THAT(Said(),
              ElementsAre("2025-12-02T10:24:00Z  f: 1 more failure in the last "
                          "minute",
                          "2025-12-02T10:24:30Z  f has recovered"));
}

TEST_F(FailureReportTest, NamesEachKindOfWorkThatIsMissing) {
  FailureReport::Snapshot snapshot{
      .work = {{.one = "slot", .many = "slots", .missing = 2},
               {.one = "job", .many = "jobs", .missing = 1},
               {.one = "letter", .many = "letters"}}};
  report_.Tick(now_, snapshot);
  Take(report_.Tick(now_ + kRecoveryTime, snapshot));
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("2 slots are missing, 1 job is "
                                            "missing, but no function has "
                                            "failed")));
}

TEST_F(FailureReportTest, TellsOfMissingSlotsThatNoFailureExplains) {
  Tick(3);
  now_ += kRecoveryTime / 2;
  Tick(0);  // they were only late
  now_ += kRecoveryTime / 2;
  Tick(2);
  EXPECT_THAT(Said(), IsEmpty());
  now_ += kRecoveryTime;
  Tick(7);
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("7 slots are missing, but no "
                                            "function has failed")));
  // Those have been told. The next one will be missing in a moment.
  EXPECT_EQ(report_.since(), now_ - kGrace);
}

TEST_F(FailureReportTest, BeginsToCountWithTheNextMinuteOfTheSchedule) {
  report_.Begin(kBegin + absl::Seconds(42));
  EXPECT_EQ(report_.since(), kBegin + absl::Seconds(60));
}

TEST_F(FailureReportTest, CountsTheSlotsOfTheMinuteInWhichItFailsFirst) {
  report_.Begin(now_);
  now_ += absl::Seconds(115);
  took_ = absl::Seconds(10);
  Fail(kRefused);
  EXPECT_EQ(report_.since(), kBegin + absl::Seconds(60));
  now_ += absl::Seconds(30);
  Fail(kRefused);
  EXPECT_EQ(report_.since(), kBegin + absl::Seconds(60));
}

TEST_F(FailureReportTest, DoesNotCountWhatWasDueBeforeItBegan) {
  now_ += absl::Seconds(42);
  report_.Begin(now_);
  now_ += absl::Seconds(3);
  Fail(kRefused);
  EXPECT_EQ(report_.since(), kBegin + absl::Seconds(42));
}

TEST_F(FailureReportTest, TellsOfDeadLettersAndWhatToDoAboutThem) {
  Tick(0, {{.name = "Dead", .can_be_moved_back = true}, {.name = "Unsent"}});
  EXPECT_THAT(Said(), IsEmpty());
  now_ += kTick;
  Tick(0, {{.name = "Dead", .held = 2, .can_be_moved_back = true},
           {.name = "Unsent", .held = 1}});
  EXPECT_THAT(
      Said(),
      ElementsAre("2025-12-02T10:23:05Z  Dead holds 2 dead letters: `byoshin "
                  "queues --dead-letters` shows them, `byoshin redrive` moves "
                  "them back",
                  "2025-12-02T10:23:05Z  Unsent holds 1 dead letter: `byoshin "
                  "queues --dead-letters` shows them, `byoshin invoke` calls "
                  "the function again with one"));
  for (int held = 3; held <= 14; ++held) {
    now_ += kTick;
    Tick(0, {{.name = "Dead", .held = held, .can_be_moved_back = true}});
  }
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("Dead holds 14 dead letters (12 "
                                            "more than before)")));
  // Moved back, and dead again.
  now_ += kSummaryInterval;
  Tick(0, {{.name = "Dead", .held = 0, .can_be_moved_back = true}});
  Tick(0, {{.name = "Dead", .held = 1, .can_be_moved_back = true}});
  EXPECT_THAT(Said(), ElementsAre(HasSubstr("Dead holds 1 dead letter: ")));
}

TEST_F(FailureReportTest, CountsNotesThatAreRepeated) {
  for (int i = 0; i < 13; ++i) {
    Take(report_.AddNote(now_, "access denied"));
    now_ += kTick;
    Tick(0);
  }
  Take(report_.AddNote(now_, "something else"));
  EXPECT_THAT(Said(), ElementsAre("access denied",
                                  "11 more times in the last minute: access "
                                  "denied",
                                  "something else"));
}

TEST(KindOf, LeavesOutWhatDiffersEachTime) {
  EXPECT_EQ(KindOf("GET http://127.0.0.1:3000/x: no answer after 2001 ms"),
            KindOf("GET http://127.0.0.1:3001/x: no answer after 2999 ms"));
  EXPECT_NE(KindOf("status 500"), KindOf("status 503"));
  EXPECT_NE(KindOf("status 500"), KindOf("stature 500"));
}

}  // namespace
}  // namespace byoshin::local::cli

#include "local/events/events.h"

#include <json/json.h>

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"
#include "core/time/testing/manual_timer.h"
#include "gtest/gtest.h"
#include "local/queues/testing/fake_queues.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local::events {
namespace {

constexpr char kDeadLetters[] = "arn:aws:sqs:eu-west-1:000000000000:dead";

// Remembers what was delivered; fails as often as it is told.
class FakeTargets final : public Targets {
 public:
  explicit FakeTargets(time::Clock& clock)
      : clock_(clock),
        store_(*OpenSqliteStore({})),
        loop_(*store_, clock, {}) {}
  ~FakeTargets() override { loop_.Stop(); }

  void Deliver(const Target&, const std::string&, std::string payload,
               std::function<void(absl::Status)> done) override {
    loop_.Submit([this, payload = std::move(payload), done]() -> AfterCommit {
      attempts_.push_back(clock_.Now());
      absl::Status status;
      if (!failures_.empty()) {
        status = failures_.front();
        failures_.pop_front();
      }
      if (status.ok()) delivered_.push_back(payload);
      done(status);
      return nullptr;
    });
  }

  void FailWith(absl::Status status, int times) {
    failures_.assign(static_cast<std::size_t>(times), status);
  }
  std::vector<std::string> times() const {
    std::vector<std::string> times;
    for (const std::string& event : delivered_) {
      times.push_back((*json::ParseValue(event))["time"].asString());
    }
    return times;
  }
  const std::vector<std::string>& delivered() const { return delivered_; }
  const std::vector<absl::Time>& attempts() const { return attempts_; }

 private:
  time::Clock& clock_;
  std::unique_ptr<Store> store_;
  std::deque<absl::Status> failures_;
  std::vector<std::string> delivered_;
  std::vector<absl::Time> attempts_;
  WorkLoop loop_;
};

// The simulated clock, as somebody sets it who is not content with the time.
class SettableClock final : public time::Clock {
 public:
  explicit SettableClock(absl::Time start) : clock_(start) {}

  absl::Time Now() const override { return clock_.Now() + offset_; }
  std::unique_ptr<time::Wakeup> NewWakeup() override {
    return std::make_unique<ShiftedWakeup>(*this);
  }
  // While nothing waits but for time.
  void SetBackBy(absl::Duration duration) { offset_ -= duration; }
  time::SimulatedClock& clock() { return clock_; }

 private:
  // As the kernel's timers do, a wait under way ends by the new time; here by
  // the old one, and then looks again.
  class ShiftedWakeup final : public time::Wakeup {
   public:
    explicit ShiftedWakeup(SettableClock& clock)
        : clock_(clock), wakeup_(clock.clock_.NewWakeup()) {}
    time::WaitResult WaitUntil(absl::Time deadline) override {
      while (true) {
        const time::WaitResult result =
            wakeup_->WaitUntil(deadline - clock_.offset_);
        if (result != time::WaitResult::kDeadline || clock_.Now() >= deadline) {
          return result;
        }
      }
    }
    void Wake() override { wakeup_->Wake(); }
    void Cancel() override { wakeup_->Cancel(); }

   private:
    SettableClock& clock_;
    std::unique_ptr<time::Wakeup> wakeup_;
  };

  time::SimulatedClock clock_;
  absl::Duration offset_;
};

class EventsTest : public testing::Test {
 protected:
  EventsTest() { Reopen(); }

  void Reopen() {
    events_ = nullptr;
    absl::StatusOr<std::unique_ptr<Events>> events =
        Events::Open({.store = *store_,
                      .clock = clock_,
                      .targets = targets_,
                      .sink = queues_,
                      .timer = timer_,
                      .authorize = [this](const std::string& rule,
                                          const std::string& queue) {
                        asked_.emplace_back(rule, queue);
                        return allowed_;
                      }});
    ASSERT_TRUE(events.ok()) << events.status();
    events_ = *std::move(events);
  }

  static Rule TestRule(const std::string& schedule = "cron(* * * * ? *)") {
    return {.name = "every-minute",
            .region = "eu-west-1",
            .account_id = "000000000000",
            .arn = "arn:aws:events:eu-west-1:000000000000:rule/every-minute",
            .schedule_expression = schedule,
            .targets = {{.id = "Sender",
                         .arn = "arn:aws:lambda:…",
                         .dead_letters = kDeadLetters}}};
  }

  void Begin(const Rule& rule) {
    const absl::Status put = events_->PutRule(rule);
    ASSERT_TRUE(put.ok()) << put;
    events_->Begin();
  }
  void RunFor(absl::Duration duration) {
    clock_.clock().RunUntil(clock_.clock().Now() + duration);
  }

  // 2025-12-02T10:23:30Z
  const absl::Time start_ = absl::FromUnixSeconds(1764671010);
  SettableClock clock_{start_};
  time::testing::ManualTimer timer_;
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  queues::FakeQueues queues_{clock_};
  FakeTargets targets_{clock_};
  // What the policies of queues say, and who asked: rule and queue.
  absl::Status allowed_;
  std::vector<std::pair<std::string, std::string>> asked_;
  std::unique_ptr<Events> events_;
};

using Times = std::vector<std::string>;

TEST_F(EventsTest, SendsTheScheduledEventOnTheBoundary) {
  Begin(TestRule());
  RunFor(absl::Seconds(29));
  EXPECT_EQ(targets_.times(), Times{});
  RunFor(absl::Seconds(1));
  ASSERT_EQ(targets_.delivered().size(), 1);
  EXPECT_EQ(targets_.attempts()[0], start_ + absl::Seconds(30));
  const std::string& event = targets_.delivered()[0];
  const std::string id = (*json::ParseValue(event))["id"].asString();
  EXPECT_EQ(id.size(), 36);
  EXPECT_EQ(event,
            absl::StrCat(
                R"({"version":"0","id":")", id,
                R"(","detail-type":"Scheduled Event","source":"aws.events",)",
                R"("account":"000000000000","time":"2025-12-02T10:24:00Z",)",
                R"("region":"eu-west-1","resources":[)"
                R"("arn:aws:events:eu-west-1:000000000000:rule/every-minute"],)"
                R"("detail":{}})"));
  RunFor(absl::Hours(24));
  EXPECT_EQ(targets_.delivered().size(), 1441);
}

TEST_F(EventsTest, DoesNotMakeUpForWhatItMissedWhileItDidNotRun) {
  Begin(TestRule());
  RunFor(absl::Minutes(1));
  Reopen();
  RunFor(absl::Hours(5));
  Begin(TestRule());
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T10:24:00Z", "2025-12-02T15:25:00Z"}));
}

TEST_F(EventsTest, RemembersWhenItFiredFirst) {
  Begin(TestRule());
  EXPECT_FALSE(events_->ListRules()[0].first_fired.has_value());
  const absl::Time first = start_ + absl::Seconds(30);
  RunFor(absl::Minutes(5));
  EXPECT_EQ(events_->ListRules()[0].first_fired, first);
  Reopen();
  RunFor(absl::Minutes(5));
  Begin(TestRule());
  RunFor(absl::Minutes(1));
  EXPECT_EQ(events_->ListRules()[0].first_fired, first);
  events_->ForgetFirst();
  EXPECT_FALSE(events_->ListRules()[0].first_fired.has_value());
  // By hand, too.
  ASSERT_TRUE(events_->Tick(TestRule().arn).ok());
  EXPECT_EQ(events_->ListRules()[0].first_fired, clock_.Now());
}

TEST_F(EventsTest, ForgetsWhenItFiredFirstAlsoBeforeRulesArePut) {
  Begin(TestRule());
  RunFor(absl::Minutes(1));
  events_->DisableRules();
  Reopen();
  events_->ForgetFirst();
  Reopen();
  ASSERT_TRUE(events_->RestoreRule(TestRule()).ok());
  const RuleStatus restored = events_->ListRules()[0];
  EXPECT_FALSE(restored.first_fired.has_value());
  EXPECT_TRUE(restored.last_fired.has_value());
  EXPECT_EQ(restored.rule.state, Rule::State::kDisabled);
}

TEST_F(EventsTest, FiresNothingBeforeItBegins) {
  ASSERT_TRUE(events_->PutRule(TestRule()).ok());
  RunFor(absl::Minutes(5));
  EXPECT_EQ(targets_.times(), Times{});
  EXPECT_FALSE(events_->ListRules()[0].next.has_value());
}

TEST_F(EventsTest, DeliversAfterARestartWhatHadFired) {
  targets_.FailWith(absl::UnavailableError("down"), 1);
  Begin(TestRule());
  RunFor(absl::Seconds(30));
  EXPECT_EQ(events_->ListRules()[0].pending_deliveries, 1);
  Reopen();
  Begin(TestRule());
  RunFor(absl::Seconds(2));
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T10:24:00Z"});
}

TEST_F(EventsTest, SkipsWhatASetForwardClockPassesOverButForTheLastMinute) {
  Begin(TestRule());
  clock_.clock().AwaitIdle();
  clock_.clock().AdvanceBy(absl::Hours(2));
  clock_.clock().AwaitIdle();
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T12:23:00Z"});
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T12:23:00Z", "2025-12-02T12:24:00Z"}));
}

TEST_F(EventsTest, FiresBothBoundariesOfAMinuteThatASleepEndsWith) {
  Begin(TestRule());
  clock_.clock().AwaitIdle();
  clock_.clock().AdvanceBy(absl::Minutes(6) + absl::Seconds(30));  // 10:30:00
  clock_.clock().AwaitIdle();
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T10:29:00Z", "2025-12-02T10:30:00Z"}));
}

TEST_F(EventsTest, SkipsWhatIsTooOldThoughItIsTheLastThatWasPassedOver) {
  Begin(TestRule("rate(5 minutes)"));  // 10:28, 10:33, ...
  clock_.clock().AwaitIdle();
  clock_.clock().AdvanceBy(absl::Minutes(12));  // 10:35:30
  clock_.clock().AwaitIdle();
  EXPECT_EQ(targets_.times(), Times{});
  RunFor(absl::Minutes(3));
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T10:38:00Z"});
}

TEST_F(EventsTest, FiresLateRatherThanNeverIfItIsALittleLate) {
  Begin(TestRule());
  clock_.clock().AwaitIdle();
  clock_.clock().AdvanceBy(absl::Seconds(50));
  clock_.clock().AwaitIdle();
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T10:24:00Z"});
}

TEST_F(EventsTest, FiresNoBoundaryTwiceWhenTheClockIsSetBackALittle) {
  Begin(TestRule());
  RunFor(absl::Seconds(90));
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T10:24:00Z", "2025-12-02T10:25:00Z"}));
  clock_.SetBackBy(absl::Seconds(90));  // 10:23:30 again
  timer_.Expire(absl::Seconds(61));
  RunFor(absl::Seconds(180));
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T10:24:00Z", "2025-12-02T10:25:00Z",
                   "2025-12-02T10:26:00Z"}));
}

TEST_F(EventsTest, GoesByTheNewTimeWhenTheClockWasWrongByMuch) {
  Begin(TestRule());
  RunFor(absl::Seconds(30));
  clock_.SetBackBy(absl::Hours(24));  // 10:24:00 of the day before
  // Real time goes on, and shows that the clock did not.
  timer_.Expire(absl::Seconds(61));
  clock_.clock().AwaitIdle();
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.times().back(), "2025-12-01T10:25:00Z");
}

TEST_F(EventsTest, TriesAgainAndThenGivesUpIntoTheDeadLetterQueue) {
  targets_.FailWith(absl::UnavailableError("down"), 100);
  Rule rule = TestRule("cron(24 10 2 12 ? 2025)");
  rule.targets[0].retry.max_attempts = 3;
  Begin(rule);
  RunFor(absl::Hours(1));
  const absl::Time fired = start_ + absl::Seconds(30);
  EXPECT_EQ(targets_.attempts(),
            (std::vector<absl::Time>{fired, fired + absl::Seconds(1),
                                     fired + absl::Seconds(3),
                                     fired + absl::Seconds(7)}));
  ASSERT_EQ(queues_.sent().size(), 1);
  const queues::FakeQueues::Sent sent = queues_.sent()[0];
  EXPECT_EQ(sent.queue_arn, kDeadLetters);
  EXPECT_EQ((*json::ParseValue(sent.body))["time"], "2025-12-02T10:24:00Z");
  std::map<std::string, std::string> attributes;
  for (const auto& attribute : sent.attributes) {
    attributes[attribute.name] = attribute.value;
  }
  EXPECT_EQ(attributes["RULE_ARN"], rule.arn);
  EXPECT_EQ(attributes["RETRY_ATTEMPTS"], "3");
  EXPECT_EQ(attributes["EXHAUSTED_RETRY_CONDITION"], "MaximumRetryAttempts");
  EXPECT_EQ(attributes["ERROR_MESSAGE"], "down");
}

TEST_F(EventsTest, SendsNoDeadLetterToAQueueThatDoesNotLetTheRule) {
  allowed_ = absl::PermissionDeniedError("no");
  targets_.FailWith(absl::NotFoundError("gone"), 1);
  Begin(TestRule());
  RunFor(absl::Minutes(1));
  EXPECT_EQ(asked_, (std::vector<std::pair<std::string, std::string>>{
                        {TestRule().arn, kDeadLetters}}));
  EXPECT_TRUE(queues_.sent().empty());
  EXPECT_EQ(events_->ListRules()[0].pending_deliveries, 0);
}

TEST_F(EventsTest, GivesUpWhatIsTooOld) {
  targets_.FailWith(absl::UnavailableError("down"), 1000);
  Rule rule = TestRule("cron(24 10 2 12 ? 2025)");
  rule.targets[0].retry.max_age = absl::Minutes(2);
  Begin(rule);
  RunFor(absl::Hours(1));
  EXPECT_LE(targets_.attempts().back(),
            start_ + absl::Seconds(30) + absl::Minutes(2));
  EXPECT_EQ(queues_.sent().size(), 1);
}

TEST_F(EventsTest, WaitsOnceForAPermissionAndNotForAMissingTarget) {
  Begin(TestRule());
  targets_.FailWith(absl::PermissionDeniedError("no"), 1);
  RunFor(absl::Seconds(35));
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T10:24:00Z"});
  targets_.FailWith(absl::NotFoundError("gone"), 1);
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.times().size(), 1);
  EXPECT_EQ(queues_.sent().size(), 1);
}

TEST_F(EventsTest, FiresOnDemandWithTheTimeOfTheClock) {
  Rule rule = TestRule();
  rule.state = Rule::State::kDisabled;
  Begin(rule);
  RunFor(absl::Minutes(10));
  EXPECT_EQ(targets_.times(), Times{});
  ASSERT_TRUE(events_->Tick(rule.arn).ok());
  clock_.clock().AwaitIdle();
  EXPECT_EQ(targets_.times(), Times{"2025-12-02T10:33:30Z"});
  EXPECT_FALSE(events_->Tick("arn:none").ok());
}

TEST_F(EventsTest, FiresNoMoreOnceAllRulesAreDisabledUntilTheyArePutAgain) {
  const Rule rule = TestRule();
  Begin(rule);
  RunFor(absl::Minutes(2));
  const Times fired = targets_.times();
  EXPECT_EQ(fired.size(), 2u);
  events_->DisableRules();
  RunFor(absl::Minutes(10));
  EXPECT_EQ(targets_.times(), fired);
  ASSERT_TRUE(events_->PutRule(rule).ok());
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.times().size(), 3u);
}

TEST_F(EventsTest, SendsTheInputThatATargetAsksFor) {
  Rule rule = TestRule();
  rule.targets = {{.id = "constant", .input = R"({"a":1})"},
                  {.id = "path", .input_path = "$.detail"},
                  {.id = "nowhere", .input_path = "$.detail.x.y"}};
  Begin(rule);
  RunFor(absl::Minutes(1));
  EXPECT_EQ(targets_.delivered(), (Times{R"({"a":1})", "{}", "null"}));
  rule.targets[1].input_path = "detail";
  EXPECT_FALSE(events_->PutRule(rule).ok());
}

TEST_F(EventsTest, KeepsTheAnchorOfARateOverARestart) {
  Begin(TestRule("rate(5 minutes)"));
  RunFor(absl::Minutes(7));
  Reopen();
  Begin(TestRule("rate(5 minutes)"));
  RunFor(absl::Minutes(5));
  EXPECT_EQ(targets_.times(),
            (Times{"2025-12-02T10:28:00Z", "2025-12-02T10:33:00Z"}));
  events_->RemoveRule(TestRule().arn);
  RunFor(absl::Minutes(30));
  EXPECT_EQ(targets_.times().size(), 2);
}

TEST_F(EventsTest, RefusesAScheduleThatIsNone) {
  EXPECT_FALSE(events_->PutRule(TestRule("cron(oops)")).ok());
}

}  // namespace
}  // namespace byoshin::local::events

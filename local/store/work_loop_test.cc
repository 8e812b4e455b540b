#include "local/store/work_loop.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/simulated_clock.h"
#include "core/turn/turn.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local {
namespace {

const absl::Time kStart = absl::FromUnixSeconds(1'764'671'000);

// A store that counts commits, and fails them on demand.
class CountingStore final : public ForwardingStore {
 public:
  CountingStore() : ForwardingStore(*OpenSqliteStore({})) {}

  absl::Status Commit() override {
    ++commits;
    if (failure.ok()) return ForwardingStore::Commit();
    Rollback();
    return failure;
  }
  bool WaitsForDisk() const override { return waits_for_disk; }

  int commits = 0;
  bool waits_for_disk = false;
  absl::Status failure;
};

class WorkLoopTest : public testing::Test {
 protected:
  // Runs `work` on the loop and waits for its commit.
  absl::Status Run(WorkLoop& loop, std::function<void()> work) {
    std::promise<absl::Status> done;
    loop.Submit([&]() -> AfterCommit {
      work();
      return [&done](const absl::Status& status) { done.set_value(status); };
    });
    return done.get_future().get();
  }

  time::SimulatedClock clock_{kStart};
  CountingStore store_;
};

TEST_F(WorkLoopTest, CommitsBeforeItAnswers) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [&] { (void)store_.Put("a", "1"); }).ok());
  EXPECT_EQ(store_.commits, 1);
  // It is not to be taken back any more.
  store_.Rollback();
  EXPECT_EQ(**store_.Get("a"), "1");
}

TEST_F(WorkLoopTest, SharesACommitAmongWorkThatWaited) {
  WorkLoop loop(store_, clock_, {});
  std::promise<void> first_runs;
  std::promise<void> go_on;
  loop.Submit([&]() -> AfterCommit {
    first_runs.set_value();
    go_on.get_future().wait();
    return nullptr;
  });
  first_runs.get_future().wait();
  for (int i = 0; i < 100; ++i) {
    loop.Submit([&, i]() -> AfterCommit {
      (void)store_.Put(absl::StrCat(i), "");
      return nullptr;
    });
  }
  go_on.set_value();
  ASSERT_TRUE(Run(loop, [] {}).ok());
  loop.Stop();
  // The first alone, the hundred together; the last with them or after them.
  EXPECT_GE(store_.commits, 2);
  EXPECT_LE(store_.commits, 3);
}

TEST_F(WorkLoopTest, LimitsHowMuchSharesACommit) {
  WorkLoop loop(store_, clock_, {.max_batch = 10});
  std::promise<void> go_on;
  loop.Submit([&]() -> AfterCommit {
    go_on.get_future().wait();
    return nullptr;
  });
  std::vector<int> order;
  for (int i = 0; i < 100; ++i) {
    loop.Submit([&, i]() -> AfterCommit {
      order.push_back(i);
      return nullptr;
    });
  }
  go_on.set_value();
  loop.Stop();
  EXPECT_GE(store_.commits, 10);
  ASSERT_EQ(order.size(), 100);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(order[i], i);
}

TEST_F(WorkLoopTest, TellsOfACommitThatFailedAfterMemoryWasPutRight) {
  std::vector<std::string> events;
  WorkLoop loop(store_, clock_,
                {.on_rollback = [&] { events.push_back("reloaded"); }});
  store_.failure = absl::UnavailableError("the disk is full");
  const absl::Status status = Run(loop, [&] { (void)store_.Put("a", "1"); });
  events.push_back("answered");
  EXPECT_EQ(status.message(), "the disk is full");
  EXPECT_EQ(events, (std::vector<std::string>{"reloaded", "answered"}));
}

TEST_F(WorkLoopTest, RunsTimersWhenTheyAreDueAndNotBefore) {
  WorkLoop loop(store_, clock_, {});
  std::vector<std::pair<std::string, absl::Time>> ran;
  const auto note = [&](std::string name) {
    return [&, name]() -> AfterCommit {
      ran.emplace_back(name, clock_.Now());
      return nullptr;
    };
  };
  ASSERT_TRUE(Run(loop, [&] {
                loop.At(kStart + absl::Milliseconds(1500), note("second"));
                loop.At(kStart + absl::Milliseconds(1499), note("first"));
                loop.Cancel(loop.At(kStart + absl::Seconds(1), note("never")));
              }).ok());
  clock_.RunUntil(kStart + absl::Seconds(10));
  ASSERT_EQ(ran.size(), 2);
  EXPECT_EQ(ran[0],
            std::pair(std::string("first"), kStart + absl::Milliseconds(1499)));
  EXPECT_EQ(ran[1], std::pair(std::string("second"),
                              kStart + absl::Milliseconds(1500)));
}

// A simulated clock on which one thread that wakes another can be stopped just
// before it does, as if it had lost its processor there.
class SlowToWakeClock final : public time::Clock {
 public:
  explicit SlowToWakeClock(time::SimulatedClock& clock) : clock_(clock) {}

  absl::Time Now() const override { return clock_.Now(); }
  std::unique_ptr<time::Wakeup> NewWakeup() override {
    return std::make_unique<SlowWakeup>(*this, clock_.NewWakeup());
  }

  // Stops the next one who calls Wake(): `reached` tells, `go_on` lets it go.
  void StopNextWake() { stop_next_ = true; }
  std::promise<void> reached;
  std::promise<void> go_on;

 private:
  class SlowWakeup final : public time::Wakeup {
   public:
    SlowWakeup(SlowToWakeClock& clock, std::unique_ptr<time::Wakeup> wakeup)
        : clock_(clock), wakeup_(std::move(wakeup)) {}
    time::WaitResult WaitUntil(absl::Time deadline) override {
      return wakeup_->WaitUntil(deadline);
    }
    void Wake() override {
      if (clock_.stop_next_.exchange(false)) {
        clock_.reached.set_value();
        clock_.go_on.get_future().wait();
      }
      wakeup_->Wake();
    }
    void Cancel() override { wakeup_->Cancel(); }

   private:
    SlowToWakeClock& clock_;
    std::unique_ptr<time::Wakeup> wakeup_;
  };

  void BeginHold() override {
    const sync::MutexLock lock(mutex_);
    holds_.emplace_back(clock_);
  }
  void EndHold() override {
    const sync::MutexLock lock(mutex_);
    holds_.pop_back();
  }

  time::SimulatedClock& clock_;
  std::atomic<bool> stop_next_ = false;
  sync::Mutex mutex_;
  std::vector<time::Hold> holds_ ABSL_GUARDED_BY(mutex_);
};

TEST_F(WorkLoopTest, KeepsTimeFromJumpingOverWorkThatWasNotTheFirst) {
  SlowToWakeClock slow_clock(clock_);
  WorkLoop loop(store_, slow_clock, {});
  clock_.AwaitIdle();
  // Somebody for whom time does not stand still, such as a dashboard, submits
  // work and does not get to waking the loop.
  slow_clock.StopNextWake();
  std::thread first(
      [&] { loop.Submit([]() -> AfterCommit { return nullptr; }); });
  slow_clock.reached.get_future().wait();

  std::atomic<bool> ran = false;
  {
    const time::Hold hold(clock_);
    loop.Submit([&]() -> AfterCommit {
      ran = true;
      return nullptr;
    });
  }
  // Once time may jump, nothing is left to do.
  const bool idle = clock_.idle();
  EXPECT_TRUE(!idle || ran);
  slow_clock.go_on.set_value();
  first.join();
  loop.Stop();
  EXPECT_TRUE(ran);
}

TEST_F(WorkLoopTest, LetsATimerThatRenewsItselfNotStarveTheRest) {
  WorkLoop loop(store_, clock_, {});
  int renewals = 0;
  bool again = true;
  std::function<AfterCommit()> renew = [&]() -> AfterCommit {
    ++renewals;
    if (again) loop.At(clock_.Now(), renew);
    return nullptr;
  };
  ASSERT_TRUE(Run(loop, [&] { loop.At(kStart, renew); }).ok());
  // Answered although there is always a timer that is due.
  ASSERT_TRUE(Run(loop, [] {}).ok());
  ASSERT_TRUE(Run(loop, [&] { again = false; }).ok());
  loop.Stop();
  EXPECT_GE(renewals, 1);
}

TEST_F(WorkLoopTest, RunsWorkOnTheCallersThreadIfNothingElseRuns) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  const int commits = store_.commits;
  std::vector<std::thread::id> threads;
  loop.SubmitOrRun([&]() -> AfterCommit {
    (void)store_.Put("a", "1");
    threads.push_back(std::this_thread::get_id());
    return [&](const absl::Status& status) {
      EXPECT_TRUE(status.ok()) << status;
      EXPECT_EQ(store_.commits, commits + 1);
      threads.push_back(std::this_thread::get_id());
    };
  });
  EXPECT_EQ(threads,
            std::vector<std::thread::id>(2, std::this_thread::get_id()));
}

TEST_F(WorkLoopTest, LeavesWorkToWhoRunsAlready) {
  WorkLoop loop(store_, clock_, {});
  std::promise<void> first_runs;
  std::promise<void> go_on;
  std::vector<int> order;
  loop.Submit([&]() -> AfterCommit {
    first_runs.set_value();
    go_on.get_future().wait();
    order.push_back(1);
    return nullptr;
  });
  first_runs.get_future().wait();
  // Returns although the first has not ended.
  loop.SubmitOrRun([&]() -> AfterCommit {
    order.push_back(2);
    return nullptr;
  });
  go_on.set_value();
  loop.Stop();
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
}

TEST_F(WorkLoopTest, LeavesToItsThreadWhatComesWhileACallerRuns) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  std::promise<std::thread::id> ran;
  loop.SubmitOrRun([&]() -> AfterCommit {
    return [&](const absl::Status&) {
      loop.SubmitOrRun([&]() -> AfterCommit {
        ran.set_value(std::this_thread::get_id());
        return nullptr;
      });
    };
  });
  EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

TEST_F(WorkLoopTest, SharesACommitAmongTheWorkOfATurn) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  const int commits = store_.commits;
  std::vector<std::function<void()>> posted;
  const turn::Loop turns([&](turn::Work work) { posted.push_back(work); });
  std::vector<std::thread::id> threads;
  for (int i = 0; i < 3; ++i) {
    loop.SubmitOrRun([&]() -> AfterCommit {
      threads.push_back(std::this_thread::get_id());
      return nullptr;
    });
  }
  EXPECT_TRUE(threads.empty());
  ASSERT_EQ(posted.size(), 1);
  posted[0]();
  EXPECT_EQ(threads,
            std::vector<std::thread::id>(3, std::this_thread::get_id()));
  EXPECT_EQ(store_.commits, commits + 1);
}

TEST_F(WorkLoopTest, HoldsSimulatedTimeUntilTheEndOfATurn) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  std::vector<std::function<void()>> posted;
  const turn::Loop turns([&](turn::Work work) { posted.push_back(work); });
  absl::Time ran_at;
  loop.SubmitOrRun([&]() -> AfterCommit {
    ran_at = clock_.Now();
    return nullptr;
  });
  std::thread runner([&] { clock_.RunUntil(kStart + absl::Hours(1)); });
  // Time that does not stand still has every chance to run.
  for (int i = 0; i < 1000; ++i) std::this_thread::yield();
  posted[0]();
  EXPECT_EQ(ran_at, kStart);
  runner.join();
  EXPECT_EQ(clock_.Now(), kStart + absl::Hours(1));
}

TEST_F(WorkLoopTest, RunsAtOnceForWhoWaitsDuringATurn) {
  WorkLoop loop(store_, clock_, {});
  std::vector<std::function<void()>> posted;
  const turn::Loop turns([&](turn::Work work) { posted.push_back(work); });
  std::vector<int> order;
  loop.SubmitOrRun([&]() -> AfterCommit {
    order.push_back(1);
    return nullptr;
  });
  // This one waits, and has no turn's end to wait for.
  ASSERT_TRUE(Run(loop, [&] { order.push_back(2); }).ok());
  EXPECT_EQ(order, (std::vector<int>{1, 2}));
  for (const auto& work : posted) work();
  EXPECT_EQ(order.size(), 2);
}

TEST_F(WorkLoopTest, LeavesWorkToItsThreadIfCommitsWaitForTheDisk) {
  store_.waits_for_disk = true;
  WorkLoop loop(store_, clock_, {});
  std::promise<std::thread::id> ran;
  loop.SubmitOrRun([&]() -> AfterCommit {
    ran.set_value(std::this_thread::get_id());
    return nullptr;
  });
  EXPECT_NE(ran.get_future().get(), std::this_thread::get_id());
}

TEST_F(WorkLoopTest, KeepsTimersThatWereSetOnACallersThread) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  std::vector<absl::Time> ran;
  const auto note = [&]() -> AfterCommit {
    ran.push_back(clock_.Now());
    return nullptr;
  };
  loop.SubmitOrRun([&]() -> AfterCommit {
    loop.At(kStart + absl::Seconds(2), note);
    return nullptr;
  });
  loop.SubmitOrRun([&]() -> AfterCommit {
    loop.At(kStart + absl::Seconds(1), note);
    return nullptr;
  });
  clock_.RunUntil(kStart + absl::Seconds(10));
  EXPECT_EQ(ran, (std::vector<absl::Time>{kStart + absl::Seconds(1),
                                          kStart + absl::Seconds(2)}));
}

TEST_F(WorkLoopTest, HoldsSimulatedTimeWhileACallerRuns) {
  WorkLoop loop(store_, clock_, {});
  ASSERT_TRUE(Run(loop, [] {}).ok());
  clock_.AwaitIdle();
  std::promise<void> runs;
  std::thread caller([&] {
    loop.SubmitOrRun([&]() -> AfterCommit {
      loop.At(kStart + absl::Hours(1), []() -> AfterCommit { return nullptr; });
      runs.set_value();
      // Time that does not stand still has every chance to run.
      for (int i = 0; i < 1000; ++i) std::this_thread::yield();
      EXPECT_EQ(clock_.Now(), kStart);
      return nullptr;
    });
  });
  runs.get_future().wait();
  clock_.RunUntil(kStart + absl::Hours(2));
  caller.join();
}

TEST_F(WorkLoopTest, StopsWhileCallersRun) {
  for (int i = 0; i < 100; ++i) {
    auto loop = std::make_unique<WorkLoop>(store_, clock_, WorkLoop::Options());
    int answered = 0;
    std::promise<void> runs;
    std::thread caller([&] {
      loop->SubmitOrRun([&]() -> AfterCommit {
        runs.set_value();
        return [&](const absl::Status&) { ++answered; };
      });
    });
    runs.get_future().wait();
    loop->Stop();
    EXPECT_EQ(answered, 1);
    caller.join();
  }
}

TEST_F(WorkLoopTest, FinishesWhatWasSubmittedWhenStopped) {
  WorkLoop loop(store_, clock_, {});
  int answered = 0;
  for (int i = 0; i < 50; ++i) {
    loop.Submit([&]() -> AfterCommit {
      return [&](const absl::Status&) { ++answered; };
    });
  }
  loop.Stop();
  EXPECT_EQ(answered, 50);
  loop.Submit([&]() -> AfterCommit {
    ++answered;
    return nullptr;
  });
  EXPECT_EQ(answered, 50);
}

TEST_F(WorkLoopTest, TakesWorkFromManyThreads) {
  WorkLoop loop(store_, clock_, {});
  int count = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 1000; ++j) {
        const auto work = [&]() -> AfterCommit {
          ++count;
          return nullptr;
        };
        if (i % 2 == 0) {
          loop.Submit(work);
        } else {
          loop.SubmitOrRun(work);
        }
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  loop.Stop();
  EXPECT_EQ(count, 4000);
}

}  // namespace
}  // namespace byoshin::local

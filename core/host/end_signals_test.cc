#include "core/host/end_signals.h"

#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "gtest/gtest.h"

namespace byoshin::host {
namespace {

TEST(EndSignals, AwaitsTheFirstSignal) {
  for (const int number : {SIGINT, SIGTERM}) {
    EndSignals signals;
    EXPECT_FALSE(signals.received());
    kill(getpid(), number);
    signals.Await();
    EXPECT_TRUE(signals.received());
  }
}

TEST(EndSignals, RemembersASignalThatCameBeforeItIsAwaited) {
  EndSignals signals;
  kill(getpid(), SIGTERM);
  while (!signals.received()) {
  }
  signals.Await();
}

TEST(EndSignals, RestoresTheMaskInTheEnd) {
  { EndSignals signals; }
  sigset_t mask;
  pthread_sigmask(SIG_SETMASK, nullptr, &mask);
  EXPECT_EQ(sigismember(&mask, SIGINT), 0);
  EXPECT_EQ(sigismember(&mask, SIGTERM), 0);
}

// Signals itself twice, the second time `between` after the first one.
class TwoSignals {
 public:
  explicit TwoSignals(EndSignals::Instant::duration between)
      : between_(between) {}

  void Send(int number) {
    EndSignals signals([this] {
      return EndSignals::Instant() + (received_++ == 0 ? 0 : 1) * between_;
    });
    kill(getpid(), number);
    signals.Await();
    kill(getpid(), number);
    while (received_ < 2) std::this_thread::yield();
  }

 private:
  const EndSignals::Instant::duration between_;
  std::atomic<int> received_ = 0;
};

TEST(EndSignals, IgnoresTheRepetitionsOfARequestToStop) {
  for (const int number : {SIGINT, SIGTERM}) {
    TwoSignals(kSameRequest - std::chrono::nanoseconds(1)).Send(number);
  }
}

void HangAfterTheFirstSignal(int number) {
  TwoSignals(kSameRequest).Send(number);
  while (true) pause();
}

TEST(EndSignalsDeathTest, EndsAProcessThatHangsAtALaterSignal) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(HangAfterTheFirstSignal(SIGINT), testing::KilledBySignal(SIGINT),
              "");
  EXPECT_EXIT(HangAfterTheFirstSignal(SIGTERM),
              testing::KilledBySignal(SIGTERM), "");
}

// Constructs and destroys one that gets no more than `descriptors`.
void UseWithDescriptors(rlim_t descriptors) {
  const int next = dup(STDERR_FILENO);
  close(next);
  const rlimit before = [] {
    rlimit limit = {};
    getrlimit(RLIMIT_NOFILE, &limit);
    return limit;
  }();
  const rlimit few = {next + descriptors, before.rlim_max};
  setrlimit(RLIMIT_NOFILE, &few);
  {
    EndSignals signals;
    EXPECT_FALSE(signals.received());
  }
  const EndSignals signals;
  setrlimit(RLIMIT_NOFILE, &before);
  kill(getpid(), SIGTERM);
  while (true) pause();
}

TEST(EndSignalsDeathTest, LeavesSignalsAloneIfItCannotReceiveThem) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(UseWithDescriptors(0), testing::KilledBySignal(SIGTERM), "");
  EXPECT_EXIT(UseWithDescriptors(1), testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace byoshin::host

#include "core/host/end_signals.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>

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

void HangAfterTheFirstSignal(int number) {
  EndSignals signals;
  kill(getpid(), number);
  signals.Await();
  kill(getpid(), number);
  while (true) pause();
}

TEST(EndSignalsDeathTest, EndsAProcessThatHangsAtTheSecond) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(HangAfterTheFirstSignal(SIGINT), testing::KilledBySignal(SIGINT),
              "");
  EXPECT_EXIT(HangAfterTheFirstSignal(SIGTERM),
              testing::KilledBySignal(SIGTERM), "");
}

}  // namespace
}  // namespace byoshin::host

#include "local/store/run_on_loop.h"

#include <future>
#include <memory>
#include <thread>

#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local {
namespace {

class RunOnLoopTest : public testing::Test {
 protected:
  time::SimulatedClock clock_{absl::UnixEpoch()};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  WorkLoop loop_{*store_, clock_, {}};
};

TEST_F(RunOnLoopTest, ReturnsWhenTheWorkIsDone) {
  std::thread::id thread;
  RunOnLoop(loop_, [&] { thread = std::this_thread::get_id(); });
  EXPECT_NE(thread, std::thread::id());
  EXPECT_NE(thread, std::this_thread::get_id());
}

TEST_F(RunOnLoopTest, DoesNotWaitForALoopThatHasStopped) {
  loop_.Stop();
  EXPECT_THROW(RunOnLoop(loop_, [] {}), std::future_error);
}

}  // namespace
}  // namespace byoshin::local

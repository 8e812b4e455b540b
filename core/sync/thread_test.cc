#include "core/sync/thread.h"

#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/sync/testing/no_threads.h"
#include "gtest/gtest.h"

namespace byoshin::sync {
namespace {

TEST(StartThread, RunsTheFunction) {
  bool done = false;
  absl::StatusOr<std::thread> thread = StartThread([&] { done = true; });
  ASSERT_TRUE(thread.ok()) << thread.status();
  thread->join();
  EXPECT_TRUE(done);
}

TEST(StartThread, IsAnErrorIfTheSystemHasNone) {
  const testing::NoThreads no_threads;
  EXPECT_TRUE(absl::IsResourceExhausted(StartThread([] {}).status()));
}

}  // namespace
}  // namespace byoshin::sync

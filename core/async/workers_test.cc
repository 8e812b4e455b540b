#include "core/async/workers.h"

#include <atomic>
#include <future>
#include <memory>

#include "gtest/gtest.h"

namespace byoshin::async {
namespace {

TEST(Workers, DoTheWorkOnOtherThreads) {
  Workers workers(2);
  // Each waits for the other, so two threads do them.
  std::promise<void> first;
  std::promise<void> second;
  workers.Do([&] {
    first.set_value();
    second.get_future().wait();
  });
  workers.Do([&] {
    first.get_future().wait();
    second.set_value();
  });
  workers.Finish();
}

TEST(Workers, FinishWhatHasBeenAdded) {
  std::atomic<int> done = 0;
  {
    Workers workers(1);
    for (int i = 0; i < 100; ++i) workers.Do([&] { ++done; });
  }
  EXPECT_EQ(done, 100);
}

TEST(Workers, DropWhatHasNotBegun) {
  Workers workers(1);
  std::promise<void> begun;
  std::promise<void> go_on;
  std::atomic<int> done = 0;
  workers.Do([&] {
    begun.set_value();
    go_on.get_future().wait();
    ++done;
  });
  begun.get_future().wait();
  // Destroyed once it is dropped, which lets the first one go on.
  auto dropped = std::shared_ptr<int>(new int, [&](int* value) {
    delete value;
    go_on.set_value();
  });
  workers.Do([&done, dropped] { done += 100; });
  dropped.reset();
  workers.Drop();
  workers.Do([&] { done += 1000; });
  EXPECT_EQ(done, 1);
}

}  // namespace
}  // namespace byoshin::async

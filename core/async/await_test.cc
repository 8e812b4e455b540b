#include "core/async/await.h"

#include <functional>
#include <future>
#include <memory>
#include <thread>
#include <utility>

#include "gtest/gtest.h"

namespace byoshin::async {
namespace {

TEST(Await, ReturnsWhatAnotherThreadGives) {
  std::thread other;
  const std::unique_ptr<int> value =
      Await<std::unique_ptr<int>>([&](auto done) {
        other = std::thread([done] { done(std::make_unique<int>(5)); });
      });
  other.join();
  EXPECT_EQ(*value, 5);
}

TEST(Await, ReturnsWhatIsGivenAtOnce) {
  EXPECT_EQ(Await<int>([](const std::function<void(int)>& done) { done(7); }),
            7);
}

TEST(Await, WaitsForACallWithoutAValue) {
  bool called = false;
  std::thread other;
  Await<void>([&](std::function<void()> done) {
    other = std::thread([&called, done = std::move(done)] {
      called = true;
      done();
    });
  });
  EXPECT_TRUE(called);
  other.join();
}

TEST(Await, ThrowsIfTheCallbackIsDropped) {
  EXPECT_THROW(Await<int>([](auto) {}), std::future_error);
}

}  // namespace
}  // namespace byoshin::async

#include "core/async/gate.h"

#include <gtest/gtest.h>

#include <atomic>
#include <memory>
#include <thread>

#include "absl/time/time.h"

namespace byoshin::async {
namespace {

TEST(Gate, IsOpenUntilItIsClosed) {
  Gate gate;
  {
    const Gate::Pass outer(gate);
    const Gate::Pass inner(gate);
    EXPECT_TRUE(outer.granted());
    EXPECT_TRUE(inner.granted());
  }
  gate.Close();
  EXPECT_FALSE(Gate::Pass(gate).granted());
}

TEST(Gate, ClosesOnceEverybodyHasLeft) {
  const auto gate = std::make_shared<Gate>();
  auto pass = std::make_unique<Gate::Pass>(*gate);
  ASSERT_TRUE(pass->granted());
  std::atomic<bool> left = false;
  std::atomic<bool> closed_early = false;
  std::thread closer([&] {
    gate->Close();
    closed_early = !left;
  });
  while (Gate::Pass(*gate).granted()) std::this_thread::yield();
  left = true;
  pass.reset();
  closer.join();
  EXPECT_FALSE(closed_early);
}

TEST(Gate, ClosesWithinALimitWhoeverIsInside) {
  Gate gate;
  auto pass = std::make_unique<Gate::Pass>(gate);
  EXPECT_FALSE(gate.CloseWithin(absl::ZeroDuration()));
  EXPECT_FALSE(Gate::Pass(gate).granted());
  pass.reset();
  EXPECT_TRUE(gate.CloseWithin(absl::ZeroDuration()));
}

}  // namespace
}  // namespace byoshin::async

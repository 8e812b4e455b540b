#include "local/store/loop_gate.h"

#include <future>
#include <memory>

#include "absl/time/time.h"
#include "core/time/simulated_clock.h"
#include "gtest/gtest.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"
#include "local/store/work_loop.h"

namespace byoshin::local {
namespace {

TEST(LoopGate, PassesWorkOnUntilItIsClosed) {
  time::SimulatedClock clock(absl::UnixEpoch());
  const std::unique_ptr<Store> store = *OpenSqliteStore({});
  auto loop = std::make_unique<WorkLoop>(*store, clock, WorkLoop::Options{});
  LoopGate gate(*loop);
  std::promise<void> ran;
  gate.Submit([&]() -> AfterCommit {
    ran.set_value();
    return nullptr;
  });
  ran.get_future().wait();

  gate.Close();
  loop->Stop();
  loop.reset();
  gate.Submit([]() -> AfterCommit {
    ADD_FAILURE() << "the loop is gone";
    return nullptr;
  });
}

}  // namespace
}  // namespace byoshin::local

// The way back to a loop for answers that may come after it has gone.
//
//   auto gate = std::make_shared<LoopGate>(loop);
//   queues.Receive(…, [gate](auto messages) {
//     gate->Submit([…]() -> AfterCommit { … });
//   });
//   ...
//   gate->Close();  // what comes later is dropped
#ifndef BYOSHIN_LOCAL_LAMBDA_LOOP_GATE_H_
#define BYOSHIN_LOCAL_LAMBDA_LOOP_GATE_H_

#include <mutex>
#include <utility>

#include "local/store/work_loop.h"

namespace byoshin::local::lambda {

// Thread-safe.
class LoopGate {
 public:
  explicit LoopGate(WorkLoop& loop) : loop_(&loop) {}

  void Submit(WorkLoop::Work work) {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (loop_ != nullptr) loop_->Submit(std::move(work));
  }

  void Close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    loop_ = nullptr;
  }

 private:
  std::mutex mutex_;
  WorkLoop* loop_;  // guarded by mutex_
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_LOOP_GATE_H_

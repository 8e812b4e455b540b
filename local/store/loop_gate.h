// Passes work to a loop that may be destroyed before the work arrives.
//
//   auto gate = std::make_shared<LoopGate>(loop);
//   queues.Receive(…, [gate](auto messages) {
//     gate->Submit([…]() -> AfterCommit { … });
//   });
//   ...
//   gate->Close();  // later work is dropped
#ifndef BYOSHIN_LOCAL_STORE_LOOP_GATE_H_
#define BYOSHIN_LOCAL_STORE_LOOP_GATE_H_

#include <mutex>
#include <utility>

#include "local/store/work_loop.h"

namespace byoshin::local {

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

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_LOOP_GATE_H_

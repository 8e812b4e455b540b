// Submits work to a loop that may already be destroyed.
//
//   auto gate = std::make_shared<LoopGate>(loop);
//   queues.Receive(…, [gate](auto messages) {
//     gate->Submit([…]() -> AfterCommit { … });
//   });
//   ...
//   gate->Close();  // later work is dropped
#ifndef BYOSHIN_LOCAL_STORE_LOOP_GATE_H_
#define BYOSHIN_LOCAL_STORE_LOOP_GATE_H_

#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "local/store/work_loop.h"

namespace byoshin::local {

// Thread-safe.
class LoopGate {
 public:
  explicit LoopGate(WorkLoop& loop) : loop_(&loop) {}

  void Submit(WorkLoop::Work work) {
    const sync::MutexLock lock(mutex_);
    if (loop_ != nullptr) loop_->Submit(std::move(work));
  }

  void Close() {
    const sync::MutexLock lock(mutex_);
    loop_ = nullptr;
  }

 private:
  sync::Mutex mutex_;
  WorkLoop* loop_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_STORE_LOOP_GATE_H_

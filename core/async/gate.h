// Lets callbacks into an object until the object is destroyed.
//
//   service.Call([this, gate = gate_](Answer answer) {
//     const async::Gate::Pass pass(*gate);
//     if (pass.granted()) Finish(std::move(answer));
//   });
//
//   ~Caller() { gate_->Close(); }  // later answers are dropped
#ifndef BYOSHIN_CORE_ASYNC_GATE_H_
#define BYOSHIN_CORE_ASYNC_GATE_H_

#include <chrono>
#include <condition_variable>

#include "absl/base/thread_annotations.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::async {

// Thread-safe. Held by a std::shared_ptr, which the callbacks share.
class Gate {
 public:
  Gate() = default;
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  // Keeps Close() waiting if it was granted. A thread may have several.
  class Pass {
   public:
    explicit Pass(Gate& gate) : gate_(gate), granted_(gate.Enter()) {}
    Pass(const Pass&) = delete;
    Pass& operator=(const Pass&) = delete;
    ~Pass() {
      if (granted_) gate_.Leave();
    }

    bool granted() const { return granted_; }

   private:
    Gate& gate_;
    const bool granted_;
  };

  // Grants no more passes, and waits for the end of those granted. Deadlocks
  // if the calling thread has one.
  void Close() {
    const sync::MutexLock lock(mutex_);
    open_ = false;
    while (inside_ > 0) left_.Wait(mutex_);
  }

  // Likewise, but waits at most `limit`, in real time. Returns whether all
  // passes have ended.
  bool CloseWithin(absl::Duration limit) {
    const auto deadline =
        std::chrono::steady_clock::now() + absl::ToChronoNanoseconds(limit);
    const sync::MutexLock lock(mutex_);
    open_ = false;
    while (inside_ > 0) {
      if (left_.WaitUntil(mutex_, deadline) == std::cv_status::timeout) break;
    }
    return inside_ == 0;
  }

 private:
  bool Enter() {
    const sync::MutexLock lock(mutex_);
    if (open_) ++inside_;
    return open_;
  }
  void Leave() {
    const sync::MutexLock lock(mutex_);
    --inside_;
    if (inside_ == 0) left_.NotifyAll();
  }

  sync::Mutex mutex_;
  sync::Condition left_;
  bool open_ ABSL_GUARDED_BY(mutex_) = true;
  int inside_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::async

#endif  // BYOSHIN_CORE_ASYNC_GATE_H_

// Work of callers that holds simulated time, except while a request of theirs
// waits for time to pass: a function that has called a slow service runs, but
// is not at work.
//
//   auto work = std::make_shared<CallerWork>(clock, let_time_pass);
//   // The function runs, until this is destroyed.
//   auto run = std::make_unique<CallerWaits::Run>(waits, access_key_id, work);
#ifndef BYOSHIN_LOCAL_GATEWAY_CALLER_WAITS_H_
#define BYOSHIN_LOCAL_GATEWAY_CALLER_WAITS_H_

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "core/time/pausable_hold.h"

namespace byoshin::local {

// Thread-safe.
class CallerWork {
 public:
  // `let_time_pass` is that of the call that the work is for.
  CallerWork(time::Clock& clock, std::function<void()> let_time_pass)
      : hold_(clock), let_time_pass_(std::move(let_time_pass)) {}

  void Pause() {
    let_time_pass_();
    hold_.Pause();
  }
  void Resume() { hold_.Resume(); }

 private:
  time::PausableHold hold_;
  const std::function<void()> let_time_pass_;
};

// Thread-safe.
class CallerWaits {
 public:
  // The work of a caller, as long as this exists.
  class Run {
   public:
    Run(std::shared_ptr<CallerWaits> waits, std::string access_key_id,
        std::shared_ptr<CallerWork> work)
        : waits_(std::move(waits)),
          access_key_id_(std::move(access_key_id)),
          work_(std::move(work)) {
      const sync::MutexLock lock(waits_->mutex_);
      waits_->work_.insert_or_assign(access_key_id_, work_);
    }
    Run(const Run&) = delete;
    Run& operator=(const Run&) = delete;
    ~Run() {
      const sync::MutexLock lock(waits_->mutex_);
      const auto found = waits_->work_.find(access_key_id_);
      // Another one may have begun in the meantime.
      if (found != waits_->work_.end() && found->second == work_) {
        waits_->work_.erase(found);
      }
    }

   private:
    const std::shared_ptr<CallerWaits> waits_;
    const std::string access_key_id_;
    const std::shared_ptr<CallerWork> work_;
  };

  // Pauses the work of the caller until the result is resumed. Null if the
  // caller has none.
  std::shared_ptr<CallerWork> Pause(const std::string& access_key_id) {
    const std::shared_ptr<CallerWork> work = Find(access_key_id);
    // Without the lock: what called the work may have work of its own, which
    // is paused here, too.
    if (work != nullptr) work->Pause();
    return work;
  }

 private:
  std::shared_ptr<CallerWork> Find(const std::string& access_key_id) {
    const sync::MutexLock lock(mutex_);
    const auto found = work_.find(access_key_id);
    return found == work_.end() ? nullptr : found->second;
  }

  sync::Mutex mutex_;
  std::map<std::string, std::shared_ptr<CallerWork>> work_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_CALLER_WAITS_H_

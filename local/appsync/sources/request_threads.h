// Threads for requests that block until a server has answered.
//
//   RequestThreads threads({});
//   threads.Do(execution, [answer] { answer(client->Send(request)); });
//   threads.Drop();
//
// There are as many as there is work, up to a limit, so that a slow server does
// not delay requests to others, and a server may itself send requests that need
// a thread before it answers.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_REQUEST_THREADS_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_REQUEST_THREADS_H_

#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <thread>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"

namespace byoshin::local::appsync {

// Thread-safe, except that one thread ends it.
class RequestThreads {
 public:
  struct Limits {
    // All are at least 1.
    std::size_t threads = 256;
    // Of the same owner at the same time; further work of it waits, and does
    // not keep the work of others waiting.
    std::size_t per_owner = 64;
    // Those without work that are kept for later.
    std::size_t idle = 2;
  };

  explicit RequestThreads(Limits limits);
  RequestThreads(const RequestThreads&) = delete;
  RequestThreads& operator=(const RequestThreads&) = delete;
  // Calls Drop().
  ~RequestThreads() { Drop(); }

  // Does `work` as soon as a thread may. `owner` is only compared. Has no
  // effect once it has ended.
  void Do(const void* owner, std::function<void()> work)
      ABSL_LOCKS_EXCLUDED(mutex_);

  // Ends the threads when the work in progress is done; does no other.
  void Drop() ABSL_LOCKS_EXCLUDED(mutex_);

  // Those that exist, working or not.
  std::size_t threads() ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Ready {
    const void* owner;
    std::function<void()> work;
  };
  struct Owner {
    // Working, or ready to.
    std::size_t active = 0;
    std::deque<std::function<void()>> waiting{};
  };
  using ThreadList = std::list<std::thread>;

  void Run(ThreadList::iterator self) ABSL_LOCKS_EXCLUDED(mutex_);
  void MakeReady(const void* owner, std::function<void()> work)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void Finished(const void* owner) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  void StartThread() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  const Limits limits_;
  sync::Mutex mutex_;
  sync::Condition changed_;
  bool ending_ ABSL_GUARDED_BY(mutex_) = false;
  std::deque<Ready> ready_ ABSL_GUARDED_BY(mutex_);
  // Those with work.
  std::map<const void*, Owner> owners_ ABSL_GUARDED_BY(mutex_);
  std::size_t idle_ ABSL_GUARDED_BY(mutex_) = 0;
  ThreadList threads_ ABSL_GUARDED_BY(mutex_);
  // Those that have left, to be joined.
  ThreadList left_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_REQUEST_THREADS_H_

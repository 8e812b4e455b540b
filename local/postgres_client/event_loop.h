// A thread that waits for many sockets at once.
//
//   absl::StatusOr<std::unique_ptr<EventLoop>> loop = EventLoop::Start();
//   ... Session::Make(**loop, std::move(connection)) ...
#ifndef BYOSHIN_LOCAL_POSTGRES_CLIENT_EVENT_LOOP_H_
#define BYOSHIN_LOCAL_POSTGRES_CLIENT_EVENT_LOOP_H_

#include <cstdint>
#include <map>
#include <memory>
#include <thread>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"

namespace byoshin::local::postgres_client {

// Thread-safe. Must outlive the sources that are added.
class EventLoop {
 public:
  // What a socket belongs to.
  class Source {
   public:
    virtual ~Source() = default;
    // The socket can be read, or written if that was asked for, or is closed.
    // Called on the loop's thread; must not block.
    virtual void Ready() = 0;
  };
  using Id = std::uint64_t;

  static absl::StatusOr<std::unique_ptr<EventLoop>> Start();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;
  // Calls Stop().
  ~EventLoop();

  // Waits for the call under way; there is none afterwards. Must not be called
  // on the loop's thread.
  void Stop();

  // Watches `socket`, which stays the caller's, for data to read.
  Id Add(int socket, std::weak_ptr<Source> source);
  // Also watches for room to write, or no more.
  void WatchWrites(int socket, Id id, bool watch);
  // A call of Ready() may still be under way.
  void Remove(int socket, Id id);
  // The same for a socket that has been closed: its number may be another's by
  // now.
  void RemoveClosed(Id id);

 private:
  EventLoop(int epoll, int wake);
  void Run();

  const int epoll_;
  // An eventfd that ends the thread.
  const int wake_;
  sync::Mutex mutex_;
  std::map<Id, std::weak_ptr<Source>> sources_ ABSL_GUARDED_BY(mutex_);
  Id last_ ABSL_GUARDED_BY(mutex_) = 0;
  std::thread thread_;
};

}  // namespace byoshin::local::postgres_client

#endif  // BYOSHIN_LOCAL_POSTGRES_CLIENT_EVENT_LOOP_H_

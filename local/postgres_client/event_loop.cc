#include "local/postgres_client/event_loop.h"

#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/sync/mutex.h"
#include "core/sync/thread.h"

namespace byoshin::local::postgres_client {
namespace {

// Stands for the eventfd; sources are counted from 1.
constexpr EventLoop::Id kStop = 0;
constexpr int kEventsAtOnce = 64;

void Control(int epoll, int operation, int socket, std::uint32_t events,
             EventLoop::Id id) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = id;
  // Fails only for a socket that is closed already.
  epoll_ctl(epoll, operation, socket, &event);
}

}  // namespace

absl::StatusOr<std::unique_ptr<EventLoop>> EventLoop::Start() {
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  if (epoll < 0) return absl::ErrnoToStatus(errno, "can't create an epoll");
  const int wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (wake < 0) {
    const absl::Status status =
        absl::ErrnoToStatus(errno, "can't create an eventfd");
    close(epoll);
    return status;
  }
  std::unique_ptr<EventLoop> loop(new EventLoop(epoll, wake));
  absl::StatusOr<std::thread> thread =
      sync::StartThread([loop = loop.get()] { loop->Run(); });
  if (!thread.ok()) return thread.status();
  loop->thread_ = *std::move(thread);
  return loop;
}

EventLoop::EventLoop(int epoll, int wake) : epoll_(epoll), wake_(wake) {
  Control(epoll_, EPOLL_CTL_ADD, wake_, EPOLLIN, kStop);
}

EventLoop::~EventLoop() {
  Stop();
  close(wake_);
  close(epoll_);
}

void EventLoop::Stop() {
  if (!thread_.joinable()) return;
  const std::uint64_t one = 1;
  while (write(wake_, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
}

EventLoop::Id EventLoop::Add(int socket, std::weak_ptr<Source> source) {
  const sync::MutexLock lock(mutex_);
  const Id id = ++last_;
  sources_.emplace(id, std::move(source));
  Control(epoll_, EPOLL_CTL_ADD, socket, EPOLLIN, id);
  return id;
}

void EventLoop::WatchWrites(int socket, Id id, bool watch) {
  Control(epoll_, EPOLL_CTL_MOD, socket,
          watch ? (EPOLLIN | EPOLLOUT) : std::uint32_t{EPOLLIN}, id);
}

void EventLoop::Remove(int socket, Id id) {
  const sync::MutexLock lock(mutex_);
  sources_.erase(id);
  Control(epoll_, EPOLL_CTL_DEL, socket, 0, id);
}

void EventLoop::RemoveClosed(Id id) {
  const sync::MutexLock lock(mutex_);
  sources_.erase(id);
}

void EventLoop::Run() {
  std::array<epoll_event, kEventsAtOnce> events{};
  while (true) {
    const int count = epoll_wait(epoll_, events.data(), kEventsAtOnce, -1);
    for (int i = 0; i < count; ++i) {
      const Id id = events[i].data.u64;
      if (id == kStop) return;
      std::shared_ptr<Source> source;
      {
        const sync::MutexLock lock(mutex_);
        const auto found = sources_.find(id);
        if (found != sources_.end()) source = found->second.lock();
      }
      if (source != nullptr) source->Ready();
    }
  }
}

}  // namespace byoshin::local::postgres_client

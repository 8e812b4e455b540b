#include "core/host/end_signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>
#include <functional>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::host {
namespace {

// The exit status that a shell reports for a program ended by a signal.
constexpr int kSignalExitCode = 128;

// Ends the process as the signal does by default.
[[noreturn]] void DieOf(int number) {
  signal(number, SIG_DFL);
  sigset_t only;
  sigemptyset(&only);
  sigaddset(&only, number);
  pthread_sigmask(SIG_UNBLOCK, &only, nullptr);
  raise(number);
  _exit(kSignalExitCode + number);
}

}  // namespace

EndSignals::EndSignals(std::function<Instant()> now) : now_(std::move(now)) {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  signal_descriptor_ = signalfd(-1, &signals_, SFD_CLOEXEC);
  stop_descriptor_ = eventfd(0, EFD_CLOEXEC);
  if (signal_descriptor_ >= 0 && stop_descriptor_ >= 0) {
    thread_ = std::thread([this] { Watch(); });
  } else {
    // Signals that are blocked and not read could not end the process.
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
}

EndSignals::~EndSignals() {
  if (thread_.joinable()) {
    const std::uint64_t one = 1;
    while (write(stop_descriptor_, &one, sizeof(one)) < 0 && errno == EINTR) {
    }
    thread_.join();
    pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
  }
  if (signal_descriptor_ >= 0) close(signal_descriptor_);
  if (stop_descriptor_ >= 0) close(stop_descriptor_);
}

void EndSignals::Await() {
  const sync::MutexLock lock(mutex_);
  while (!first_.has_value()) changed_.Wait(mutex_);
}

bool EndSignals::received() const {
  const sync::MutexLock lock(mutex_);
  return first_.has_value();
}

void EndSignals::Watch() {
  while (true) {
    pollfd watched[2] = {{signal_descriptor_, POLLIN, 0},
                         {stop_descriptor_, POLLIN, 0}};
    if (poll(watched, 2, /*timeout=*/-1) < 0) continue;
    if (watched[1].revents != 0) return;
    signalfd_siginfo info = {};
    if (read(signal_descriptor_, &info, sizeof(info)) != sizeof(info)) continue;
    Receive(static_cast<int>(info.ssi_signo));
  }
}

void EndSignals::Receive(int number) {
  const Instant now = now_();
  const sync::MutexLock lock(mutex_);
  if (!first_.has_value()) {
    first_ = now;
    changed_.NotifyAll();
  } else if (now - *first_ >= kSameRequest) {
    DieOf(number);
  }
}

}  // namespace byoshin::host

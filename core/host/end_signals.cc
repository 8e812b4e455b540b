#include "core/host/end_signals.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <cstdint>
#include <thread>
#include <utility>

#include "core/sync/mutex.h"

namespace byoshin::host {
namespace {

// As a shell reports a program that a signal has ended.
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

EndSignals::EndSignals() {
  sigemptyset(&signals_);
  sigaddset(&signals_, SIGINT);
  sigaddset(&signals_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals_, &mask_before_);
  signal_descriptor_ = signalfd(-1, &signals_, SFD_CLOEXEC);
  stop_descriptor_ = eventfd(0, EFD_CLOEXEC);
  thread_ = std::thread([this] { Watch(); });
}

EndSignals::~EndSignals() {
  const std::uint64_t one = 1;
  while (write(stop_descriptor_, &one, sizeof(one)) < 0 && errno == EINTR) {
  }
  thread_.join();
  close(signal_descriptor_);
  close(stop_descriptor_);
  pthread_sigmask(SIG_SETMASK, &mask_before_, nullptr);
}

void EndSignals::Await() {
  const sync::MutexLock lock(mutex_);
  while (!received_) changed_.Wait(mutex_);
}

bool EndSignals::received() const {
  const sync::MutexLock lock(mutex_);
  return received_;
}

void EndSignals::Watch() {
  while (true) {
    pollfd watched[2] = {{signal_descriptor_, POLLIN, 0},
                         {stop_descriptor_, POLLIN, 0}};
    if (poll(watched, 2, /*timeout=*/-1) < 0) continue;
    if (watched[1].revents != 0) return;
    signalfd_siginfo info = {};
    if (read(signal_descriptor_, &info, sizeof(info)) != sizeof(info)) continue;
    const sync::MutexLock lock(mutex_);
    if (std::exchange(received_, true)) {
      DieOf(static_cast<int>(info.ssi_signo));
    }
    changed_.NotifyAll();
  }
}

}  // namespace byoshin::host

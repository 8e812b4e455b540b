#include "core/sync/thread.h"

#include <functional>
#include <system_error>
#include <thread>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

namespace byoshin::sync {

absl::Status NoThreadError() {
  return absl::ResourceExhaustedError(
      "cannot start a thread: raise the limits of address space (ulimit -v), "
      "of processes (ulimit -u) or of the container");
}

absl::StatusOr<std::thread> StartThread(std::function<void()> run) try {
  return std::thread(std::move(run));
} catch (const std::system_error&) {
  return NoThreadError();
}

}  // namespace byoshin::sync

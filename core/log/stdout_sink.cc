#include "core/log/stdout_sink.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::log {
namespace {

// Waits until a non-blocking file accepts more.
bool AwaitWritable(int fd) {
  pollfd poll_fd = {fd, POLLOUT, 0};
  return poll(&poll_fd, 1, /*timeout=*/-1) >= 0 || errno == EINTR;
}

}  // namespace

void StdoutSink::WriteLine(absl::string_view line) {
  const std::string text = absl::StrCat(line, "\n");
  const sync::MutexLock lock(mutex_);
  size_t written = 0;
  while (written < text.size()) {
    const ssize_t n = write(fd_, text.data() + written, text.size() - written);
    if (n >= 0) {
      written += static_cast<size_t>(n);
    } else if (errno == EAGAIN || errno == EWOULDBLOCK) {
      if (!AwaitWritable(fd_)) return;
    } else if (errno != EINTR) {
      return;
    }
  }
}

}  // namespace byoshin::log

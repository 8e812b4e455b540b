#include "tests/e2e/folder_changes.h"

#include <errno.h>
#include <poll.h>
#include <sys/inotify.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace byoshin::e2e {

absl::StatusOr<std::unique_ptr<FolderChanges>> FolderChanges::Watch(
    const std::string& folder) {
  const int descriptor = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (descriptor < 0) return absl::ErrnoToStatus(errno, "inotify_init1");
  std::unique_ptr<FolderChanges> changes(new FolderChanges(descriptor));
  if (inotify_add_watch(descriptor, folder.c_str(),
                        IN_CREATE | IN_MODIFY | IN_MOVED_TO | IN_DELETE) < 0) {
    return absl::ErrnoToStatus(errno, absl::StrCat("watching ", folder));
  }
  return changes;
}

FolderChanges::~FolderChanges() { close(descriptor_); }

absl::StatusOr<int> FolderChanges::Await(pid_t process) {
  // glibc has no name for it before 2.36.
  const int child =
      static_cast<int>(syscall(SYS_pidfd_open, process, /*flags=*/0));
  if (child < 0) {
    if (errno == ESRCH) return Read();
    return absl::ErrnoToStatus(errno, "pidfd_open");
  }
  const absl::Cleanup close_child = [child] { close(child); };
  pollfd waiting[] = {{.fd = descriptor_, .events = POLLIN, .revents = 0},
                      {.fd = child, .events = POLLIN, .revents = 0}};
  while (poll(waiting, 2, /*timeout=*/-1) < 0) {
    if (errno != EINTR) return absl::ErrnoToStatus(errno, "poll");
  }
  return Read();
}

absl::StatusOr<int> FolderChanges::Read() {
  alignas(inotify_event) char events[16 * 1024];
  const ssize_t size = read(descriptor_, events, sizeof(events));
  if (size < 0) {
    if (errno == EAGAIN) return 0;
    return absl::ErrnoToStatus(errno, "reading what has changed");
  }
  int count = 0;
  for (ssize_t at = 0; at < size; ++count) {
    const auto* const event =
        reinterpret_cast<const inotify_event*>(events + at);
    at += static_cast<ssize_t>(sizeof(inotify_event) + event->len);
  }
  return count;
}

}  // namespace byoshin::e2e

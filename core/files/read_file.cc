#include "core/files/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstddef>
#include <string>

#include "absl/cleanup/cleanup.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"

namespace byoshin::files {

absl::StatusOr<std::string> ReadFile(const std::string& path) {
  const auto failed = [&] {
    return absl::ErrnoToStatus(errno, absl::StrCat("cannot read ", path));
  };
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return failed();
  const absl::Cleanup close_file = [file] { close(file); };
  struct stat info = {};
  if (fstat(file, &info) != 0) return failed();
  // A pipe has no size, and a file may grow: read until the end is found, which
  // takes one byte more than the file has.
  constexpr std::size_t kMoreBytes = std::size_t{64} << 10;
  std::string bytes(static_cast<std::size_t>(info.st_size) + 1, '\0');
  std::size_t size = 0;
  while (true) {
    if (size == bytes.size()) bytes.resize(size + kMoreBytes);
    const ssize_t read_now =
        read(file, bytes.data() + size, bytes.size() - size);
    if (read_now < 0 && errno == EINTR) continue;
    if (read_now < 0) return failed();
    if (read_now == 0) break;
    size += static_cast<std::size_t>(read_now);
  }
  bytes.resize(size);
  return bytes;
}

}  // namespace byoshin::files

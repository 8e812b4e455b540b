#include "local/files/write_all.h"

#include <errno.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::local {

bool WriteAll(int file, absl::string_view bytes, std::size_t block_bytes) {
  while (!bytes.empty()) {
    const ssize_t written =
        write(file, bytes.data(), std::min(bytes.size(), block_bytes));
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;  // write(2) gives no reason
    if (written <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return true;
}

}  // namespace byoshin::local

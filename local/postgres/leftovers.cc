#include "local/postgres/leftovers.h"

#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/numbers.h"

namespace byoshin::local::postgres {
namespace {

constexpr char kProgram[] = "postgres";
// A killed process ends at once, unless the disk keeps it waiting.
constexpr int kEndMilliseconds = 5000;

bool Belongs(const std::filesystem::path& process, const std::string& data) {
  std::error_code error;
  const std::filesystem::path folder =
      std::filesystem::read_symlink(process / "cwd", error);
  if (error || folder != data) return false;
  const std::filesystem::path program =
      std::filesystem::read_symlink(process / "exe", error);
  return !error && program.filename() == kProgram;
}

}  // namespace

void EndLeftovers(const std::string& data) {
  std::vector<int> ending;
  std::error_code error;
  for (std::filesystem::directory_iterator entry("/proc", error), end;
       !error && entry != end; entry.increment(error)) {
    pid_t pid = 0;
    if (!absl::SimpleAtoi(entry->path().filename().string(), &pid)) continue;
    if (!Belongs(entry->path(), data)) continue;
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    if (descriptor < 0) continue;
    // The number may have been reused since; the descriptor can't be.
    if (Belongs(entry->path(), data)) {
      syscall(SYS_pidfd_send_signal, descriptor, SIGKILL, nullptr, 0);
      ending.push_back(descriptor);
    } else {
      close(descriptor);
    }
  }
  for (const int descriptor : ending) {
    pollfd end = {descriptor, POLLIN, 0};
    poll(&end, 1, kEndMilliseconds);
    close(descriptor);
  }
}

}  // namespace byoshin::local::postgres

#include "tests/bench/usage.h"

#include <sys/resource.h>
#include <time.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::bench {
namespace {

double StatusKib(pid_t pid, absl::string_view field) {
  std::ifstream status(absl::StrCat("/proc/", pid, "/status"));
  std::string line;
  while (std::getline(status, line)) {
    if (!absl::StartsWith(line, field)) continue;
    double kib = 0;
    const std::string number =
        line.substr(field.size(), line.rfind(' ') - field.size());
    return absl::SimpleAtod(number, &kib) ? kib : 0;
  }
  return 0;
}

}  // namespace

double ResidentKib(pid_t pid) { return StatusKib(pid, "VmRSS:"); }
double PeakKib(pid_t pid) { return StatusKib(pid, "VmHWM:"); }

absl::Duration CpuTime(pid_t pid) {
  clockid_t clock;
  timespec time = {};
  if (clock_getcpuclockid(pid, &clock) != 0 ||
      clock_gettime(clock, &time) != 0) {
    return absl::ZeroDuration();
  }
  return absl::DurationFromTimespec(time);
}

std::vector<pid_t> ChildrenOf(pid_t pid) {
  std::vector<pid_t> children;
  std::error_code ended;
  for (const auto& thread : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", pid, "/task"), ended)) {
    std::ifstream list(thread.path() / "children");
    for (pid_t child = 0; list >> child;) children.push_back(child);
  }
  return children;
}

absl::Duration EndedChildrenCpuTime() {
  rusage usage = {};
  getrusage(RUSAGE_CHILDREN, &usage);
  return absl::DurationFromTimeval(usage.ru_utime) +
         absl::DurationFromTimeval(usage.ru_stime);
}

}  // namespace byoshin::bench

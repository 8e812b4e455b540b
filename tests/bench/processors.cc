#include "tests/bench/processors.h"

#include <sched.h>
#include <sys/types.h>

#include <filesystem>
#include <system_error>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace byoshin::bench {
namespace {

// Threads that it starts later inherit this.
void Assign(pid_t process, const cpu_set_t& processors) {
  std::error_code error;
  for (const auto& thread : std::filesystem::directory_iterator(
           absl::StrCat("/proc/", process, "/task"), error)) {
    pid_t id = 0;
    if (absl::SimpleAtoi(thread.path().filename().string(), &id)) {
      sched_setaffinity(id, sizeof(processors), &processors);
    }
  }
}

}  // namespace

SeparateProcessors::SeparateProcessors(pid_t server) : server_(server) {
  sched_getaffinity(0, sizeof(all_), &all_);
  if (CPU_COUNT(&all_) < 2) return;
  int last = CPU_SETSIZE - 1;
  while (!CPU_ISSET(last, &all_)) --last;
  cpu_set_t own;
  CPU_ZERO(&own);
  CPU_SET(last, &own);
  cpu_set_t others = all_;
  CPU_CLR(last, &others);
  sched_setaffinity(0, sizeof(own), &own);
  Assign(server_, others);
}

SeparateProcessors::~SeparateProcessors() {
  sched_setaffinity(0, sizeof(all_), &all_);
  Assign(server_, all_);
}

}  // namespace byoshin::bench

// Processors for a load and for what it is on, apart: otherwise a measured
// latency also depends on whether the system happens to run both on one.
//
//   const SeparateProcessors separate(server_pid);
#ifndef BYOSHIN_TESTS_BENCH_PROCESSORS_H_
#define BYOSHIN_TESTS_BENCH_PROCESSORS_H_

#include <sched.h>
#include <sys/types.h>

namespace byoshin::bench {

// While it exists, this thread has the last of the machine's processors, and
// the process `server` with all of its threads the others. Has no effect on a
// machine with a single processor. Not thread-safe.
class SeparateProcessors {
 public:
  explicit SeparateProcessors(pid_t server);
  ~SeparateProcessors();
  SeparateProcessors(const SeparateProcessors&) = delete;
  SeparateProcessors& operator=(const SeparateProcessors&) = delete;

 private:
  const pid_t server_;
  cpu_set_t all_{};
};

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_PROCESSORS_H_

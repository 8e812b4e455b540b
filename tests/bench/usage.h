// What processes use, as the kernel counts it.
//
//   double before = CpuTime(pid); ...; CpuTime(pid) - before
#ifndef BYOSHIN_TESTS_BENCH_USAGE_H_
#define BYOSHIN_TESTS_BENCH_USAGE_H_

#include <sys/types.h>

#include <vector>

#include "absl/time/time.h"

namespace byoshin::bench {

// VmRSS and VmHWM of proc(5); 0 if it has ended.
double ResidentKib(pid_t pid);
double PeakKib(pid_t pid);

// Of all its threads; 0 if it has ended.
absl::Duration CpuTime(pid_t pid);

// Those that it has made and that still run.
std::vector<pid_t> ChildrenOf(pid_t pid);

// Of all children of this process that have ended, and theirs.
absl::Duration EndedChildrenCpuTime();

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_USAGE_H_

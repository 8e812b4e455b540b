// The whole local cloud under measurement: `byoshin up` and `byoshin simulate`
// as processes of their own.
#ifndef BYOSHIN_TESTS_BENCH_CLOUD_RUNS_H_
#define BYOSHIN_TESTS_BENCH_CLOUD_RUNS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::bench {

struct SlotRun {
  int expected = 0;
  int missing = 0;
  int twice = 0;
  // How late each slot was stored, and how late a thread was that does nothing
  // but wait for the same moments.
  std::vector<absl::Duration> lateness{};
  std::vector<absl::Duration> timer_lateness{};
  // Of the cloud's process, and with its functions'.
  double cloud_kib = 0;
  double all_kib = 0;
  // Cores: over the whole time, and while no slot was due.
  double cpu = 0;
  double idle_cpu = 0;
};

// From the next whole minute on. With 0 minutes, the schedule is fired at once,
// by hand, and its first slot is taken: what it shows is only that all works.
absl::StatusOr<SlotRun> MeasureSlots(int minutes);

struct StartRun {
  // From just before the process is made until the page and the API answer and
  // the schedule waits for its minute.
  absl::Duration ready;
  // From SIGINT, with the Sender and a slot under way, to the process' end.
  absl::Duration stop;
  // Of all that.
  absl::Duration cpu;
};
// `data_folder` stays, and has data if it was used before.
absl::StatusOr<StartRun> MeasureStart(const std::string& data_folder);

// Node.js from just before the process is made to its end, with a program that
// is empty: what is often there first.
absl::StatusOr<absl::Duration> MeasureNodeStart();

struct SimulationRun {
  int expected = 0;
  int missing = 0;
  int twice = 0;
  absl::Duration took;
  absl::Duration cpu;
};
absl::StatusOr<SimulationRun> MeasureSimulation(absl::Duration simulated);

}  // namespace byoshin::bench

#endif  // BYOSHIN_TESTS_BENCH_CLOUD_RUNS_H_

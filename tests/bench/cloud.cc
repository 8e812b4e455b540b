// The whole local cloud, from the template and the zips that AWS would get: how
// late slots are in real time, how long a simulated day takes, how fast it
// starts and stops, and what it uses. Prints Markdown tables.
//
//   ./bazelw run -c opt //tests/bench:cloud [-- FLAGS]
//
//   --minutes=3       real time in which slots are watched; 0: one slot, to
//                     see that the program works
//   --starts=9        processes started, with new and with old data each
//   --simulate=24h    simulated time

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/dashboard/quantiles.h"
#include "local/files/temporary_folder.h"
#include "tests/bench/cloud_runs.h"
#include "tests/bench/table.h"

namespace byoshin::bench {
namespace {

struct Options {
  int minutes = 3;
  int starts = 9;
  absl::Duration simulate = absl::Hours(24);
};

bool ReadFlag(absl::string_view flag, Options& options) {
  if (absl::ConsumePrefix(&flag, "--minutes=")) {
    return absl::SimpleAtoi(flag, &options.minutes) && options.minutes >= 0;
  }
  if (absl::ConsumePrefix(&flag, "--starts=")) {
    return absl::SimpleAtoi(flag, &options.starts) && options.starts > 0;
  }
  if (absl::ConsumePrefix(&flag, "--simulate=")) {
    return absl::ParseDuration(flag, &options.simulate) &&
           options.simulate >= absl::Minutes(1);
  }
  return false;
}

std::string LatenessColumns(std::vector<absl::Duration> lateness) {
  const local::dashboard::Quantiles quantiles =
      local::dashboard::QuantilesOf(lateness).value_or(
          local::dashboard::Quantiles());
  return absl::StrFormat(" %.2f | %.2f | %.2f |",
                         absl::ToDoubleMilliseconds(quantiles.p50),
                         absl::ToDoubleMilliseconds(quantiles.p99),
                         absl::ToDoubleMilliseconds(quantiles.max));
}

void PrintSlots(const SlotRun& run) {
  std::cout << "| slots in real time | due | missing | stored twice |"
               " late, p50 ms | p99 ms | max ms |\n"
               "|---|---:|---:|---:|---:|---:|---:|\n"
            << absl::StrFormat("| Byoshin | %d | %d | %d |%s\n", run.expected,
                               run.missing, run.twice,
                               LatenessColumns(run.lateness))
            << "| a thread that only waits | | | |"
            << LatenessColumns(run.timer_lateness) << "\n\n"
            << "| while it runs | MiB | % of a core | between slots |\n"
               "|---|---:|---:|---:|\n"
            << absl::StrFormat("| the cloud alone | %.1f | | |\n",
                               run.cloud_kib / 1024)
            << absl::StrFormat("| with its functions | %.1f | %.2f | %.2f |\n",
                               run.all_kib / 1024, 100 * run.cpu,
                               100 * run.idle_cpu)
            << std::endl;
}

void PrintSimulation(absl::Duration simulated, const SimulationRun& run) {
  std::cout << "| simulated | slots | missing | stored twice | s | CPU s |"
               " times real time |\n|---|---:|---:|---:|---:|---:|---:|\n"
            << absl::StrFormat("| %s | %d | %d | %d | %.1f | %.1f | %.0f× |\n",
                               absl::FormatDuration(simulated), run.expected,
                               run.missing, run.twice,
                               absl::ToDoubleSeconds(run.took),
                               absl::ToDoubleSeconds(run.cpu),
                               absl::FDivDuration(simulated, run.took))
            << std::endl;
}

// What is measured several times.
struct Series {
  std::string what;
  std::vector<double> ms{};

  void Add(absl::Duration duration) {
    ms.push_back(absl::ToDoubleMilliseconds(duration));
  }
};

void PrintSeries(const std::vector<Series>& all, const Series& baseline) {
  std::cout << "| | median ms | max ms | of Node.js' |\n|---|---:|---:|---:|\n";
  for (const Series& series : all) {
    std::cout << absl::StrFormat(
        "| %s | %.1f | %.1f | %.2f× |\n", series.what, Median(series.ms),
        *std::max_element(series.ms.begin(), series.ms.end()),
        Median(series.ms) / Median(baseline.ms));
  }
}

// The first round is thrown away: it reads the files from disk.
absl::Status MeasureStarts(int starts, const std::string& folder) {
  Series node{"Node.js 20 and an empty program, start to end"};
  Series fresh{"start to ready, new data folder"};
  Series again{"start to ready, with data"};
  Series stop{"SIGINT to end, slots under way"};
  Series fresh_cpu{"CPU time of a start and a stop, new data folder"};
  Series again_cpu{"CPU time of a start and a stop, with data"};
  for (int i = 0; i <= starts; ++i) {
    const std::string data = absl::StrCat(folder, "/", i);
    const absl::StatusOr<absl::Duration> node_run = MeasureNodeStart();
    if (!node_run.ok()) return node_run.status();
    const absl::StatusOr<StartRun> first = MeasureStart(data);
    if (!first.ok()) return first.status();
    const absl::StatusOr<StartRun> second = MeasureStart(data);
    if (!second.ok()) return second.status();
    if (i == 0) continue;
    node.Add(*node_run);
    fresh.Add(first->ready);
    again.Add(second->ready);
    stop.Add(first->stop);
    stop.Add(second->stop);
    fresh_cpu.Add(first->cpu);
    again_cpu.Add(second->cpu);
  }
  PrintSeries({fresh, again, stop, fresh_cpu, again_cpu, node}, node);
  return absl::OkStatus();
}

absl::Status MeasureStarts(int starts) {
  const absl::StatusOr<std::unique_ptr<local::TemporaryFolder>> folder =
      local::TemporaryFolder::Make();
  if (!folder.ok()) return folder.status();
  return MeasureStarts(starts, (*folder)->path());
}

absl::Status Main(const Options& options) {
  const absl::StatusOr<SlotRun> slots = MeasureSlots(options.minutes);
  if (!slots.ok()) return slots.status();
  PrintSlots(*slots);
  const absl::StatusOr<SimulationRun> simulation =
      MeasureSimulation(options.simulate);
  if (!simulation.ok()) return simulation.status();
  PrintSimulation(options.simulate, *simulation);
  return MeasureStarts(options.starts);
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  for (int i = 1; i < argc; ++i) {
    if (byoshin::bench::ReadFlag(argv[i], options)) continue;
    std::cerr << "usage: cloud [--minutes=N] [--starts=N] [--simulate=SPAN]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}

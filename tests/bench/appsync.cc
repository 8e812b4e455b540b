// AppSync of `byoshin up` beside @aws-amplify/amplify-appsync-simulator on
// Node.js 20, by turns, with the same schema: mutations, deliveries to
// subscribers (and what the system alone takes for them), a class of nodes, the
// memory of idle sockets. Prints Markdown tables. Ratios are of CPU time, but
// for latencies and memory.
//
//   ./bazelw run -c opt //tests/bench:appsync [-- DURATION [SOCKETS]]
//
// Each load runs for DURATION (default 3s); SOCKETS (default 5000) are idle.
// The simulator's table is the one of the cloud, whose CPU time does not count
// for it. //tests/bench:appsync_alone measures Byoshin without the simulator,
// which takes hundreds of megabytes to download.

#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "core/host/open_files.h"
#include "tests/bench/appsync_class.h"
#include "tests/bench/appsync_cloud.h"
#include "tests/bench/appsync_runs.h"
#include "tests/bench/bare_server.h"
#include "tests/bench/deliveries.h"
#include "tests/bench/graphql_wire.h"
#include "tests/bench/processors.h"
#include "tests/bench/server.h"
#include "tests/integration/node.h"

namespace byoshin::bench {
namespace {

struct Options {
  absl::Duration duration = absl::Seconds(3);
  int sockets = 5000;
};

constexpr char kGroup[] = "group";
constexpr int kAudiences[] = {1, 40, 400};
// Each once a second.
constexpr int kNodesThatReport[] = {10, 20, 40};
// They do it for as many durations: p99 is to be that of hundreds of reports.
constexpr int kRhythmTimes = 5;
constexpr char kSimulatorScript[] = "tests/bench/node/appsync_simulator.js";
constexpr char kSimulatorPackages[] = "../appsync_simulator/node_modules";
constexpr char kSimulatorKey[] = "bench-key";

// Null if the simulator is not among this program's files.
absl::StatusOr<std::unique_ptr<Server>> StartSimulator(
    const AppsyncCloud& cloud) {
  if (!std::filesystem::exists(kSimulatorPackages)) return nullptr;
  return Server::Start(
      {.argv = {integration::NodePath(), kSimulatorScript, kAppsyncTemplate,
                absl::StrCat("http://", cloud.server->host()), cloud.table},
       .environment = {{"NODE_PATH",
                        std::filesystem::absolute(kSimulatorPackages)},
                       {"NODE_ENV", "production"}},
       .health_path = "/api-config"});
}

// Behind the columns of each target: how many times the first one's value is
// the second one's, if there is a second.
std::string Ratio(const std::vector<double>& values) {
  if (values.size() < 2) return " |";
  return absl::StrFormat(" %.1f× |", values[0] / values[1]);
}

std::string Heading(const std::vector<GraphqlTarget>& targets,
                    const std::string& first,
                    const std::vector<std::string>& columns) {
  std::string names = absl::StrCat("| ", first, " |");
  std::string rule = "|---|";
  for (const GraphqlTarget& target : targets) {
    for (const std::string& column : columns) {
      absl::StrAppend(&names, " ", target.name, " ", column, " |");
      rule += "---:|";
    }
  }
  return absl::StrCat("\n", names, " ratio |\n", rule, "---:|\n");
}

absl::Status CompareMutations(const std::vector<GraphqlTarget>& targets,
                              absl::Duration duration) {
  std::cout << Heading(targets, "mutations, 32 connections",
                       {"/s", "per CPU s", "p50 ms", "p99 ms"});
  for (const auto& [mutation, what] :
       {std::pair{"report", "no data source"}, {"store", "DynamoDB"}}) {
    std::vector<double> values;
    std::cout << "| " << what << " |";
    for (const GraphqlTarget& target : targets) {
      const absl::StatusOr<Mutations> result =
          RunMutations(target, PlainGroup(kGroup, {mutation}), duration);
      if (!result.ok()) return result.status();
      values.push_back(result->per_cpu_second);
      std::cout << absl::StrFormat(
          " %.0f | %.0f | %s | %s |", result->load.per_second,
          result->per_cpu_second, Milliseconds(result->load.p50),
          Milliseconds(result->load.p99));
    }
    std::cout << Ratio(values) << "\n" << std::flush;
  }
  return absl::OkStatus();
}

absl::Status CompareDeliveries(const std::vector<GraphqlTarget>& targets,
                               absl::Duration duration) {
  std::cout << Heading(
      targets, "subscribers",
      {"mutations per CPU s", "deliveries per CPU s", "p50 ms", "p99 ms"});
  for (const int subscribers : kAudiences) {
    std::vector<double> values;
    std::cout << "| " << subscribers << " |";
    for (const GraphqlTarget& target : targets) {
      const absl::StatusOr<Deliveries> result = RunRounds(
          target,
          {.group = PlainGroup(kGroup, {"report"}), .subscribers = subscribers},
          duration);
      if (!result.ok()) return result.status();
      values.push_back(result->deliveries_per_cpu_second);
      std::cout << absl::StrFormat(
          " %.0f | %.0f | %s | %s |", result->mutations_per_cpu_second,
          result->deliveries_per_cpu_second, Milliseconds(result->p50),
          Milliseconds(result->p99));
    }
    std::cout << Ratio(values) << "\n" << std::flush;
  }
  return absl::OkStatus();
}

// What the system alone takes for as many deliveries.
absl::Status MeasureBareSockets(absl::Duration duration) {
  std::cout << "\n| subscribers of bare sockets | p50 ms | p99 ms |\n"
               "|---|---:|---:|\n";
  for (const int subscribers : kAudiences) {
    const absl::StatusOr<std::unique_ptr<BareServer>> server =
        BareServer::Start();
    if (!server.ok()) return server.status();
    const absl::StatusOr<Deliveries> result = RunRounds(
        (*server)->target(),
        {.group = PlainGroup(kGroup, {"report"}), .subscribers = subscribers},
        duration);
    if (!result.ok()) return result.status();
    std::cout << absl::StrFormat("| %d | %s | %s |\n", subscribers,
                                 Milliseconds(result->p50),
                                 Milliseconds(result->p99))
              << std::flush;
  }
  return absl::OkStatus();
}

// What 400 subscribers wait for if nodes report in their own rhythm, instead of
// one after the other.
absl::Status CompareRhythms(const std::vector<GraphqlTarget>& targets,
                            absl::Duration duration) {
  std::cout << Heading(targets, "reports per s to 400",
                       {"deliveries per CPU s", "p50 ms", "p99 ms", "max ms"});
  for (const int nodes : kNodesThatReport) {
    std::vector<double> latencies;
    std::cout << "| " << nodes << " |";
    for (const GraphqlTarget& target : targets) {
      const SeparateProcessors separate(target.process);
      const absl::StatusOr<Deliveries> result =
          RunClass(target,
                   {.group = PlainGroup(kGroup, {"report"}),
                    .nodes = nodes,
                    .reports_per_second = 1,
                    .listeners = 400 - nodes},
                   duration * kRhythmTimes);
      if (!result.ok()) return result.status();
      latencies.push_back(absl::ToDoubleMilliseconds(result->p99));
      std::cout << absl::StrFormat(
          " %.0f | %s | %s | %s |", result->deliveries_per_cpu_second,
          Milliseconds(result->p50), Milliseconds(result->p99),
          Milliseconds(result->max));
    }
    // Of p99, where less is better.
    std::cout << Ratio({latencies.rbegin(), latencies.rend()}) << "\n"
              << std::flush;
  }
  return absl::OkStatus();
}

// Of Byoshin alone: the simulator can't follow.
absl::Status MeasureClass(const GraphqlTarget& target,
                          absl::Duration duration) {
  return PrintClasses(target,
                      {{.group = PlainGroup(kGroup, {"store"}),
                        .other_group = PlainGroup("another", {"store"})}},
                      duration, std::cout);
}

absl::Status CompareMemory(const std::vector<GraphqlTarget>& targets,
                           int sockets) {
  std::cout << Heading(targets, "idle sockets", {"KiB a socket"});
  std::cout << "| " << sockets << " |";
  std::vector<double> values;
  for (const GraphqlTarget& target : targets) {
    const absl::StatusOr<double> each = MeasureIdleSockets(
        target, PlainGroup(kGroup, {"report"}).subscribe, sockets);
    if (!each.ok()) return each.status();
    values.push_back(*each);
    std::cout << absl::StrFormat(" %.1f |", *each);
  }
  std::cout << Ratio(values) << "\n" << std::flush;
  return absl::OkStatus();
}

absl::Status Main(const Options& options) {
  // One for each socket, here and in the servers, which inherit the limit.
  host::AllowManyOpenFiles();
  const absl::StatusOr<AppsyncCloud> cloud = StartAppsyncCloud();
  if (!cloud.ok()) return cloud.status();
  std::vector<GraphqlTarget> targets = {cloud->api};
  const absl::StatusOr<std::unique_ptr<Server>> simulator =
      StartSimulator(*cloud);
  if (!simulator.ok()) return simulator.status();
  if (*simulator != nullptr) {
    targets.push_back({.name = "simulator",
                       .port = (*simulator)->port(),
                       .path = "/graphql",
                       .key = kSimulatorKey,
                       .process = (*simulator)->pid()});
  }
  absl::Status status = CompareMutations(targets, options.duration);
  if (status.ok()) status = CompareDeliveries(targets, options.duration);
  if (status.ok()) status = MeasureBareSockets(options.duration);
  if (status.ok()) status = CompareRhythms(targets, options.duration);
  if (status.ok()) status = MeasureClass(targets.front(), options.duration);
  if (status.ok()) status = CompareMemory(targets, options.sockets);
  return status;
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  if ((argc > 1 && !absl::ParseDuration(argv[1], &options.duration)) ||
      (argc > 2 && !absl::SimpleAtoi(argv[2], &options.sockets)) || argc > 3 ||
      options.duration <= absl::ZeroDuration() || options.sockets < 1) {
    std::cerr << "usage: appsync [DURATION [SOCKETS]]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}

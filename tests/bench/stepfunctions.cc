// Executions of state machines: Byoshin's interpreter alone beside npm's
// aws-local-stepfunctions on Node.js 20, by turns, both in process and in
// memory; and Step Functions of `byoshin up`, durable, over HTTP with signed
// requests. Prints Markdown tables. The ratio is one of CPU time.
//
//   ./bazelw run -c opt //tests/bench:stepfunctions [-- DURATION [WAITING]]
//
// Each load runs for DURATION (default 3s) with 1 and with 32 starters; WAITING
// executions (default 10000) show what one that waits takes in memory.

#include <json/json.h>

#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "tests/bench/load.h"
#include "tests/bench/server.h"
#include "tests/bench/stepfunctions_runs.h"
#include "tests/integration/node.h"
#include "tests/integration/process.h"

namespace byoshin::bench {
namespace {

struct Options {
  absl::Duration duration = absl::Seconds(3);
  int waiting = 10000;
};

constexpr int kStarters[] = {1, 32};
constexpr char kTemplate[] = "tests/bench/stepfunctions.template.json";
constexpr char kNodeScript[] = "tests/bench/node/stepfunctions.js";

struct NamedMachine {
  std::string what{};
  Machine machine{};
};

absl::StatusOr<Machine> ReadMachine(const std::string& name,
                                    const std::string& input) {
  absl::StatusOr<std::string> definition = ReadDefinition(kTemplate, name);
  if (!definition.ok()) return definition.status();
  return Machine{
      .name = name, .definition = *std::move(definition), .input = input};
}

// What the script prints, with these arguments behind the machine's.
absl::StatusOr<Json::Value> AskNode(const Machine& machine,
                                    const std::vector<std::string>& arguments) {
  std::vector<std::string> argv = {integration::NodePath(), kNodeScript,
                                   kTemplate, machine.name, machine.input};
  argv.insert(argv.end(), arguments.begin(), arguments.end());
  std::map<std::string, std::string> environment =
      integration::NodeEnvironment();
  environment["NODE_ENV"] = "production";
  absl::StatusOr<std::unique_ptr<integration::Process>> node =
      integration::Process::Start(
          {.argv = std::move(argv), .environment = std::move(environment)});
  if (!node.ok()) return node.status();
  absl::StatusOr<std::string> line = (*node)->AwaitLine("{\"");
  if (!line.ok()) return line.status();
  std::istringstream text(*line);
  Json::Value json;
  text >> json;
  return json;
}

absl::StatusOr<ExecutionsResult> RunNode(const Machine& machine, int starters,
                                         absl::Duration duration) {
  absl::StatusOr<Json::Value> json =
      AskNode(machine, {absl::StrCat(starters),
                        absl::StrCat(absl::ToInt64Milliseconds(duration))});
  if (!json.ok()) return json.status();
  const auto milliseconds = [&json](const char* name) {
    return absl::Milliseconds((*json)[name].asDouble());
  };
  return ExecutionsResult{
      .load = {.per_second = (*json)["perSecond"].asDouble(),
               .p50 = milliseconds("p50"),
               .p99 = milliseconds("p99"),
               .max = milliseconds("max")},
      .per_cpu_second = (*json)["perCpuSecond"].asDouble()};
}

absl::StatusOr<std::unique_ptr<Server>> StartCloud() {
  return Server::Start({.argv = {"byoshin", "up", "--port=0", "--api-port=0",
                                 absl::StrCat("--template=", kTemplate)},
                        .data_flag = "--data=",
                        .health_path = "/_byoshin/health"});
}

std::string Milliseconds(absl::Duration duration) {
  return absl::StrFormat("%.3f", absl::ToDoubleMilliseconds(duration));
}

std::string Columns(const ExecutionsResult& result) {
  return absl::StrFormat(
      " %.0f | %.0f | %s | %s | %s |", result.load.per_second,
      result.per_cpu_second, Milliseconds(result.load.p50),
      Milliseconds(result.load.p99), Milliseconds(result.load.max));
}

constexpr char kColumns[] = " /s | per CPU s | p50 ms | p99 ms | max ms |";

absl::Status CompareInterpreters(const std::vector<NamedMachine>& machines,
                                 absl::Duration duration) {
  std::cout << "| the interpreter alone | starters | Byoshin" << kColumns
            << " aws-local-stepfunctions" << kColumns << " ratio |\n"
            << "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|"
               "---:|\n";
  for (const NamedMachine& named : machines) {
    for (const int starters : kStarters) {
      const absl::StatusOr<ExecutionsResult> ours =
          RunInterpreter(named.machine, starters, duration);
      if (!ours.ok()) return ours.status();
      const absl::StatusOr<ExecutionsResult> node =
          RunNode(named.machine, starters, duration);
      if (!node.ok()) return node.status();
      std::cout << "| " << named.what << " | " << starters << " |"
                << Columns(*ours) << Columns(*node)
                << absl::StrFormat(" %.1f× |\n",
                                   ours->per_cpu_second / node->per_cpu_second)
                << std::flush;
    }
  }
  return absl::OkStatus();
}

absl::Status MeasureService(const std::vector<NamedMachine>& machines,
                            absl::Duration duration) {
  const absl::StatusOr<std::unique_ptr<Server>> cloud = StartCloud();
  if (!cloud.ok()) return cloud.status();
  std::cout << "\n| over HTTP, durable | starters | Byoshin" << kColumns
            << "\n|---|---:|---:|---:|---:|---:|---:|\n";
  for (const NamedMachine& named : machines) {
    for (const int starters : kStarters) {
      const absl::StatusOr<ExecutionsResult> result =
          RunExecutions(**cloud, named.machine, starters, duration);
      if (!result.ok()) return result.status();
      std::cout << "| " << named.what << " | " << starters << " |"
                << Columns(*result) << "\n"
                << std::flush;
    }
  }
  return absl::OkStatus();
}

std::string MemoryRow(const std::string& what, int count, double before_kib,
                      double after_kib) {
  return absl::StrFormat("| %s | %d | %.1f | %.1f | %.2f |\n", what, count,
                         before_kib / 1024, after_kib / 1024,
                         (after_kib - before_kib) / count);
}

absl::Status MeasureWaiting(int count) {
  const absl::StatusOr<Machine> machine = ReadMachine("Waiting", "{}");
  if (!machine.ok()) return machine.status();
  const absl::StatusOr<std::unique_ptr<Server>> cloud = StartCloud();
  if (!cloud.ok()) return cloud.status();
  // The first one brings what all of them need.
  absl::Status started = StartExecutions(**cloud, *machine, 1);
  if (!started.ok()) return started;
  const double before = (*cloud)->ResidentKib();
  started = StartExecutions(**cloud, *machine, count);
  if (!started.ok()) return started;
  const double after = (*cloud)->ResidentKib();
  const absl::StatusOr<Json::Value> node =
      AskNode(*machine, {absl::StrCat(count)});
  if (!node.ok()) return node.status();
  std::cout
      << "\n| executions that wait | number | MiB before | MiB with them |"
         " KiB an execution |\n|---|---:|---:|---:|---:|\n"
      << MemoryRow("Byoshin", count, before, after)
      << MemoryRow("aws-local-stepfunctions", count,
                   (*node)["before"].asDouble(), (*node)["after"].asDouble());
  return absl::OkStatus();
}

absl::Status Main(const Options& options) {
  const absl::StatusOr<Machine> five_pass = ReadMachine(
      "FivePass", R"({"order":{"id":"o-1","lines":[{"sku":"a","n":2}]}})");
  if (!five_pass.ok()) return five_pass.status();
  const absl::StatusOr<Machine> generation = ReadMachine(
      "Generation", R"({"processId":"5b0bcf4e-9f3f-4d52-8f57-8a2f1f9f7c11",)"
                    R"("type":"TASK_GENERATION"})");
  if (!generation.ok()) return generation.status();
  const std::vector<NamedMachine> machines = {
      {"five Pass states", *five_pass},
      {"generation, instant tasks", *generation}};
  absl::Status status = CompareInterpreters(machines, options.duration);
  if (status.ok()) status = MeasureService(machines, options.duration);
  if (!status.ok()) return status;
  return MeasureWaiting(options.waiting);
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  if ((argc > 1 && !absl::ParseDuration(argv[1], &options.duration)) ||
      (argc > 2 && !absl::SimpleAtoi(argv[2], &options.waiting)) || argc > 3 ||
      options.duration <= absl::ZeroDuration() || options.waiting < 1) {
    std::cerr << "usage: stepfunctions [DURATION [WAITING]]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}

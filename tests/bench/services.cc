// The local cloud beside dynalite (DynamoDB, on disk) and sqslite (SQS, in
// memory), both from npm on Node.js 20: the same load, from the same generator,
// on the same machine, by turns in one run. Prints Markdown tables.
//
//   ./bazelw run -c opt //tests/bench:services [-- DURATION [STARTS]]
//
// Each load runs for DURATION (default 3s) on 1 and on 64 connections. Start-up
// is the median of STARTS processes (default 15).

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <iostream>
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
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "tests/bench/connection.h"
#include "tests/bench/load.h"
#include "tests/bench/server.h"
#include "tests/bench/table.h"
#include "tests/bench/wire.h"
#include "tests/bench/workloads.h"
#include "tests/integration/node.h"

namespace byoshin::bench {
namespace {

struct Options {
  absl::Duration duration = absl::Seconds(3);
  int starts = 15;
};

constexpr int kConnections[] = {1, 64};
// More than any server here does: puts are signed beforehand.
constexpr int kMaxPutsPerSecond = 40000;

// A server that is measured, and how it came out.
struct Candidate {
  std::string name;
  Server::Options options;
  std::vector<double> ready_ms;
  double idle_mib = 0;
  double loaded_mib = 0;
};

Candidate Byoshin() {
  Candidate candidate;
  candidate.name = "Byoshin";
  candidate.options.argv = {"local/serve", "--port=0"};
  candidate.options.data_flag = "--data=";
  candidate.options.health_path = "/_byoshin/health";
  return candidate;
}

// It gets its data folder as an argument, which a server in memory ignores.
Candidate NodeServer(std::string name) {
  Candidate candidate;
  candidate.options.argv = {
      integration::NodePath(),
      absl::StrCat("tests/bench/node/", name, "_server.js")};
  candidate.name = std::move(name);
  candidate.options.environment = integration::NodeEnvironment();
  candidate.options.environment["NODE_ENV"] = "production";
  return candidate;
}

double Mib(double kib) { return kib / 1024; }

// To be called after a start that is not measured: the first one reads the
// files from disk.
absl::Status MeasureStarts(int starts, Candidate& candidate) {
  std::vector<double> idle;
  for (int i = 0; i < starts; ++i) {
    absl::StatusOr<std::unique_ptr<Server>> server =
        Server::Start(candidate.options);
    if (!server.ok()) return server.status();
    candidate.ready_ms.push_back(
        absl::ToDoubleMilliseconds((*server)->ready_after()));
    idle.push_back(Mib((*server)->ResidentKib()));
  }
  candidate.idle_mib = Median(idle);
  return absl::OkStatus();
}

using MakeWorkload = std::function<Workload(const Signer& signer)>;

absl::StatusOr<LoadResult> Measure(const Server& server,
                                   const std::string& service,
                                   const MakeWorkload& make,
                                   const LoadOptions& options) {
  const Signer signer({.host = server.host(), .service = service});
  const Workload workload = make(signer);
  absl::StatusOr<Connection> connection = Connection::Open(server.port());
  if (!connection.ok()) return connection.status();
  if (absl::Status status = workload.prepare(*connection); !status.ok()) {
    return status;
  }
  return RunLoad(options, workload.start);
}

std::string Milliseconds(absl::Duration duration) {
  return absl::StrFormat("%.2f", absl::ToDoubleMilliseconds(duration));
}

std::string Columns(const std::optional<LoadResult>& result) {
  if (!result.has_value()) return " — | | | |";
  return absl::StrFormat(" %.0f | %s | %s | %s |", result->per_second,
                         Milliseconds(result->p50), Milliseconds(result->p99),
                         Milliseconds(result->max));
}

// One service on both sides, and the loads it is measured under.
struct Comparison {
  std::string service;
  Candidate& ours;
  Candidate& peer;
  struct Load {
    std::string name;
    MakeWorkload make;
    bool peer_has_it = true;
  };
  std::vector<Load> loads;
};

absl::Status Compare(const Comparison& comparison, const Options& options) {
  absl::StatusOr<std::unique_ptr<Server>> ours =
      Server::Start(comparison.ours.options);
  if (!ours.ok()) return ours.status();
  absl::StatusOr<std::unique_ptr<Server>> peer =
      Server::Start(comparison.peer.options);
  if (!peer.ok()) return peer.status();

  std::cout << "| " << comparison.service << " | connections | "
            << comparison.ours.name << " /s | p50 ms | p99 ms | max ms | "
            << comparison.peer.name
            << " /s | p50 ms | p99 ms | max ms | ratio |\n"
            << "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const Comparison::Load& load : comparison.loads) {
    for (const int connections : kConnections) {
      LoadOptions run{.port = (*ours)->port(),
                      .connections = connections,
                      .duration = options.duration};
      absl::StatusOr<LoadResult> our_result =
          Measure(**ours, comparison.service, load.make, run);
      if (!our_result.ok()) return our_result.status();
      std::optional<LoadResult> peer_result;
      if (load.peer_has_it) {
        run.port = (*peer)->port();
        absl::StatusOr<LoadResult> result =
            Measure(**peer, comparison.service, load.make, run);
        if (!result.ok()) return result.status();
        peer_result = *result;
      }
      std::cout << "| " << load.name << " | " << connections << " |"
                << Columns(*our_result) << Columns(peer_result)
                << (peer_result.has_value()
                        ? absl::StrFormat(
                              " %.1f× |\n",
                              our_result->per_second / peer_result->per_second)
                        : " |\n")
                << std::flush;
    }
  }
  for (auto& [candidate, server] :
       {std::pair<Candidate&, Server&>(comparison.ours, **ours),
        std::pair<Candidate&, Server&>(comparison.peer, **peer)}) {
    candidate.loaded_mib =
        std::max(candidate.loaded_mib, Mib(server.PeakKib()));
  }
  return absl::OkStatus();
}

void PrintCandidates(const std::vector<Candidate>& candidates) {
  std::cout << "\n| | exec to first health check, ms | idle, MiB |"
               " peak under load, MiB |\n|---|---:|---:|---:|\n";
  for (const Candidate& candidate : candidates) {
    std::cout << absl::StrFormat("| %s | %.1f | %.1f | %.1f |\n",
                                 candidate.name, Median(candidate.ready_ms),
                                 candidate.idle_mib, candidate.loaded_mib);
  }
}

absl::Status Main(const Options& options) {
  Candidate ours = Byoshin();
  Candidate dynalite = NodeServer("dynalite");
  Candidate sqslite = NodeServer("sqslite");
  // It knows its queues by URLs at this name only.
  sqslite.options.host_name = "localhost";
  const int puts =
      1000 + static_cast<int>(kMaxPutsPerSecond *
                              absl::ToDoubleSeconds(options.duration));
  absl::Status status =
      Compare({.service = "dynamodb",
               .ours = ours,
               .peer = dynalite,
               .loads = {{"conditional PutItem",
                          [puts](const Signer& signer) {
                            return ConditionalPuts(signer, puts);
                          }},
                         {"GetItem", Gets},
                         {"Query of 100 items", Queries}}},
              options);
  if (!status.ok()) return status;
  std::cout << "\n";
  const auto with = [](Workload (*make)(const Signer&, SqsProtocol),
                       SqsProtocol protocol) {
    return [make, protocol](const Signer& signer) {
      return make(signer, protocol);
    };
  };
  status = Compare(
      {.service = "sqs",
       .ours = ours,
       .peer = sqslite,
       .loads = {{"SendMessage, Query protocol",
                  with(Sends, SqsProtocol::kQuery)},
                 {"SendMessage, JSON", with(Sends, SqsProtocol::kJson), false},
                 {"Send, Receive, Delete, Query protocol",
                  with(Cycles, SqsProtocol::kQuery)},
                 {"Send, Receive, Delete, JSON",
                  with(Cycles, SqsProtocol::kJson), false},
                 {"SendMessage, FIFO", FifoSends, false},
                 {"Send, Receive, Delete, FIFO", FifoCycles, false}}},
      options);
  if (!status.ok()) return status;
  for (Candidate* candidate : {&ours, &dynalite, &sqslite}) {
    status = MeasureStarts(options.starts, *candidate);
    if (!status.ok()) return status;
  }
  PrintCandidates({ours, dynalite, sqslite});
  return absl::OkStatus();
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  if ((argc > 1 && !absl::ParseDuration(argv[1], &options.duration)) ||
      (argc > 2 && !absl::SimpleAtoi(argv[2], &options.starts)) || argc > 3 ||
      options.duration <= absl::ZeroDuration() || options.starts < 1) {
    std::cerr << "usage: services [DURATION [STARTS]]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}

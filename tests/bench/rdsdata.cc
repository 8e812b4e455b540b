// ExecuteStatement over HTTP with signed requests, beside plain libpq on the
// same server, by turns. Prints a Markdown table.
//
//   ./bazelw run -c opt //tests/bench:rdsdata [-- DURATION]
//
// Each load runs for DURATION (default 3s) with 1 and with 32 connections. The
// statement reads a row by its key, with a parameter. The cloud, its clients
// and libpq's threads are one process; PostgreSQL is another.

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/time/real_clock.h"
#include "local/cloud/cloud.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/postgres_client/connection.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/module.h"
#include "local/rdsdata/testing/test_clusters.h"
#include "local/secretsmanager/secrets.h"
#include "tests/bench/load.h"
#include "tests/bench/wire.h"

namespace byoshin::bench {
namespace {

using local::postgres_client::Connection;
using local::postgres_client::Result;

constexpr int kConnections[] = {1, 32};
constexpr char kExpected[] = "value 7";
constexpr char kSetUp[] =
    "CREATE TABLE bench AS SELECT n::int8 AS id, 'value ' || n AS value "
    "FROM generate_series(1, 10000) AS n; ALTER TABLE bench ADD PRIMARY KEY "
    "(id); ANALYZE bench";

// Offers a server that is here already to the Data API.
local::cloud::ModuleSpec Databases(local::rdsdata::TestClusters& clusters,
                                   local::rdsdata::TestSecrets& secrets) {
  return {.name = "databases",
          .open = [&clusters, &secrets](local::cloud::Host& host)
              -> absl::StatusOr<std::unique_ptr<local::cloud::Module>> {
            host.Offer<local::rds::Clusters>(clusters);
            host.Offer<local::secretsmanager::Secrets>(secrets);
            return std::make_unique<local::cloud::Module>();
          }};
}

absl::StatusOr<std::unique_ptr<Connection>> Connect(
    local::rdsdata::TestClusters& clusters) {
  const absl::StatusOr<local::rds::Keywords> keywords = clusters.Connectable(
      local::rdsdata::kTestCluster, clusters.superuser("postgres"));
  if (!keywords.ok()) return keywords.status();
  return Connection::Connect({.keywords = *keywords});
}

// Sends the same request again and again.
class Statements final : public Conversation {
 public:
  explicit Statements(std::string request) : request_(std::move(request)) {}

  absl::string_view Next() override { return request_; }
  absl::StatusOr<bool> Take(const WireAnswer& answer) override {
    if (answer.status == 200 && absl::StrContains(answer.body, kExpected)) {
      return true;
    }
    return absl::InternalError(absl::StrCat(answer.status, " ", answer.body));
  }

 private:
  const std::string request_;
};

std::string ExecuteRequest(int port) {
  const Signer signer(
      {.host = absl::StrCat("127.0.0.1:", port), .service = "rds-data"});
  return signer.RestRequest(
      "/Execute",
      absl::StrCat(R"({"resourceArn":")", local::rdsdata::kTestCluster,
                   R"(","secretArn":")", local::rdsdata::kTestSecret,
                   R"(","database":"postgres",)"
                   R"("sql":"SELECT value FROM bench WHERE id = :id",)"
                   R"("parameters":[{"name":"id","value":{"longValue":7}}]})"));
}

// Executes the statement on a connection until `end`, and until it was measured
// once; the durations of those that began after `from`, or none after an error.
std::vector<absl::Duration> RunPlain(Connection& connection, absl::Time from,
                                     absl::Time end) {
  std::vector<absl::Duration> durations;
  for (absl::Time begun = absl::Now(); begun < end || durations.empty();) {
    const absl::StatusOr<Result> result = connection.Execute(
        "SELECT value FROM bench WHERE id = $1", {{.value = "7", .type = 20}});
    if (!result.ok() || result->Text(0, 0) != kExpected) return {};
    const absl::Time now = absl::Now();
    if (begun >= from) durations.push_back(now - begun);
    begun = now;
  }
  return durations;
}

absl::StatusOr<LoadResult> PlainLoad(local::rdsdata::TestClusters& clusters,
                                     int connections, absl::Duration duration) {
  std::vector<std::unique_ptr<Connection>> open;
  for (int i = 0; i < connections; ++i) {
    absl::StatusOr<std::unique_ptr<Connection>> one = Connect(clusters);
    if (!one.ok()) return one.status();
    open.push_back(*std::move(one));
  }
  const absl::Time from = absl::Now() + duration / 5;
  const absl::Time end = absl::Now() + duration;
  std::vector<std::vector<absl::Duration>> each(connections);
  std::vector<std::thread> threads;
  for (int i = 0; i < connections; ++i) {
    threads.emplace_back([&, i] { each[i] = RunPlain(*open[i], from, end); });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<absl::Duration> all;
  for (const std::vector<absl::Duration>& durations : each) {
    if (durations.empty()) return absl::InternalError("a statement failed");
    all.insert(all.end(), durations.begin(), durations.end());
  }
  std::sort(all.begin(), all.end());
  return LoadResult{.per_second = static_cast<double>(all.size()) /
                                  absl::ToDoubleSeconds(end - from),
                    .p50 = all[all.size() / 2],
                    .p99 = all[all.size() * 99 / 100],
                    .max = all.back()};
}

std::string Columns(const LoadResult& result) {
  return absl::StrFormat(" %.0f | %.3f | %.3f |", result.per_second,
                         absl::ToDoubleMilliseconds(result.p50),
                         absl::ToDoubleMilliseconds(result.p99));
}

absl::Status Main(absl::Duration duration) {
  local::rdsdata::TestClusters clusters;
  local::rdsdata::TestSecrets secrets;
  {
    const absl::StatusOr<std::unique_ptr<Connection>> connection =
        Connect(clusters);
    if (!connection.ok()) return connection.status();
    const absl::StatusOr<Result> made = (*connection)->ExecuteScript(kSetUp);
    if (!made.ok()) return made.status();
  }
  time::RealClock clock;
  const absl::StatusOr<std::unique_ptr<local::cloud::Cloud>> cloud =
      local::cloud::Cloud::Start(
          {.gateway = {.port = 0}},
          {Databases(clusters, secrets), local::rdsdata::RdsDataModule()},
          clock);
  if (!cloud.ok()) return cloud.status();
  const int port = (*cloud)->port();
  std::cout << "| a row by its key | connections | Data API /s | p50 ms | "
               "p99 ms | libpq /s | p50 ms | p99 ms | ratio |\n"
               "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n";
  for (const int connections : kConnections) {
    const absl::StatusOr<LoadResult> plain =
        PlainLoad(clusters, connections, duration);
    if (!plain.ok()) return plain.status();
    const absl::StatusOr<LoadResult> api = RunLoad(
        {.port = port, .connections = connections, .duration = duration},
        [port](int) {
          return std::make_unique<Statements>(ExecuteRequest(port));
        });
    if (!api.ok()) return api.status();
    std::cout << "| SELECT | " << connections << " |" << Columns(*api)
              << Columns(*plain)
              << absl::StrFormat(" %.2f× |\n",
                                 api->per_second / plain->per_second)
              << std::flush;
  }
  return absl::OkStatus();
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  absl::Duration duration = absl::Seconds(3);
  if (argc > 2 || (argc == 2 && !absl::ParseDuration(argv[1], &duration))) {
    std::cerr << "usage: rdsdata [DURATION]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(duration);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << std::endl;
  return EXIT_FAILURE;
}

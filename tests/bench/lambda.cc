// Byoshin's Sender and Collector, and the StatusCheckHandler of asynchronous
// generation, beside functions that do the same in Node.js
// 20 with the AWS SDK, on the same machine, against the same endpoints, in one
// run. Prints a Markdown table.
//
//   ./bazelw run -c opt //tests/bench:lambda [-- COLD_STARTS [DURATION]]
//
// COLD_STARTS processes are started of each function, by turns (default 15);
// their figures are medians. One more is kept busy for DURATION (default 3s).

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "tests/bench/measure.h"
#include "tests/bench/table.h"
#include "tests/integration/aws_endpoint.h"
#include "tests/integration/fake_dynamodb.h"
#include "tests/integration/fake_sqs.h"
#include "tests/integration/lambda_package.h"
#include "tests/integration/mock_api.h"
#include "tests/integration/node.h"
#include "tests/integration/sqs_event.h"

namespace byoshin::bench {
namespace {

using integration::AwsEndpoint;
using integration::FakeSqs;
using integration::LambdaPackage;
using integration::MockApi;

struct Options {
  int cold_starts = 15;
  absl::Duration warm = absl::Seconds(3);
};

// The same function twice.
struct Pair {
  std::string name;
  Function ours;
  Function node;
  double our_zip_bytes = 0;
  double node_zip_bytes = 0;
};

// What is measured of one function.
struct Figures {
  std::vector<double> first_response_ms;
  std::vector<double> resident_mib;
  std::vector<double> peak_mib;
  WarmRun warm;
};

double Mib(double kib) { return kib / 1024; }

absl::Status AddColdStart(const Function& function, Figures& figures) {
  absl::StatusOr<ColdStart> cold = MeasureColdStart(function);
  if (!cold.ok()) return cold.status();
  figures.first_response_ms.push_back(
      absl::ToDoubleMilliseconds(cold->first_response));
  figures.resident_mib.push_back(Mib(cold->memory.resident));
  figures.peak_mib.push_back(Mib(cold->memory.peak));
  return absl::OkStatus();
}

absl::Status MeasureInto(const Function& function, absl::Duration duration,
                         WarmRun& warm) {
  absl::StatusOr<WarmRun> run = MeasureWarmRun(function, duration);
  if (!run.ok()) return run.status();
  warm = *run;
  return absl::OkStatus();
}

absl::StatusOr<std::vector<Row>> Compare(const Pair& pair,
                                         const Options& options) {
  Figures ours;
  Figures node;
  // The first of each is thrown away: it reads the files from disk.
  for (int i = 0; i <= options.cold_starts; ++i) {
    if (i == 1) ours = node = {};
    absl::Status status = AddColdStart(pair.ours, ours);
    status.Update(AddColdStart(pair.node, node));
    if (!status.ok()) return status;
  }
  absl::Status status = MeasureInto(pair.ours, options.warm, ours.warm);
  status.Update(MeasureInto(pair.node, options.warm, node.warm));
  if (!status.ok()) return status;

  const auto row = [&](absl::string_view what, absl::string_view unit,
                       double our_figure, double node_figure) {
    return Row{.what = absl::StrCat(pair.name, ": ", what),
               .unit = std::string(unit),
               .ours = our_figure,
               .node = node_figure};
  };
  std::vector<Row> rows = {
      row("exec to first response", "ms", Median(ours.first_response_ms),
          Median(node.first_response_ms)),
      row("RSS after the first response", "MiB", Median(ours.resident_mib),
          Median(node.resident_mib)),
      row("peak RSS until then", "MiB", Median(ours.peak_mib),
          Median(node.peak_mib)),
      row("peak RSS under load", "MiB", Mib(ours.warm.memory.peak),
          Mib(node.warm.memory.peak)),
      row("warm invocations", "/s", ours.warm.invocations_per_second,
          node.warm.invocations_per_second),
      row("zip", "MiB", Mib(pair.our_zip_bytes / 1024),
          Mib(pair.node_zip_bytes / 1024)),
  };
  rows[4].better = Row::Direction::kMore;
  return rows;
}

absl::StatusOr<double> FileBytes(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  if (error) {
    return absl::NotFoundError(absl::StrCat(path, ": ", error.message()));
  }
  return static_cast<double>(size);
}

struct Job {
  std::string name;
  std::map<std::string, std::string> variables;
  std::function<std::string(int n)> event;
  std::function<bool(const std::string& response)> is_done;
};

absl::StatusOr<Pair> MakePair(const Job& job, const LambdaPackage& package) {
  const std::string node_folder = absl::StrCat("tests/bench/node_", job.name);
  absl::StatusOr<double> node_zip =
      FileBytes(absl::StrCat(node_folder, ".zip"));
  if (!node_zip.ok()) return node_zip.status();
  Pair pair;
  pair.name = job.name;
  pair.ours = {
      .process = {.argv = {package.bootstrap()}, .variables = job.variables},
      .event = job.event,
      .is_done = job.is_done};
  pair.node = pair.ours;
  pair.node.process.argv = {integration::NodePath(),
                            "tests/bench/node/runtime.js",
                            absl::StrCat(node_folder, "/index.js")};
  pair.node.process.variables["NODE_ENV"] = "production";
  pair.our_zip_bytes = static_cast<double>(package.zip_bytes());
  pair.node_zip_bytes = *node_zip;
  return pair;
}

absl::StatusOr<std::vector<Row>> CompareSenders(const Options& options) {
  absl::StatusOr<LambdaPackage> package =
      LambdaPackage::Unpack("lambdas/sender.zip");
  if (!package.ok()) return package.status();
  absl::StatusOr<std::unique_ptr<FakeSqs>> sqs = FakeSqs::Start();
  if (!sqs.ok()) return sqs.status();
  absl::StatusOr<Pair> pair = MakePair(
      {.name = "sender",
       .variables = {{scheduler::kQueueUrlVariable, (*sqs)->queue_url()},
                     {"AWS_ENDPOINT_URL_SQS", (*sqs)->endpoint().url()}},
       .event = [](int) { return R"({"time":"2025-12-02T10:23:00Z"})"; },
       .is_done = [](const std::string& response) { return response != ""; }},
      *package);
  if (!pair.ok()) return pair.status();
  return Compare(*pair, options);
}

absl::StatusOr<std::vector<Row>> CompareCollectors(const Options& options) {
  absl::StatusOr<LambdaPackage> package =
      LambdaPackage::Unpack("lambdas/collector.zip");
  if (!package.ok()) return package.status();
  absl::StatusOr<std::unique_ptr<AwsEndpoint>> dynamodb =
      integration::StartFakeDynamoDb();
  if (!dynamodb.ok()) return dynamodb.status();
  absl::StatusOr<std::unique_ptr<MockApi>> api = MockApi::Start();
  if (!api.ok()) return api.status();
  absl::StatusOr<Pair> pair = MakePair(
      {.name = "collector",
       .variables = {{scheduler::kApiBaseUrlVariable, (*api)->url()},
                     {scheduler::kTableNameVariable,
                      scheduler::kMetricsTableName},
                     {"AWS_ENDPOINT_URL_DYNAMODB", (*dynamodb)->url()}},
       .event =
           [](int n) {
             return integration::SqsEvent(
                 {{"id", integration::SlotBody(absl::FromUnixSeconds(0) +
                                               n * scheduler::kSlotInterval)}});
           },
       .is_done =
           [](const std::string& response) {
             return response == R"({"batchItemFailures":[]})";
           }},
      *package);
  if (!pair.ok()) return pair.status();
  return Compare(*pair, options);
}

// The Data API with one process, whatever the statement.
http::ServerResponse ShowProcess() {
  constexpr char kRecord[] =
      R"([{"stringValue":"8476a536-e9f4-41e8-9739-2dfe598c3fcd"},)"
      R"({"stringValue":"8476a536-e9f4-41e8-9739-2dfe598c3fcd"},)"
      R"({"stringValue":"jane"},{"stringValue":"SUBGOAL_GENERATION"},)"
      R"({"stringValue":"PROCESSING"},)"
      R"({"stringValue":"11111111-1111-4111-8111-111111111111"},)"
      R"({"longValue":50},{"isNull":true},{"longValue":0},)"
      R"({"stringValue":"2025-12-02 10:23:00"},)"
      R"({"stringValue":"2025-12-02 10:23:05"},{"isNull":true},)"
      R"({"stringValue":"arn:aws:states:us-east-1:0:execution:m:id"},)"
      R"({"stringValue":"{}"},{"isNull":true}])";
  return {.status = 200,
          .headers = {{"Content-Type", "application/json"}},
          .body = absl::StrCat(R"({"numberOfRecordsUpdated":0,"records":[)",
                               kRecord, "]}")};
}

absl::StatusOr<std::vector<Row>> CompareStatusChecks(const Options& options) {
  absl::StatusOr<LambdaPackage> package =
      LambdaPackage::Unpack("lambdas/generation_status.zip");
  if (!package.ok()) return package.status();
  absl::StatusOr<std::unique_ptr<http::Server>> data_api = http::Server::Start(
      {}, [](const http::ServerRequest&, const http::Responder& respond) {
        respond(ShowProcess());
      });
  if (!data_api.ok()) return data_api.status();
  absl::StatusOr<Pair> pair = MakePair(
      {.name = "status",
       .variables = {{generation::kClusterVariable,
                      "arn:aws:rds:x:0:cluster:c"},
                     {generation::kSecretVariable,
                      "arn:aws:secretsmanager:x:0:secret:s"},
                     {generation::kDatabaseVariable,
                      generation::kDefaultDatabaseName},
                     {generation::kStateMachineVariable,
                      "arn:aws:states:x:0:stateMachine:m"},
                     {"AWS_ENDPOINT_URL_RDS_DATA", (*data_api)->url()}},
       .event =
           [](int) {
             return R"({"resource":"/api/ai/async/status/{processId}",)"
                    R"("path":"/api/ai/async/status/8476a536-e9f4-41e8-9739-)"
                    R"(2dfe598c3fcd","isBase64Encoded":false,)"
                    R"("httpMethod":"GET","pathParameters":{"processId":)"
                    R"("8476a536-e9f4-41e8-9739-2dfe598c3fcd"},)"
                    R"("requestContext":{"authorizer":{"claims":)"
                    R"({"sub":"jane"}}}})";
           },
       .is_done =
           [](const std::string& response) {
             return absl::StrContains(response, "PROCESSING");
           }},
      *package);
  if (!pair.ok()) return pair.status();
  return Compare(*pair, options);
}

absl::Status Main(const Options& options) {
  std::vector<Row> rows;
  for (auto* const compare :
       {CompareSenders, CompareCollectors, CompareStatusChecks}) {
    absl::StatusOr<std::vector<Row>> some = compare(options);
    if (!some.ok()) return some.status();
    rows.insert(rows.end(), some->begin(), some->end());
  }
  std::cout << ToMarkdown(rows);
  return absl::OkStatus();
}

}  // namespace
}  // namespace byoshin::bench

int main(int argc, char** argv) {
  byoshin::bench::Options options;
  if ((argc > 1 && !absl::SimpleAtoi(argv[1], &options.cold_starts)) ||
      (argc > 2 && !absl::ParseDuration(argv[2], &options.warm)) || argc > 3 ||
      options.cold_starts < 1 || options.warm <= absl::ZeroDuration()) {
    std::cerr << "usage: lambda [COLD_STARTS [DURATION]]\n";
    return EXIT_FAILURE;
  }
  const absl::Status status = byoshin::bench::Main(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << status << "\n";
  return EXIT_FAILURE;
}

// Tries what reads the outputs of the Data API, Step Functions, Bedrock and
// DynamoDB on any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/bedrock/client.h"
#include "core/aws/bedrock/json_client.h"
#include "core/aws/caller.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/aws/stepfunctions/client.h"
#include "core/aws/stepfunctions/json_client.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/simulated_clock.h"

namespace byoshin::aws {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void RequireDamaged(const absl::Status& status) {
  Require(status.ok() || status.code() == absl::StatusCode::kDataLoss,
          "an answer that makes no sense counts as damaged");
  Require(status.message().size() < 2000, "a message is short");
}

// The parameters that say the same as a record.
std::vector<rdsdata::Parameter> ParametersOf(
    const std::vector<rdsdata::Field>& record) {
  std::vector<rdsdata::Parameter> parameters;
  for (const rdsdata::Field& field : record) {
    if (field.array() != nullptr) continue;
    parameters.push_back({.name = "p", .value = field});
  }
  return parameters;
}

class Clients {
 public:
  explicit Clients(absl::string_view body) {
    http_.AlwaysAnswerBy([body](const http::Request&) {
      return http::Response{.status = 200, .body = std::string(body)};
    });
  }

  void CheckDatabase() {
    rdsdata::JsonClient client(Dependencies());
    const absl::StatusOr<rdsdata::ExecuteStatementResult> result =
        client.ExecuteStatement({}, absl::InfiniteFuture());
    RequireDamaged(result.status());
    RequireDamaged(
        client.BeginTransaction({}, absl::InfiniteFuture()).status());
    if (!result.ok()) return;
    for (const std::vector<rdsdata::Field>& record : result->records) {
      Require(client
                  .ExecuteStatement({.parameters = ParametersOf(record)},
                                    absl::InfiniteFuture())
                  .ok(),
              "every value that was read can be sent");
    }
  }

  void CheckWorkflows() {
    stepfunctions::JsonClient client(Dependencies());
    RequireDamaged(client.StartExecution({}, absl::InfiniteFuture()).status());
    RequireDamaged(
        client.DescribeExecution("e", absl::InfiniteFuture()).status());
  }

  void CheckModels() {
    bedrock::JsonClient client(Dependencies());
    RequireDamaged(
        client.Converse({.model_id = "m"}, absl::InfiniteFuture()).status());
  }

  void CheckTable() {
    dynamodb::JsonClient client(Dependencies());
    RequireDamaged(client.GetItem({}, absl::InfiniteFuture()).status());
    RequireDamaged(client.Query({}, absl::InfiniteFuture()).status());
    const absl::StatusOr<dynamodb::BatchWrites> unprocessed =
        client.BatchWriteItem({}, absl::InfiniteFuture());
    RequireDamaged(unprocessed.status());
    if (!unprocessed.ok()) return;
    const absl::StatusOr<dynamodb::BatchWrites> again =
        client.BatchWriteItem({.writes = *unprocessed}, absl::InfiniteFuture());
    Require(again.ok() && again->puts == unprocessed->puts,
            "what was not written can be sent again");
  }

 private:
  ClientDependencies Dependencies() {
    return {.http = http_,
            .clock = clock_,
            .environment = env::FromMap(
                {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
            .retry = {.max_attempts = 1},
            .random = [] { return 0.0; }};
  }

  http::testing::FakeClient http_;
  time::SimulatedClock clock_{absl::UnixEpoch()};
};

}  // namespace
}  // namespace byoshin::aws

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::aws::Clients clients(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  clients.CheckDatabase();
  clients.CheckWorkflows();
  clients.CheckModels();
  clients.CheckTable();
  return 0;
}

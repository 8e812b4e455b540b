// Map runs: the executions of distributed Map states.

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {
namespace {

struct FoundMapRun {
  const Execution* execution = nullptr;
  const MapRun* map_run = nullptr;
};

absl::StatusOr<FoundMapRun> FindMapRun(Executions& executions,
                                       const std::string& arn) {
  absl::Status missing = ApiError(
      "ResourceNotFound", absl::StrCat("Resource not found: '", arn, "'"));
  const std::string parent = executions.ParentOfMapRun(arn);
  if (parent.empty()) return missing;
  const absl::StatusOr<const Execution*> execution = executions.Open(parent);
  if (!execution.ok()) return execution.status();
  for (const std::unique_ptr<MapRun>& map_run : (*execution)->map_runs()) {
    if (map_run->arn == arn) {
      return FoundMapRun{.execution = *execution, .map_run = map_run.get()};
    }
  }
  return missing;
}

Json::Value CountsJson(const MapRun::Counts& counts) {
  Json::Value value(Json::objectValue);
  value["total"] = Json::Int64(counts.total);
  value["pending"] = Json::Int64(counts.pending);
  value["running"] = Json::Int64(counts.running);
  value["succeeded"] = Json::Int64(counts.succeeded);
  value["failed"] = Json::Int64(counts.failed);
  value["timedOut"] = Json::Int64(counts.timed_out);
  value["aborted"] = Json::Int64(counts.aborted);
  value["resultsWritten"] = 0;
  value["failuresNotRedrivable"] = 0;
  value["pendingRedrive"] = 0;
  return value;
}

Json::Value MapRunTimes(const MapRun& map_run) {
  Json::Value value(Json::objectValue);
  value["mapRunArn"] = map_run.arn;
  value["startDate"] = TimeJson(map_run.start_time);
  if (map_run.stop_time.has_value()) {
    value["stopDate"] = TimeJson(*map_run.stop_time);
  }
  return value;
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeMapRun.html
absl::StatusOr<Json::Value> DescribeMapRun(OperationContext& context,
                                           JsonFields& fields) {
  const std::string arn = fields.Text("mapRunArn");
  const absl::StatusOr<FoundMapRun> found = FindMapRun(context.executions, arn);
  if (!found.ok()) return found.status();
  const MapRun& map_run = *found->map_run;
  Json::Value answer = MapRunTimes(map_run);
  answer["executionArn"] = found->execution->info().arn;
  answer["status"] = std::string(ExecutionStatusName(map_run.status));
  answer["maxConcurrency"] = Json::Int64(map_run.max_concurrency);
  answer["toleratedFailurePercentage"] = map_run.tolerated_failure_percentage;
  answer["toleratedFailureCount"] =
      Json::Int64(map_run.tolerated_failure_count);
  answer["itemCounts"] = CountsJson(map_run.items);
  answer["executionCounts"] = CountsJson(map_run.executions);
  answer["redriveCount"] = Json::Int64(map_run.redrive_count);
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListMapRuns.html
absl::StatusOr<Json::Value> ListMapRuns(OperationContext& context,
                                        JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  const PageFields page = ReadPage(fields);
  const absl::StatusOr<kept::Execution> kept = context.executions.Find(arn);
  if (!kept.ok()) return kept.status();
  const absl::StatusOr<const Execution*> execution =
      context.executions.Open(arn);
  if (!execution.ok()) return execution.status();
  std::vector<std::string> keys;
  const auto& map_runs = (*execution)->map_runs();
  keys.reserve(map_runs.size());
  for (std::size_t i = 0; i < map_runs.size(); ++i) {
    keys.push_back(absl::StrFormat("%010d", i));
  }
  return PageAnswer("mapRuns", keys, KeyOrder::kAscending, page,
                    [&](std::size_t i) {
                      Json::Value entry = MapRunTimes(*map_runs[i]);
                      entry["executionArn"] = arn;
                      entry["stateMachineArn"] = kept->machine_arn();
                      return entry;
                    });
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_UpdateMapRun.html
absl::StatusOr<Json::Value> UpdateMapRun(OperationContext& context,
                                         JsonFields& fields) {
  MapRunUpdated update;
  update.map_run_arn = fields.Text("mapRunArn");
  constexpr std::int64_t kMaxConcurrency = 10'000;
  constexpr std::int64_t kMaxCount = 10'000'000;
  if (fields.Has("maxConcurrency")) {
    update.max_concurrency =
        fields.Integer("maxConcurrency", {.min = 0, .max = kMaxConcurrency});
  }
  if (fields.Has("toleratedFailureCount")) {
    update.tolerated_failure_count =
        fields.Integer("toleratedFailureCount", {.min = 0, .max = kMaxCount});
  }
  update.tolerated_failure_percentage =
      fields.FindNumber("toleratedFailurePercentage");
  if (!fields.status().ok()) return fields.status();
  const absl::StatusOr<FoundMapRun> found =
      FindMapRun(context.executions, update.map_run_arn);
  if (!found.ok()) return found.status();
  if (found->map_run->status != ExecutionStatus::kRunning) {
    return ValidationError(
        "Cannot update a Map Run that does not run any more");
  }
  const std::string parent = found->execution->info().arn;
  context.executions.Apply(parent, std::move(update));
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::stepfunctions

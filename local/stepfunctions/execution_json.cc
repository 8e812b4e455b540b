#include "local/stepfunctions/execution_json.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/time/time.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/limits.h"

namespace byoshin::local::stepfunctions {
namespace {

void AddText(const char* name, const std::string& text, Json::Value& out) {
  if (!text.empty()) out[name] = text;
}

void AddOutcome(const kept::Execution& execution, IncludedData included,
                Json::Value& answer) {
  const bool all = included == IncludedData::kAll;
  if (all) answer["input"] = execution.input();
  answer["inputDetails"]["included"] = all;
  if (execution.has_output()) {
    if (all) answer["output"] = execution.output();
    answer["outputDetails"]["included"] = all;
  }
  if (execution.has_error()) answer["error"] = execution.error();
  if (execution.has_cause()) answer["cause"] = execution.cause();
}

// The member that names the map run of a child.
constexpr char kMapRunArn[] = "mapRunArn";

Json::Value ChildJson(const ChildExecution& child,
                      const std::string& machine_arn,
                      const std::string& map_run_arn) {
  Json::Value value(Json::objectValue);
  value["executionArn"] = child.arn;
  value["stateMachineArn"] = machine_arn;
  value["name"] = child.name;
  value["status"] = std::string(ExecutionStatusName(child.status));
  value["startDate"] = TimeJson(child.start_time);
  if (child.stop_time.has_value()) {
    value["stopDate"] = TimeJson(*child.stop_time);
  }
  value["itemCount"] = Json::Int64(child.item_count);
  value["redriveCount"] = 0;
  value[kMapRunArn] = map_run_arn;
  return value;
}

// "arn:aws:states:REGION:ACCOUNT:stateMachine:orders" of a child's
// "…:execution:orders/Label:NAME", and the prefix of its map run's ARN.
struct ChildPlace {
  std::string machine_arn{};
  std::string map_run_prefix{};
};
std::optional<ChildPlace> PlaceOfChild(const std::string& arn) {
  const absl::StatusOr<ExecutionArn> parsed = ParseExecutionArn(arn);
  if (!parsed.ok() || parsed->machine_name.find('/') == std::string::npos) {
    return std::nullopt;
  }
  const absl::StatusOr<MachineArn> machine = ParseMachineArn(parsed->machine);
  if (!machine.ok()) return std::nullopt;
  return ChildPlace{
      .machine_arn = StatesArn(
          machine->place, kMachineResource,
          parsed->machine_name.substr(0, parsed->machine_name.find('/'))),
      .map_run_prefix = absl::StrCat(
          StatesArn(machine->place, kMapRunResource, parsed->machine_name),
          ":")};
}

}  // namespace

IncludedData ReadIncludedData(JsonFields& fields) {
  return fields.Text("includedData") == "METADATA_ONLY"
             ? IncludedData::kMetadata
             : IncludedData::kAll;
}

std::string RedriveRefusalOf(const kept::Execution& execution, absl::Time now) {
  const kept::Status status = execution.status();
  if (status == kept::RUNNING || status == kept::SUCCEEDED) {
    return absl::StrCat("Execution is ", StatusName(status),
                        " and cannot be redriven");
  }
  if (now - absl::FromUnixMicros(execution.stop_us()) > kRedrivePeriod) {
    return "Execution's redrivable period exceeded";
  }
  return "";
}

Json::Value ExecutionJson(const kept::Execution& execution,
                          IncludedData included, absl::Time now) {
  Json::Value answer = ListedExecutionJson(execution);
  AddOutcome(execution, included, answer);
  AddText("traceHeader", execution.trace_header(), answer);
  const std::string refusal = RedriveRefusalOf(execution, now);
  answer["redriveStatus"] = refusal.empty() ? "REDRIVABLE" : "NOT_REDRIVABLE";
  AddText("redriveStatusReason", refusal, answer);
  return answer;
}

Json::Value ListedExecutionJson(const kept::Execution& execution) {
  Json::Value value(Json::objectValue);
  value["executionArn"] = execution.arn();
  value["stateMachineArn"] = execution.machine_arn();
  value["name"] = execution.name();
  value["status"] = StatusName(execution.status());
  value["startDate"] = TimeJson(execution.start_us());
  if (execution.status() != kept::RUNNING) {
    value["stopDate"] = TimeJson(execution.stop_us());
  }
  AddText("stateMachineVersionArn", execution.version_arn(), value);
  AddText("stateMachineAliasArn", execution.alias_arn(), value);
  value["redriveCount"] = Json::Int64(execution.redrive_count());
  if (execution.redrive_us() != 0) {
    value["redriveDate"] = TimeJson(execution.redrive_us());
  }
  return value;
}

Json::Value SyncExecutionJson(const kept::Execution& execution,
                              IncludedData included) {
  Json::Value answer(Json::objectValue);
  answer["executionArn"] = execution.arn();
  answer["stateMachineArn"] = execution.machine_arn();
  answer["name"] = execution.name();
  answer["status"] = StatusName(execution.status());
  answer["startDate"] = TimeJson(execution.start_us());
  answer["stopDate"] = TimeJson(execution.stop_us());
  AddOutcome(execution, included, answer);
  AddText("traceHeader", execution.trace_header(), answer);
  constexpr std::int64_t kBilledMillis = 100;
  constexpr std::int64_t kBilledMegabytes = 64;
  const std::int64_t millis =
      (execution.stop_us() - execution.start_us()) / 1000;
  Json::Value& billing = answer["billingDetails"];
  billing["billedDurationInMilliseconds"] = Json::Int64(
      std::max<std::int64_t>(1, (millis + kBilledMillis - 1) / kBilledMillis) *
      kBilledMillis);
  billing["billedMemoryUsedInMB"] = Json::Int64(kBilledMegabytes);
  return answer;
}

FoundChild FindChild(Executions& executions, const std::string& arn) {
  const std::optional<ChildPlace> place = PlaceOfChild(arn);
  if (!place.has_value()) return {};
  for (const auto& [map_run_arn, parent_arn] :
       executions.MapRunsBelow(place->map_run_prefix)) {
    const absl::StatusOr<const Execution*> parent = executions.Open(parent_arn);
    if (!parent.ok()) continue;
    for (const std::unique_ptr<MapRun>& map_run : (*parent)->map_runs()) {
      if (map_run->arn != map_run_arn) continue;
      for (const auto& child : map_run->children) {
        if (child->arn == arn) {
          return {.child = child.get(), .map_run_arn = map_run_arn};
        }
      }
    }
  }
  return {};
}

std::optional<Json::Value> DescribeChild(Executions& executions,
                                         const std::string& arn,
                                         bool with_data) {
  const FoundChild found = FindChild(executions, arn);
  const ChildExecution* const child = found.child;
  if (child == nullptr) return std::nullopt;
  Json::Value answer =
      ChildJson(*child, PlaceOfChild(arn)->machine_arn, found.map_run_arn);
  answer.removeMember("itemCount");
  answer["inputDetails"]["included"] = with_data;
  if (with_data) answer["input"] = child->input.ToJson();
  if (child->output.has_value()) {
    answer["outputDetails"]["included"] = with_data;
    if (with_data) answer["output"] = child->output->ToJson();
  }
  if (child->error.has_value()) answer["error"] = *child->error;
  if (child->cause.has_value()) answer["cause"] = *child->cause;
  answer["redriveStatus"] = "NOT_REDRIVABLE";
  return answer;
}

absl::StatusOr<Json::Value> ListChildren(Executions& executions,
                                         const std::string& map_run_arn,
                                         const std::string& status,
                                         const PageFields& page) {
  const std::string parent_arn = executions.ParentOfMapRun(map_run_arn);
  if (parent_arn.empty()) {
    return ApiError("ResourceNotFound",
                    absl::StrCat("Resource not found: '", map_run_arn, "'"));
  }
  const absl::StatusOr<const Execution*> parent = executions.Open(parent_arn);
  if (!parent.ok()) return parent.status();
  std::vector<const ChildExecution*> children;
  std::vector<std::string> keys;
  for (const std::unique_ptr<MapRun>& map_run : (*parent)->map_runs()) {
    if (map_run->arn != map_run_arn) continue;
    for (const auto& child : map_run->children) {
      if (!status.empty() && status != ExecutionStatusName(child->status)) {
        continue;
      }
      children.push_back(child.get());
      keys.push_back(absl::StrFormat("%010d", keys.size()));
    }
  }
  return PageAnswer(
      "executions", keys, KeyOrder::kAscending, page, [&](std::size_t i) {
        return ChildJson(*children[i], (*parent)->info().state_machine_arn,
                         map_run_arn);
      });
}

}  // namespace byoshin::local::stepfunctions

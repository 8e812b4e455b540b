#include "local/stepfunctions/status_change.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/execution_json.h"
#include "local/stepfunctions/executions.h"

namespace byoshin::local::stepfunctions {
namespace {

// What does not fit is left out: the output, or else the input.
constexpr std::size_t kMaxEventDataBytes = std::size_t{248} * 1024;

constexpr std::int64_t kMicrosPerMilli = 1000;

std::size_t EscapedSize(absl::string_view text) {
  std::string escaped;
  json::AppendQuoted(text, escaped);
  return escaped.size();
}

Json::Value TextOrNull(const std::string& text) {
  return text.empty() ? Json::Value() : Json::Value(text);
}

Json::Value MillisOrNull(std::int64_t micros) {
  return micros == 0 ? Json::Value()
                     : Json::Value(Json::Int64(micros / kMicrosPerMilli));
}

void AddData(const kept::Execution& execution, Json::Value& detail) {
  const std::size_t output_bytes =
      execution.has_output() ? EscapedSize(execution.output()) : 0;
  const bool with_output = output_bytes <= kMaxEventDataBytes;
  const bool with_input =
      EscapedSize(execution.input()) + (with_output ? output_bytes : 0) <=
      kMaxEventDataBytes;
  detail["input"] = with_input ? Json::Value(execution.input()) : Json::Value();
  detail["inputDetails"]["included"] = with_input;
  detail["output"] = Json::Value();
  detail["outputDetails"] = Json::Value();
  if (!execution.has_output()) return;
  if (with_output) detail["output"] = execution.output();
  detail["outputDetails"] = Json::Value(Json::objectValue);
  detail["outputDetails"]["included"] = with_output;
}

}  // namespace

StatusChange StatusChangeOf(const kept::Execution& execution) {
  const bool running = execution.status() == kept::RUNNING;
  const std::int64_t changed_us =
      running ? (execution.redrive_us() != 0 ? execution.redrive_us()
                                             : execution.start_us())
              : execution.stop_us();
  Json::Value detail(Json::objectValue);
  detail["executionArn"] = execution.arn();
  detail["stateMachineArn"] = execution.machine_arn();
  detail["name"] = execution.name();
  detail["status"] = StatusName(execution.status());
  detail["startDate"] = MillisOrNull(execution.start_us());
  detail["stopDate"] =
      running ? Json::Value() : MillisOrNull(execution.stop_us());
  AddData(execution, detail);
  detail["error"] =
      execution.has_error() ? Json::Value(execution.error()) : Json::Value();
  detail["cause"] =
      execution.has_cause() ? Json::Value(execution.cause()) : Json::Value();
  detail["stateMachineVersionArn"] = TextOrNull(execution.version_arn());
  detail["stateMachineAliasArn"] = TextOrNull(execution.alias_arn());
  detail["redriveCount"] = Json::Int64(execution.redrive_count());
  detail["redriveDate"] = MillisOrNull(execution.redrive_us());
  const absl::Time changed = absl::FromUnixMicros(changed_us);
  const std::string refusal = RedriveRefusalOf(execution, changed);
  detail["redriveStatus"] = refusal.empty() ? "REDRIVABLE" : "NOT_REDRIVABLE";
  detail["redriveStatusReason"] = TextOrNull(refusal);

  StatusChange change{.execution_arn = execution.arn(),
                      .time = changed,
                      .detail = json::WriteValue(detail)};
  const absl::StatusOr<MachineArn> machine =
      ParseMachineArn(execution.machine_arn());
  if (machine.ok()) {
    change.region = machine->place.region;
    change.account_id = machine->place.account_id;
  }
  return change;
}

}  // namespace byoshin::local::stepfunctions

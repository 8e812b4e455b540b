// Starting, stopping, redriving, describing and listing executions.

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/arn.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution_json.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operation_json.h"
#include "local/stepfunctions/operations.h"
#include "local/stepfunctions/start.h"

namespace byoshin::local::stepfunctions {
namespace {

absl::Status InvalidInput(absl::string_view reason) {
  return ApiError(
      "InvalidExecutionInput",
      absl::StrCat("Invalid State Machine Execution Input: '", reason, "'"));
}

Json::Value StartedJson(const kept::Execution& execution) {
  Json::Value answer(Json::objectValue);
  answer["executionArn"] = execution.arn();
  answer["startDate"] = TimeJson(execution.start_us());
  return answer;
}

// Which executions ListExecutions wants.
struct ExecutionFilter {
  std::string status{};
  std::string redrive{};
  std::string version_arn{};
  std::string alias_arn{};
};

bool IsWantedExecution(const ExecutionFilter& filter,
                       const kept::Execution& execution) {
  if (!filter.status.empty() &&
      filter.status != StatusName(execution.status())) {
    return false;
  }
  if (!filter.redrive.empty() &&
      (filter.redrive == "REDRIVEN") != (execution.redrive_count() > 0)) {
    return false;
  }
  if (!filter.alias_arn.empty()) {
    return execution.alias_arn() == filter.alias_arn;
  }
  return filter.version_arn.empty() ||
         execution.version_arn() == filter.version_arn;
}

}  // namespace

absl::StatusOr<StartRequest> ReadStartRequest(OperationContext& context,
                                              JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  StartRequest request{.name = fields.Text("name"),
                       .input_text = fields.FindText("input").value_or("{}"),
                       .trace_header = fields.Text("traceHeader")};
  if (absl::Status fits = CheckDataSize("input", request.input_text);
      !fits.ok()) {
    return fits;
  }
  constexpr int kPercent = 100;
  absl::StatusOr<StartTarget> target =
      context.catalog.Resolve(arn, static_cast<int>(random::Bits() % kPercent));
  if (!target.ok()) return target.status();
  request.target = *std::move(target);
  if (request.name.empty()) request.name = random::NewUuid();
  if (absl::Status good = CheckName(request.name); !good.ok()) return good;
  if (request.input_text.empty()) {
    return InvalidInput("Invalid execution input.");
  }
  absl::StatusOr<Data> input = Data::Parse(request.input_text);
  if (!input.ok()) return InvalidInput(input.status().message());
  request.input = *std::move(input);
  return request;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_StartExecution.html
absl::StatusOr<Json::Value> StartExecution(OperationContext& context,
                                           JsonFields& fields) {
  absl::StatusOr<StartRequest> request = ReadStartRequest(context, fields);
  if (!request.ok()) return request.status();
  const kept::Machine& machine = *request->target.machine;
  if (machine.type() == kept::STANDARD && fields.Has("name")) {
    const absl::StatusOr<MachineArn> parsed = ParseMachineArn(machine.arn());
    if (!parsed.ok()) return parsed.status();
    const std::string arn =
        StatesArn(parsed->place, kExecutionResource,
                  absl::StrCat(machine.name(), ":", request->name));
    const absl::StatusOr<std::optional<kept::Execution>> existing =
        context.executions.FindKept(arn);
    if (!existing.ok()) return existing.status();
    if (existing->has_value()) {
      if ((*existing)->status() == kept::RUNNING &&
          (*existing)->input() == request->input_text) {
        return StartedJson(**existing);
      }
      return ApiError("ExecutionAlreadyExists",
                      absl::StrCat("Execution Already Exists: '", arn, "'"));
    }
  }
  const absl::StatusOr<kept::Execution> started =
      context.executions.Start(*std::move(request));
  if (!started.ok()) return started.status();
  return StartedJson(*started);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_StopExecution.html
absl::StatusOr<Json::Value> StopExecution(OperationContext& context,
                                          JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  std::optional<std::string> error = fields.FindText("error");
  std::optional<std::string> cause = fields.FindText("cause");
  const absl::StatusOr<kept::Execution> execution =
      context.executions.Find(arn);
  if (!execution.ok()) return execution.status();
  Json::Value answer(Json::objectValue);
  answer["stopDate"] =
      context.executions.Stop(arn, std::move(error), std::move(cause))
          ? TimeJson(context.now)
          : TimeJson(execution->stop_us());
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_RedriveExecution.html
absl::StatusOr<Json::Value> RedriveExecution(OperationContext& context,
                                             JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  const absl::StatusOr<kept::Execution> execution =
      context.executions.Find(arn);
  if (!execution.ok()) return execution.status();
  const std::string refusal = RedriveRefusalOf(*execution, context.now);
  if (!refusal.empty()) {
    return ApiError("ExecutionNotRedrivable",
                    absl::StrCat("Execution is not redrivable: ", refusal));
  }
  if (absl::Status redriven = context.executions.Redrive(*execution);
      !redriven.ok()) {
    return redriven;
  }
  Json::Value answer(Json::objectValue);
  answer["redriveDate"] = TimeJson(context.now);
  return answer;
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_DescribeExecution.html
absl::StatusOr<Json::Value> DescribeExecution(OperationContext& context,
                                              JsonFields& fields) {
  const std::string arn = fields.Text("executionArn");
  const IncludedData included = ReadIncludedData(fields);
  const absl::StatusOr<kept::Execution> execution =
      context.executions.Find(arn);
  if (absl::IsInvalidArgument(execution.status())) {
    std::optional<Json::Value> child =
        DescribeChild(context.executions, arn, included == IncludedData::kAll);
    if (child.has_value()) return *std::move(child);
  }
  if (!execution.ok()) return execution.status();
  return ExecutionJson(*execution, included, context.now);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_ListExecutions.html
absl::StatusOr<Json::Value> ListExecutions(OperationContext& context,
                                           JsonFields& fields) {
  const std::string arn = fields.Text("stateMachineArn");
  const std::string map_run = fields.Text("mapRunArn");
  ExecutionFilter filter{.status = fields.Text("statusFilter"),
                         .redrive = fields.Text("redriveFilter")};
  const PageFields page = ReadPage(fields);
  if (arn.empty() == map_run.empty()) {
    return ValidationError(
        "Must provide either StateMachineArn or MapRunArn, but not both");
  }
  if (!map_run.empty()) {
    return ListChildren(context.executions, map_run, filter.status, page);
  }
  const absl::StatusOr<StartTarget> target = context.catalog.Resolve(arn, 0);
  if (!target.ok()) return target.status();
  if (target->machine->type() == kept::EXPRESS) return TypeNotSupportedError();
  filter.alias_arn = target->alias_arn;
  if (filter.alias_arn.empty()) filter.version_arn = target->version_arn;
  std::string after;
  if (!page.token.empty() && !absl::WebSafeBase64Unescape(page.token, &after)) {
    return InvalidPageTokenError();
  }
  Json::Value answer(Json::objectValue);
  Json::Value& list = answer["executions"] = Json::arrayValue;
  std::string last;
  bool more = false;
  absl::Status listed = context.executions.List(
      target->machine->arn(), after,
      [&](const std::string& key, const kept::Execution& execution) {
        if (!IsWantedExecution(filter, execution)) return true;
        if (list.size() == page.limit) {
          more = true;
          return false;
        }
        list.append(ListedExecutionJson(execution));
        last = key;
        return true;
      });
  if (!listed.ok()) return listed;
  if (more) answer["nextToken"] = absl::WebSafeBase64Escape(last);
  return answer;
}

}  // namespace byoshin::local::stepfunctions

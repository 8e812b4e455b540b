#include "core/generation/workflow_handler.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/stepfunctions/client.h"
#include "core/generation/api_error.h"
#include "core/generation/constants.h"
#include "core/generation/failure.h"
#include "core/generation/metrics.h"
#include "core/generation/migrator.h"
#include "core/generation/process.h"
#include "core/generation/request.h"
#include "core/generation/state_service.h"
#include "core/http/client.h"
#include "core/json/json.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "core/lambda/error_type.h"
#include "core/lambda/handler.h"
#include "core/log/logger.h"
#include "proto/eventbridge.pb.h"
#include "proto/generation.pb.h"

namespace byoshin::generation {
namespace {

using aws::stepfunctions::ExecutionStatus;

constexpr absl::Duration kCallbackTimeout = absl::Seconds(10);
constexpr int kCallbackAttempts = 3;
constexpr char kMigrationResourceId[] = "generation-schema";
// CloudFormation's limit on a whole response is 4096 bytes.
constexpr std::size_t kMaxReasonBytes = 1024;

std::optional<ExecutionStatus> EndOf(absl::string_view status) {
  if (status == "FAILED") return ExecutionStatus::kFailed;
  if (status == "TIMED_OUT") return ExecutionStatus::kTimedOut;
  if (status == "ABORTED") return ExecutionStatus::kAborted;
  return std::nullopt;
}

std::optional<ProcessError> ErrorFor(ProcessStatus status,
                                     const UpdateStateEvent& event) {
  if (status == ProcessStatus::kTimeout) return ProcessErrorOf(kTimeoutFailure);
  if (status == ProcessStatus::kFailed) {
    return ProcessErrorOf(event.error().error());
  }
  return std::nullopt;
}

std::string ResultOf(absl::string_view process_id, absl::string_view status,
                     bool changed) {
  UpdateStateResult result;
  result.set_process_id(std::string(process_id));
  result.set_status(std::string(status));
  result.set_changed(changed);
  return json::ToJson(result);
}

}  // namespace

absl::StatusOr<std::string> UpdateStateHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<Json::Value> event =
      json::ParseValue(invocation.payload);
  if (!event.ok()) return event.status();
  const absl::Time deadline = invocation.deadline - kDeadlineMargin;
  if (event->isObject() && event->isMember("detail")) {
    const auto change =
        json::FromValue<events::ExecutionStatusChangeEvent>(*event);
    if (!change.ok()) return change.status();
    return Close(*change, deadline);
  }
  const auto update = json::FromValue<UpdateStateEvent>(*event);
  if (!update.ok()) return update.status();
  return Update(*update, deadline);
}

absl::StatusOr<std::string> UpdateStateHandler::Update(
    const UpdateStateEvent& event, absl::Time deadline) {
  const absl::StatusOr<std::string> id = ParseProcessId(event.process_id());
  if (!id.ok()) return id.status();
  const std::optional<ProcessStatus> to = ProcessStatusOf(event.status());
  if (!to.has_value() || *to == ProcessStatus::kPending) {
    return absl::InvalidArgumentError(
        absl::StrCat("status: a process can't become ", event.status()));
  }
  const absl::StatusOr<ProcessingStateService::Update> update =
      states_.Move(*id, *to, ErrorFor(*to, event), deadline);
  if (!update.ok()) return WithFailureName(update.status());
  if (*to == ProcessStatus::kProcessing && IsFinal(update->process.status)) {
    return lambda::WithErrorType(
        absl::FailedPreconditionError(absl::StrCat(
            "process ", *id, " is ", NameOf(update->process.status))),
        kProcessEndedFailure);
  }
  return Report(*update, deadline);
}

absl::StatusOr<std::string> UpdateStateHandler::Close(
    const events::ExecutionStatusChangeEvent& event, absl::Time deadline) {
  const std::string& name = event.detail().name();
  const std::optional<ExecutionStatus> outcome = EndOf(event.detail().status());
  const absl::StatusOr<std::string> id = ParseProcessId(name);
  // Somebody may have started an execution by hand, with another name.
  if (!outcome.has_value() || !id.ok()) {
    return ResultOf(name, event.detail().status(), /*changed=*/false);
  }
  const absl::StatusOr<ProcessingStateService::Update> update =
      states_.CloseByOutcome(*id, *outcome, deadline);
  if (update.ok()) return Report(*update, deadline);
  if (ApiErrorOf(update.status()).code == ErrorCode::kForbidden) {
    return ResultOf(*id, event.detail().status(), /*changed=*/false);
  }
  return WithFailureName(update.status());
}

std::string UpdateStateHandler::Report(
    const ProcessingStateService::Update& update, absl::Time deadline) {
  const Process& process = update.process;
  if (update.changed) {
    logger_.Info("state changed",
                 {{"processId", process.id},
                  {"type", NameOf(process.type)},
                  {"status", NameOf(process.status)},
                  {"code", process.error.has_value() ? process.error->code
                                                     : std::string()}});
    std::vector<log::Metric> metrics = EndMetrics(process);
    if (process.status == ProcessStatus::kProcessing) {
      const absl::StatusOr<std::int64_t> pending =
          states_.CountPending(deadline);
      if (pending.ok()) metrics = QueueMetrics(*pending);
    }
    logger_.EmitMetrics(
        kMetricsNamespace, {}, metrics,
        {{"processId", process.id}, {"type", NameOf(process.type)}});
  }
  return ResultOf(process.id, NameOf(process.status), update.changed);
}

absl::StatusOr<std::string> MigrationHandler::Migrate(const Json::Value& event,
                                                      absl::Time deadline) {
  // The data outlives the resource: the cluster decides about it.
  if (json::TextMember(event, "RequestType") == "Delete") {
    return json::ToJson(MigrationResult());
  }
  const absl::StatusOr<Migrator::Report> report =
      dependencies_.migrator.Run(MigrationFiles(), deadline);
  if (!report.ok()) return report.status();
  if (absl::Status status = dependencies_.users.SetPasswords(deadline);
      !status.ok()) {
    return status;
  }
  dependencies_.logger.Info(
      "schema is up to date",
      {{"version", report->version}, {"applied", report->applied}});
  MigrationResult result;
  result.set_version(report->version);
  result.set_applied(report->applied);
  return json::ToJson(result);
}

absl::Status MigrationHandler::Respond(const Json::Value& event,
                                       const absl::Status& outcome,
                                       absl::Time deadline) {
  Json::Value body(Json::objectValue);
  body["Status"] = outcome.ok() ? "SUCCESS" : "FAILED";
  body["Reason"] =
      std::string(json::CutAtCharacter(outcome.message(), kMaxReasonBytes));
  for (const char* name : {"StackId", "RequestId", "LogicalResourceId"}) {
    body[name] = json::TextMember(event, name);
  }
  const std::string known = json::TextMember(event, "PhysicalResourceId");
  body["PhysicalResourceId"] = known.empty() ? kMigrationResourceId : known;
  const http::Request request{.method = "PUT",
                              // Signed: never log it.
                              .url = json::TextMember(event, "ResponseURL"),
                              // The signature covers an empty content type.
                              .headers = {{"Content-Type", ""}},
                              .body = json::WriteValue(body)};
  absl::Status status = absl::DeadlineExceededError("no time was left");
  for (int i = 0; i < kCallbackAttempts; ++i) {
    const absl::Duration left = deadline - dependencies_.clock.Now();
    if (left <= absl::ZeroDuration()) break;
    http::Request attempt = request;
    attempt.timeout = std::min(kCallbackTimeout, left);
    const absl::StatusOr<http::Response> response =
        dependencies_.http_client.Send(attempt);
    if (!response.ok()) {
      status = response.status();
    } else if (response->status / 100 == 2) {
      return absl::OkStatus();
    } else {
      status = absl::UnavailableError(
          absl::StrCat("CloudFormation answered ", response->status));
    }
  }
  return status;
}

absl::StatusOr<std::string> MigrationHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<Json::Value> event =
      json::ParseValue(invocation.payload);
  if (!event.ok()) return event.status();
  // Time to report a failure is left.
  const absl::Time deadline = invocation.deadline - kDeadlineMargin;
  const bool has_callback = !json::TextMember(*event, "ResponseURL").empty();
  absl::StatusOr<std::string> result =
      Migrate(*event, has_callback ? deadline - kCallbackTimeout : deadline);
  if (!has_callback) return result;
  if (!result.ok()) {
    dependencies_.logger.Error(
        "migration failed",
        {{"code", absl::StatusCodeToString(result.status().code())},
         {"error", absl::string_view(result.status().message())}});
  }
  absl::Status responded = Respond(*event, result.status(), deadline);
  if (!responded.ok()) return responded;
  return result.ok() ? result : json::ToJson(MigrationResult());
}

}  // namespace byoshin::generation

// What comes back from whom a task token was given to.

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/errors.h"
#include "local/stepfunctions/execution/input.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/limits.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {
namespace {

// Whether it could be a token, as far as its characters tell.
bool IsTaskToken(absl::string_view token) {
  constexpr std::size_t kMinLength = 32;
  return token.size() >= kMinLength &&
         std::all_of(token.begin(), token.end(), [](char c) {
           return absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                  absl::StrContains("+/=-_", c);
         });
}

absl::StatusOr<TaskAddress> FindTask(OperationContext& context,
                                     const std::string& token) {
  if (const TaskAddress* address = context.executions.FindToken(token)) {
    return *address;
  }
  if (!IsTaskToken(token)) {
    return ApiError("InvalidToken", "Invalid Token: 'Invalid token'");
  }
  return ApiError("TaskTimedOut",
                  "Task Timed Out: 'Provided task does not exist anymore'");
}

}  // namespace

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskSuccess.html
absl::StatusOr<Json::Value> SendTaskSuccess(OperationContext& context,
                                            JsonFields& fields) {
  const std::string token = fields.Text("taskToken");
  const std::string output = fields.Text("output");
  if (absl::Status fits = CheckDataSize("output", output); !fits.ok()) {
    return fits;
  }
  absl::StatusOr<Data> data = Data::Parse(output);
  if (!data.ok()) {
    return ApiError(
        "InvalidOutput",
        absl::StrCat("Invalid Output: '", data.status().message(), "'"));
  }
  const absl::StatusOr<TaskAddress> task = FindTask(context, token);
  if (!task.ok()) return task.status();
  context.executions.Apply(
      task->execution_arn,
      TaskSucceeded{.task = task->task, .output = *std::move(data)});
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskFailure.html
absl::StatusOr<Json::Value> SendTaskFailure(OperationContext& context,
                                            JsonFields& fields) {
  const std::string token = fields.Text("taskToken");
  TaskFailed failed{.error = fields.FindText("error"),
                    .cause = fields.FindText("cause")};
  const absl::StatusOr<TaskAddress> task = FindTask(context, token);
  if (!task.ok()) return task.status();
  failed.task = task->task;
  // Who has the token was reached, whatever the service will answer: it is not
  // the request that has failed.
  if (context.executions.IsUnderWay(*task)) {
    context.executions.Apply(
        task->execution_arn,
        TaskSubmitted{.task = task->task, .output = Data::EmptyObject()});
  }
  context.executions.Apply(task->execution_arn, std::move(failed));
  return Json::Value(Json::objectValue);
}

// https://docs.aws.amazon.com/step-functions/latest/apireference/API_SendTaskHeartbeat.html
absl::StatusOr<Json::Value> SendTaskHeartbeat(OperationContext& context,
                                              JsonFields& fields) {
  const std::string token = fields.Text("taskToken");
  const absl::StatusOr<TaskAddress> task = FindTask(context, token);
  if (!task.ok()) return task.status();
  context.executions.Apply(task->execution_arn,
                           TaskHeartbeat{.task = task->task});
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::stepfunctions

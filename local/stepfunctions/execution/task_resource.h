// What the Resource of a Task state names.
//
//   ParseTaskResource("arn:aws:states:::sqs:sendMessage.waitForTaskToken")
//     kind = kService, service = "sqs", action = "sendMessage",
//     pattern = kWaitForTaskToken
//   ParseTaskResource("arn:aws:states:::aws-sdk:dynamodb:query")
//     kind = kSdk, service = "dynamodb", action = "query"
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TASK_RESOURCE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TASK_RESOURCE_H_

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

enum class TaskKind {
  // A Lambda function by its ARN: the arguments are the payload, and the
  // payload of the response is the result.
  kLambdaFunction,
  kActivity,
  // An optimized integration, such as arn:aws:states:::lambda:invoke.
  kService,
  // arn:aws:states:::aws-sdk:SERVICE:ACTION
  kSdk,
};

enum class TaskPattern {
  kRequestResponse,
  // .sync: the result is that of the job. .sync:2: with output as JSON.
  kSync,
  kSync2,
  kWaitForTaskToken,
};

struct TaskResource {
  TaskKind kind = TaskKind::kService;
  TaskPattern pattern = TaskPattern::kRequestResponse;
  // The Resource itself.
  std::string arn;
  // "lambda", "dynamodb"; empty for functions and activities.
  std::string service;
  // "invoke", without the pattern.
  std::string action;
  // As history events have it: "lambda" or "aws-sdk:dynamodb", and "invoke" or
  // "sendMessage.waitForTaskToken".
  std::string event_resource_type;
  std::string event_resource;
};

TaskResource ParseTaskResource(absl::string_view resource);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_TASK_RESOURCE_H_

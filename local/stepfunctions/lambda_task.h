// Tasks that invoke a function: by its ARN, arn:aws:states:::lambda:invoke, and
// aws-sdk:lambda:invoke.
// https://docs.aws.amazon.com/step-functions/latest/dg/connect-lambda.html
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LAMBDA_TASK_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LAMBDA_TASK_H_

#include <variant>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/execution/task_resource.h"
#include "local/stepfunctions/tasks.h"

namespace byoshin::local::stepfunctions {

bool IsLambdaInvocation(const TaskResource& resource);
std::variant<Call, TaskFailure> LambdaRequest(const TaskCall& task);
// Of an error of Lambda's.
TaskFailure LambdaFailure(const TaskCall& task, const Answer& answer,
                          absl::string_view request_id);
// Of an answer that is no error of Lambda's; the function may have failed.
TaskOutcome LambdaOutcome(const TaskCall& task, const Answer& answer,
                          absl::string_view request_id, absl::Time now);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LAMBDA_TASK_H_

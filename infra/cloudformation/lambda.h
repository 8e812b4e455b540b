// AWS Lambda: functions, permissions and event sources.
#ifndef BYOSHIN_INFRA_CLOUDFORMATION_LAMBDA_H_
#define BYOSHIN_INFRA_CLOUDFORMATION_LAMBDA_H_

#include <optional>
#include <string>

#include "absl/time/time.h"
#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::lambda {

// A function that consists of one executable named `bootstrap` in a zip.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-function.html
struct Function {
  std::string description{};
  Value code_bucket{};
  Value code_key{};
  Value architecture{};
  Value role{};
  Value memory_mb{};
  std::optional<absl::Duration> timeout{};
  Value::Members environment{};
  // Created before the function, so that Lambda does not create one without
  // retention.
  Value log_group{};
  // "Active" or "PassThrough".
  Value tracing_mode{};
  Value reserved_concurrency{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-permission.html
struct Permission {
  Value function_name{};
  std::string principal{};
  // The service's resource that may invoke; without it, those of any account
  // may.
  Value source_arn{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// From an SQS queue: the function's response names the messages that failed,
// and only these are repeated.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventsourcemapping.html
struct EventSourceMapping {
  Value function_name{};
  Value queue_arn{};
  Value batch_size{};
  Value max_concurrency{};

  static ResourceType Type();
  Properties ToProperties() const;
};

// The retries of asynchronous invocations, and the destination of failed ones.
// https://docs.aws.amazon.com/AWSCloudFormation/latest/TemplateReference/aws-resource-lambda-eventinvokeconfig.html
struct EventInvokeConfig {
  Value function_name{};
  Value max_retry_attempts{};
  std::optional<absl::Duration> max_event_age{};
  // The ARN of a queue.
  Value on_failure{};

  static ResourceType Type();
  Properties ToProperties() const;
};

}  // namespace byoshin::infra::cloudformation::lambda

#endif  // BYOSHIN_INFRA_CLOUDFORMATION_LAMBDA_H_

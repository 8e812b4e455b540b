#include "infra/cloudformation/lambda.h"

#include "infra/cloudformation/properties.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"

namespace byoshin::infra::cloudformation::lambda {
namespace {

// Amazon Linux 2023 without a language runtime: Lambda starts `bootstrap`,
// which uses the Runtime API itself.
constexpr char kRuntime[] = "provided.al2023";
// Not used by this runtime, but required with a zip.
constexpr char kHandler[] = "bootstrap";

// In JSON, the platform's lines can be searched like the function's. DEBUG
// lines of the function are dropped; its metrics are INFO, so a higher level
// would drop them.
Value LoggingConfig(const Value& log_group) {
  return Object({{"LogGroup", log_group},
                 {"LogFormat", "JSON"},
                 {"ApplicationLogLevel", "INFO"},
                 {"SystemLogLevel", "INFO"}});
}

}  // namespace

ResourceType Function::Type() {
  return {.name = "AWS::Lambda::Function",
          .attributes = {"Arn"},
          .tags = ResourceType::Tags::kList};
}

Properties Function::ToProperties() const {
  Properties properties;
  properties.Set("Description",
                 description.empty() ? Value() : Value(description));
  properties.Set("Runtime", kRuntime);
  properties.Set("Handler", kHandler);
  properties.Set("Architectures",
                 architecture.absent() ? Value() : List({architecture}));
  properties.Require(
      "Code", code_key.absent()
                  ? Value()
                  : Object({{"S3Bucket", code_bucket}, {"S3Key", code_key}}));
  properties.Require("Role", role);
  properties.Set("MemorySize", memory_mb);
  properties.Set("Timeout", timeout);
  if (!environment.empty()) {
    properties.Set("Environment", Object({{"Variables", Object(environment)}}));
  }
  if (!log_group.absent()) {
    properties.Set("LoggingConfig", LoggingConfig(log_group));
  }
  if (!tracing_mode.absent()) {
    properties.Set("TracingConfig", Object({{"Mode", tracing_mode}}));
  }
  properties.Set("ReservedConcurrentExecutions", reserved_concurrency);
  return properties;
}

ResourceType Permission::Type() { return {.name = "AWS::Lambda::Permission"}; }

Properties Permission::ToProperties() const {
  Properties properties;
  properties.Set("Action", "lambda:InvokeFunction");
  properties.Require("FunctionName", function_name);
  properties.Set("Principal", principal);
  properties.Require("SourceArn", source_arn);
  return properties;
}

ResourceType EventSourceMapping::Type() {
  return {.name = "AWS::Lambda::EventSourceMapping",
          .attributes = {"Id"},
          .tags = ResourceType::Tags::kList};
}

Properties EventSourceMapping::ToProperties() const {
  Properties properties;
  properties.Require("FunctionName", function_name);
  properties.Require("EventSourceArn", queue_arn);
  properties.Set("BatchSize", batch_size);
  properties.Set("FunctionResponseTypes", List({"ReportBatchItemFailures"}));
  if (!max_concurrency.absent()) {
    properties.Set("ScalingConfig",
                   Object({{"MaximumConcurrency", max_concurrency}}));
  }
  return properties;
}

ResourceType EventInvokeConfig::Type() {
  return {.name = "AWS::Lambda::EventInvokeConfig"};
}

Properties EventInvokeConfig::ToProperties() const {
  Properties properties;
  properties.Require("FunctionName", function_name);
  properties.Set("Qualifier", "$LATEST");
  properties.Set("MaximumRetryAttempts", max_retry_attempts);
  properties.Set("MaximumEventAgeInSeconds", max_event_age);
  properties.Set(
      "DestinationConfig",
      Object({{"OnFailure", Object({{"Destination", on_failure}})}}));
  return properties;
}

}  // namespace byoshin::infra::cloudformation::lambda

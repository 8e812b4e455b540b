#include "infra/gen/parts/function.h"

#include <vector>

#include "absl/strings/str_cat.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/logs.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/gen/parts/accepted.h"

namespace byoshin::infra::parts {
namespace {

namespace cfn = cloudformation;

cfn::Resource AddRole(cfn::Template& stack, const FunctionSpec& spec,
                      const cfn::Resource& log_group) {
  std::vector<cfn::iam::Statement> statements = spec.statements;
  // The group's ARN ends with ":*", which stands for its streams.
  statements.push_back(cfn::iam::Allow(
      {"logs:CreateLogStream", "logs:PutLogEvents"}, {log_group.Arn()}));
  statements.push_back(cfn::iam::Allow(
      {"xray:PutTraceSegments", "xray:PutTelemetryRecords"}, {"*"}));
  std::vector<Accepted> accepted = {
      {.rule = "AwsSolutions-IAM5",
       .reason = "Actions for which IAM has no resources, such as those of "
                 "X-Ray.",
       .findings = {"Resource::*"}}};
  accepted.insert(accepted.end(), spec.accepted.begin(), spec.accepted.end());
  return stack.Add(
      absl::StrCat(spec.name, "Role"),
      cfn::iam::Role{
          .description = absl::StrCat("What the ", spec.name, " may do"),
          .assumed_by = "lambda.amazonaws.com",
          .policy_name = absl::StrCat(spec.name, "Policy"),
          .statements = statements},
      {.condition = spec.condition, .metadata = Accept(accepted)});
}

}  // namespace

FunctionResources AddFunction(cfn::Template& stack,
                              const FunctionInputs& inputs,
                              const FunctionSpec& spec) {
  const cfn::Resource log_group = stack.Add(
      absl::StrCat(spec.name, "LogGroup"),
      cfn::logs::LogGroup{.name = cfn::Sub(absl::StrCat(
                              "/byoshin/${AWS::StackName}/", spec.log_name)),
                          .retention_days = inputs.observation.log_retention},
      {.condition = spec.condition, .removal = cfn::RemovalPolicy::kDelete});
  const cfn::Resource role = AddRole(stack, spec, log_group);
  const cfn::Resource function = stack.Add(
      absl::StrCat(spec.name, "Function"),
      cfn::lambda::Function{.description = spec.description,
                            .code_bucket = inputs.code.bucket,
                            .code_key = spec.code_key,
                            .architecture = inputs.code.architecture,
                            .role = role.Arn(),
                            .memory_mb = spec.memory_mb,
                            .timeout = spec.timeout,
                            .environment = spec.environment,
                            .log_group = log_group.Ref(),
                            .tracing_mode = inputs.observation.tracing,
                            .reserved_concurrency = spec.reserved_concurrency},
      {.condition = spec.condition, .depends_on = spec.depends_on});
  return {.function = function, .log_group = log_group};
}

}  // namespace byoshin::infra::parts

#include "infra/gen/parts/parameters.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"

namespace byoshin::infra::parts {
namespace {

namespace cfn = cloudformation;
using cfn::Value;

// https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutRetentionPolicy.html
const std::vector<Value>& LogRetentionChoices() {
  static const auto* const kDays = new std::vector<Value>{
      1,   3,   5,   7,   14,   30,   60,   90,   120,  150,  180,
      365, 400, 545, 731, 1096, 1827, 2192, 2557, 2922, 3288, 3653};
  return *kDays;
}

}  // namespace

Value AddCodeKey(cfn::Template& stack, absl::string_view id,
                 absl::string_view function) {
  stack.AddParameter(
      id,
      {.description = absl::StrCat(
           "Name of the ", function,
           "'s zip below the prefix. It has the zip's content hash, so that "
           "new code is a new name."),
       .allowed_pattern = "^[A-Za-z0-9._-]+\\.zip$",
       .constraint = "the name of a zip file, without folders"});
  return cfn::Sub(absl::StrCat("${", kCodePrefix, "}${", id, "}"));
}

std::string CodeParameter(absl::string_view function) {
  return absl::StrCat(function, "Code");
}

CodeInputs AddCode(cfn::Template& stack, const std::vector<FunctionZip>& zips) {
  CodeInputs code;
  code.bucket = AddCodeBucket(stack);
  for (const FunctionZip& one : zips) {
    code.keys[one.function] =
        AddCodeKey(stack, CodeParameter(one.function), one.function);
  }
  code.architecture = AddArchitecture(stack);
  return code;
}

Value AddCodeBucket(cfn::Template& stack) {
  const Value bucket = stack.AddParameter(
      kCodeBucket,
      {.description = "S3 bucket, in the stack's region, with the zips.",
       .allowed_pattern = "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
       .constraint = "the name of an S3 bucket"});
  stack.AddParameter(
      kCodePrefix,
      {.description = "Folder of the zips in the bucket; ends with a slash.",
       .default_value = "byoshin/",
       .allowed_pattern = "^([A-Za-z0-9!_.*'()-]+/)*$",
       .constraint = "folders, each followed by a slash, or nothing"});
  return bucket;
}

Value AddArchitecture(cfn::Template& stack) {
  return stack.AddParameter(
      kArchitecture, {.description = "Processor that the zips were built for.",
                      .default_value = "x86_64",
                      .allowed_values = {"x86_64"}});
}

Value AddSetLogRole(cfn::Template& stack, absl::string_view api) {
  return stack.AddParameter(
      kSetLogRole,
      {.description = absl::StrCat(
           "Whether to set the role in which API Gateway writes logs, which is "
           "one for the whole account and region. Without any such role the ",
           api, "'s access log can't be turned on."),
       .default_value = "true",
       .allowed_values = {"true", "false"}});
}

ObservationInputs AddObservation(cfn::Template& stack) {
  ObservationInputs inputs;
  inputs.log_retention = stack.AddParameter(
      kLogRetentionDays, {.type = cfn::ParameterType::kNumber,
                          .description = "Days that logs are kept.",
                          .default_value = kDefaultLogRetentionDays,
                          .allowed_values = LogRetentionChoices()});
  inputs.tracing = stack.AddParameter(
      kTracing,
      {.description = "Active sends a trace of every invocation to X-Ray; "
                      "PassThrough only of those that the caller traces.",
       .default_value = "Active",
       .allowed_values = {"Active", "PassThrough"}});
  inputs.alarm_email = stack.AddParameter(
      kAlarmEmail,
      {.description = "Address that alarms are sent to, once it has confirmed. "
                      "Empty: alarms are only shown.",
       .default_value = "",
       .allowed_pattern = "^([^@\\s]+@[^@\\s]+\\.[^@\\s]+)?$",
       .constraint = "empty, or an e-mail address"});
  inputs.traces_requests = stack.AddCondition(
      "TracesRequests", cfn::Equals(inputs.tracing, "Active"));
  inputs.has_alarm_email = stack.AddCondition(
      "HasAlarmEmail", cfn::Not(cfn::Equals(inputs.alarm_email, "")));
  return inputs;
}

Value Group(absl::string_view label, Value::Items parameters) {
  return cfn::Object({{"Label", cfn::Object({{"default", label}})},
                      {"Parameters", cfn::List(std::move(parameters))}});
}

void AddMetadata(cfn::Template& stack, Value::Members code,
                 Value::Items groups) {
  stack.AddMetadata("Byoshin",
                    cfn::Object({{"Code", cfn::Object(std::move(code))}}));
  stack.AddMetadata(
      "AWS::CloudFormation::Interface",
      cfn::Object({{"ParameterGroups", cfn::List(std::move(groups))}}));
}

void AddCodeMetadata(cfn::Template& stack, const std::vector<FunctionZip>& zips,
                     Value::Items groups) {
  Value::Members code;
  Value::Items code_group = {kCodeBucket, kCodePrefix};
  for (const FunctionZip& one : zips) {
    code.emplace_back(CodeParameter(one.function), one.zip);
    code_group.push_back(CodeParameter(one.function));
  }
  code_group.push_back(kArchitecture);
  groups.insert(groups.begin(), Group("Code", std::move(code_group)));
  groups.push_back(
      Group("Observation", {kLogRetentionDays, kTracing, kAlarmEmail}));
  AddMetadata(stack, std::move(code), std::move(groups));
}

}  // namespace byoshin::infra::parts

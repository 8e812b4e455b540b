#include "infra/gen/scheduler/parameters.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"

namespace byoshin::infra::scheduler {
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

// The file of a function's code, by the parameter that names the upload; read
// by //infra:deploy and the local cloud.
constexpr char kSenderCode[] = "SenderCode";
constexpr char kCollectorCode[] = "CollectorCode";
constexpr char kMockApiCode[] = "MockApiCode";

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
  return cfn::Sub(absl::StrCat("${CodePrefix}${", id, "}"));
}

void AddCode(cfn::Template& stack, Inputs& inputs) {
  inputs.code_bucket = stack.AddParameter(
      "CodeBucket",
      {.description = "S3 bucket, in the stack's region, with the zips.",
       .allowed_pattern = "^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$",
       .constraint = "the name of an S3 bucket"});
  stack.AddParameter(
      "CodePrefix",
      {.description = "Folder of the zips in the bucket; ends with a slash.",
       .default_value = "byoshin/",
       .allowed_pattern = "^([A-Za-z0-9!_.*'()-]+/)*$",
       .constraint = "folders, each followed by a slash, or nothing"});
  inputs.sender_code_key = AddCodeKey(stack, kSenderCode, "Sender");
  inputs.collector_code_key = AddCodeKey(stack, kCollectorCode, "Collector");
  inputs.mock_api_code_key = AddCodeKey(stack, kMockApiCode, "mock API");
  inputs.architecture = stack.AddParameter(
      "Architecture", {.description = "Processor that the zips were built for.",
                       .default_value = "x86_64",
                       .allowed_values = {"x86_64"}});
}

void AddApi(cfn::Template& stack, Inputs& inputs) {
  inputs.api_base_url = stack.AddParameter(
      "ApiBaseUrl",
      {.description =
           absl::StrCat("URL of the API to collect from, to which ",
                        byoshin::scheduler::kResponseCountPath,
                        " is appended. Empty: the stack's own mock API."),
       .default_value = "",
       .allowed_pattern = "^(https?://[^\\s?#@]+)?$",
       .constraint = "empty, or an http or https URL without user, query and "
                     "fragment"});
  const Value access = stack.AddParameter(
      "MockApiAccess",
      {.description =
           "Who may call the mock API: anybody, those with the stack's API key "
           "(the Collector presents none, so this needs ApiBaseUrl), or "
           "nobody: "
           "then it is not deployed.",
       .default_value = "public",
       .allowed_values = {"public", "key", "none"}});
  const Value set_log_role = stack.AddParameter(
      "SetApiGatewayLogRole",
      {.description =
           "Whether to set the role in which API Gateway writes logs, which is "
           "one for the whole account and region. Without any such role the "
           "mock API's access log can't be turned on.",
       .default_value = "true",
       .allowed_values = {"true", "false"}});

  stack.AddAssertion(
      "CollectorCanCallTheApi",
      {.when = cfn::Equals(inputs.api_base_url, ""),
       .assert_that = cfn::Equals(access, "public"),
       .otherwise = "Without an ApiBaseUrl the Collector calls the mock API, "
                    "so MockApiAccess must be public."});
  inputs.has_mock_api =
      stack.AddCondition("HasMockApi", cfn::Not(cfn::Equals(access, "none")));
  inputs.calls_mock_api = stack.AddCondition(
      "CallsMockApi", cfn::And({cfn::Condition(inputs.has_mock_api),
                                cfn::Equals(inputs.api_base_url, "")}));
  inputs.needs_api_key =
      stack.AddCondition("NeedsApiKey", cfn::Equals(access, "key"));
  inputs.has_open_mock_api =
      stack.AddCondition("HasOpenMockApi", cfn::Equals(access, "public"));
  inputs.sets_log_role = stack.AddCondition(
      "SetsApiGatewayLogRole", cfn::And({cfn::Condition(inputs.has_mock_api),
                                         cfn::Equals(set_log_role, "true")}));
}

void AddCollection(cfn::Template& stack, Inputs& inputs) {
  const int64_t interval =
      absl::ToInt64Seconds(byoshin::scheduler::kSlotInterval);
  inputs.window_lag = stack.AddParameter(
      "WindowLagSeconds",
      {.description = absl::StrCat(
           "How many seconds the windows that are asked about lie in the past; "
           "a multiple of ",
           interval, ". 0 asks about each window as it begins."),
       .default_value = "0",
       // Ends in 0 or 5: kSlotInterval.
       .allowed_pattern = "^(0|5|[1-9][0-9]{0,2}[05])$",
       .constraint =
           absl::StrCat("a multiple of ", interval, " from 0 to 9995")});
  inputs.table_name = stack.AddParameter(
      "TableName",
      {.description = "Name of the table, which must not exist yet.",
       .default_value = byoshin::scheduler::kMetricsTableName,
       .allowed_pattern = "^[A-Za-z0-9_.-]{3,255}$",
       .constraint = "3 to 255 letters, digits, '-', '_' or '.'"});
  inputs.reserved_concurrency = stack.AddParameter(
      "ReservedConcurrency",
      {.type = cfn::ParameterType::kNumber,
       .description = absl::StrCat(
           "Concurrency set aside for the Collector, which uses up to ",
           kCollectorMaxConcurrency, " when it catches up. 0: none."),
       .default_value = 0,
       .allowed_values = {0, kCollectorMaxConcurrency, 20, 50, 100, 200, 500,
                          1000}});
  static_assert(byoshin::scheduler::kSlotInterval == absl::Seconds(5),
                "the pattern of WindowLagSeconds says so too");
  inputs.reserves_concurrency =
      stack.AddCondition("ReservesConcurrency",
                         cfn::Not(cfn::Equals(inputs.reserved_concurrency, 0)));
}

void AddObservation(cfn::Template& stack, Inputs& inputs) {
  inputs.log_retention = stack.AddParameter(
      "LogRetentionDays", {.type = cfn::ParameterType::kNumber,
                           .description = "Days that logs are kept.",
                           .default_value = kDefaultLogRetentionDays,
                           .allowed_values = LogRetentionChoices()});
  inputs.tracing = stack.AddParameter(
      "Tracing",
      {.description = "Active sends a trace of every invocation to X-Ray; "
                      "PassThrough only of those that the caller traces.",
       .default_value = "Active",
       .allowed_values = {"Active", "PassThrough"}});
  inputs.alarm_email = stack.AddParameter(
      "AlarmEmail",
      {.description = "Address that alarms are sent to, once it has confirmed. "
                      "Empty: alarms are only shown.",
       .default_value = "",
       .allowed_pattern = "^([^@\\s]+@[^@\\s]+\\.[^@\\s]+)?$",
       .constraint = "empty, or an e-mail address"});
  inputs.traces_requests = stack.AddCondition(
      "TracesRequests", cfn::Equals(inputs.tracing, "Active"));
  inputs.has_alarm_email = stack.AddCondition(
      "HasAlarmEmail", cfn::Not(cfn::Equals(inputs.alarm_email, "")));
}

Value Group(absl::string_view label, Value::Items parameters) {
  return cfn::Object({{"Label", cfn::Object({{"default", label}})},
                      {"Parameters", cfn::List(std::move(parameters))}});
}

void AddMetadata(cfn::Template& stack) {
  stack.AddMetadata(
      "Byoshin",
      cfn::Object({{"Code", cfn::Object({{kSenderCode, "sender.zip"},
                                         {kCollectorCode, "collector.zip"},
                                         {kMockApiCode, "mock_api.zip"}})}}));
  stack.AddMetadata(
      "AWS::CloudFormation::Interface",
      cfn::Object(
          {{"ParameterGroups",
            cfn::List(
                {Group("Code", {"CodeBucket", "CodePrefix", kSenderCode,
                                kCollectorCode, kMockApiCode, "Architecture"}),
                 Group("The API that is polled",
                       {"ApiBaseUrl", "MockApiAccess", "SetApiGatewayLogRole"}),
                 Group("Collection", {"WindowLagSeconds", "TableName",
                                      "ReservedConcurrency"}),
                 Group("Observation",
                       {"LogRetentionDays", "Tracing", "AlarmEmail"})})}}));
}

}  // namespace

Inputs AddInputs(cfn::Template& stack) {
  Inputs inputs;
  AddMetadata(stack);
  AddCode(stack, inputs);
  AddApi(stack, inputs);
  AddCollection(stack, inputs);
  AddObservation(stack, inputs);
  return inputs;
}

}  // namespace byoshin::infra::scheduler

#include "infra/gen/scheduler/parameters.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/parts/parameters.h"

namespace byoshin::infra::scheduler {
namespace {

namespace cfn = cloudformation;
using cfn::Value;

// The parameters that name the uploaded code.
constexpr char kSenderCode[] = "SenderCode";
constexpr char kCollectorCode[] = "CollectorCode";
constexpr char kMockApiCode[] = "MockApiCode";

void AddCode(cfn::Template& stack, Inputs& inputs) {
  parts::CodeInputs& code = inputs.functions.code;
  code.bucket = parts::AddCodeBucket(stack);
  inputs.sender_code_key = parts::AddCodeKey(stack, kSenderCode, "Sender");
  inputs.collector_code_key =
      parts::AddCodeKey(stack, kCollectorCode, "Collector");
  inputs.mock_api_code_key = parts::AddCodeKey(stack, kMockApiCode, "mock API");
  code.architecture = parts::AddArchitecture(stack);
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
  const Value set_log_role = parts::AddSetLogRole(stack, "mock API");

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

void AddMetadata(cfn::Template& stack) {
  parts::AddMetadata(
      stack,
      {{kSenderCode, "sender.zip"},
       {kCollectorCode, "collector.zip"},
       {kMockApiCode, "mock_api.zip"}},
      {parts::Group("Code",
                    {parts::kCodeBucket, parts::kCodePrefix, kSenderCode,
                     kCollectorCode, kMockApiCode, parts::kArchitecture}),
       parts::Group("The API that is polled",
                    {"ApiBaseUrl", "MockApiAccess", parts::kSetLogRole}),
       parts::Group("Collection",
                    {"WindowLagSeconds", "TableName", "ReservedConcurrency"}),
       parts::Group("Observation", {parts::kLogRetentionDays, parts::kTracing,
                                    parts::kAlarmEmail})});
}

}  // namespace

Inputs AddInputs(cfn::Template& stack) {
  Inputs inputs;
  AddMetadata(stack);
  AddCode(stack, inputs);
  AddApi(stack, inputs);
  AddCollection(stack, inputs);
  inputs.functions.observation = parts::AddObservation(stack);
  return inputs;
}

}  // namespace byoshin::infra::scheduler

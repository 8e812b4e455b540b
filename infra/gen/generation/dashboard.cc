#include "infra/gen/generation/dashboard.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/generation/constants.h"
#include "core/generation/model_limits.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"
#include "infra/constants.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/parts/widgets.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::Value;
using parts::Graph;
using parts::Grid;
using parts::InSub;
using parts::MetricLine;

Value OwnMetric(absl::string_view metric, absl::string_view statistic,
                absl::string_view label) {
  return MetricLine({core::kMetricsNamespace, metric},
                    {{"stat", statistic}, {"label", label}});
}

using NamedFunctions =
    std::vector<std::pair<std::string, const FunctionResources*>>;

NamedFunctions AllFunctions(const Watched& watched) {
  return {
      {core::kGenerateFunction, &watched.api_functions.generate},
      {core::kStatusFunction, &watched.api_functions.status},
      {core::kRetryFunction, &watched.api_functions.retry},
      {core::kCancelFunction, &watched.api_functions.cancel},
      {core::kHistoryFunction, &watched.api_functions.history},
      {core::kUpdateStateFunction, &watched.workflow_functions.update_state},
      {core::kWorkerFunction, &watched.workflow_functions.worker},
      {core::kCleanUpFunction, &watched.clean_up}};
}

void AddProcesses(Grid& grid) {
  grid.Add("metric", 12,
           Graph("Processes a minute",
                 {OwnMetric(core::kStartedMetric, "Sum", "started"),
                  OwnMetric(core::kCompletedMetric, "Sum", "completed"),
                  OwnMetric(core::kFailedMetric, "Sum", "failed"),
                  OwnMetric(core::kTimeoutMetric, "Sum", "timed out")}));
  grid.Add("metric", 6,
           Graph("Duration of processes (ms)",
                 {OwnMetric(core::kDurationMetric, "p50", "p50"),
                  OwnMetric(core::kDurationMetric, "p99", "p99"),
                  OwnMetric(core::kDurationMetric, "Maximum", "longest")}));
  grid.Add("metric", 6,
           Graph("Waiting processes",
                 {OwnMetric(core::kQueueDepthMetric, "Maximum", "waiting")}));
}

void AddWorkflowAndApi(Grid& grid, const Watched& watched) {
  Value::Items executions;
  for (const char* metric :
       {"ExecutionsStarted", "ExecutionsSucceeded", "ExecutionsFailed",
        "ExecutionsTimedOut", "ExecutionsAborted"}) {
    executions.push_back(MetricLine({"AWS/States", metric, "StateMachineArn",
                                     InSub(watched.workflow.state_machine)},
                                    {{"stat", "Sum"}}));
  }
  Value::Items requests;
  for (const char* metric : {"Count", "4XXError", "5XXError"}) {
    requests.push_back(
        MetricLine({"AWS/ApiGateway", metric, "ApiName", kGenerationApiName},
                   {{"stat", "Sum"}}));
  }
  grid.Add("metric", 8, Graph("Executions", std::move(executions)));
  grid.Add("metric", 8, Graph("Requests", std::move(requests)));
  grid.Add("metric", 8,
           Graph("Database: capacity units",
                 {MetricLine(
                     {"AWS/RDS", "ServerlessDatabaseCapacity",
                      "DBClusterIdentifier", InSub(watched.database.cluster)},
                     {{"stat", "Maximum"}})}));
}

void AddFunctions(Grid& grid, const NamedFunctions& functions) {
  Value::Items errors, durations, concurrency;
  for (const auto& [label, resources] : functions) {
    const std::string name = InSub(resources->function);
    for (const char* metric : {"Errors", "Throttles"}) {
      errors.push_back(MetricLine(
          {"AWS/Lambda", metric, "FunctionName", name},
          {{"stat", "Sum"}, {"label", absl::StrCat(label, " ", metric)}}));
    }
    durations.push_back(
        MetricLine({"AWS/Lambda", "Duration", "FunctionName", name},
                   {{"stat", "p99"}, {"label", label}}));
    concurrency.push_back(
        MetricLine({"AWS/Lambda", "ConcurrentExecutions", "FunctionName", name},
                   {{"stat", "Maximum"}, {"label", label}}));
  }
  grid.Add("metric", 8, Graph("Errors and throttles", std::move(errors)));
  grid.Add("metric", 8, Graph("Duration, p99 (ms)", std::move(durations)));
  grid.Add("metric", 8, Graph("Concurrent executions", std::move(concurrency)));
}

// Calls and tokens of the model, with the account's quotas.
void AddModel(Grid& grid) {
  const auto line = [](const char* metric) {
    return MetricLine({"AWS/Bedrock", metric, "ModelId", "${AskedModel}"},
                      {{"stat", "Sum"}});
  };
  const auto with_quota = [](Value::Members graph, const char* parameter) {
    graph.emplace_back(
        "annotations",
        cfn::Object(
            {{"horizontal",
              cfn::List({cfn::Object(
                  {{"label", "quota"},
                   {"value", absl::StrCat("${", parameter, "}")}})})}}));
    return graph;
  };
  grid.Add("metric", 12,
           with_quota(Graph("Calls of the model a minute",
                            {line("Invocations"), line("InvocationThrottles"),
                             line("InvocationClientErrors"),
                             line("InvocationServerErrors")}),
                      core::kModelRequestsPerMinute));
  grid.Add("metric", 12,
           with_quota(Graph("Tokens a minute", {line("InputTokenCount"),
                                                line("OutputTokenCount")}),
                      core::kModelTokensPerMinute));
}

void AddErrorLines(Grid& grid, const NamedFunctions& functions) {
  std::string query;
  for (const auto& [label, resources] : functions) {
    absl::StrAppend(&query, "SOURCE '", InSub(resources->log_group), "' | ");
  }
  absl::StrAppend(&query,
                  "filter level = 'ERROR' | fields @timestamp, message, "
                  "processId, code, error | sort @timestamp desc | limit 50");
  grid.Add("log", 16, parts::LogWidget("Latest errors", "table", query));
}

// The quotas are numbers: without the quotes of a text.
std::string Unquoted(std::string body) {
  for (const char* parameter :
       {core::kModelRequestsPerMinute, core::kModelTokensPerMinute}) {
    const std::string value = absl::StrCat("${", parameter, "}");
    body =
        absl::StrReplaceAll(body, {{absl::StrCat("\"", value, "\""), value}});
  }
  return body;
}

}  // namespace

void AddDashboard(cfn::Template& stack, const Watched& watched,
                  const Value& model_id,
                  const std::vector<std::string>& alarm_ids) {
  const NamedFunctions functions = AllFunctions(watched);
  Grid grid;
  AddProcesses(grid);
  AddWorkflowAndApi(grid, watched);
  AddModel(grid);
  AddFunctions(grid, functions);
  grid.Add("alarm", 8, parts::AlarmStates(alarm_ids));
  AddErrorLines(grid, functions);
  const cfn::Resource dashboard = stack.Add(
      "Dashboard",
      cfn::cloudwatch::Dashboard{
          .name = cfn::Sub("${AWS::StackName}-${AWS::Region}"),
          .body = cfn::Sub(Unquoted(cfn::ToCompactJson(std::move(grid).Body())),
                           {{"AskedModel", model_id}})});
  stack.AddOutput("DashboardName", {.description = "Dashboard in CloudWatch",
                                    .value = dashboard.Ref()});
}

}  // namespace byoshin::infra::generation

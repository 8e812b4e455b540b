#include "infra/gen/mesh/dashboard.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/mesh/constants.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/cloudformation/writer.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/parts/widgets.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::mesh;
using cfn::Value;
using parts::Graph;
using parts::Grid;
using parts::InSub;
using parts::MetricLine;

struct Line {
  const char* metric;
  const char* statistic;
  const char* label;
};

Value::Items ApiLines(const cfn::Resource& api,
                      const std::vector<Line>& lines) {
  Value::Items items;
  for (const Line& line : lines) {
    items.push_back(MetricLine(
        {"AWS/AppSync", line.metric, "GraphQLAPIId", InSub(api, "ApiId")},
        {{"stat", line.statistic}, {"label", line.label}}));
  }
  return items;
}

Value OwnLine(absl::string_view field, absl::string_view metric,
              absl::string_view label) {
  return MetricLine(
      {core::kMetricsNamespace, metric, core::kFunctionDimension, field},
      {{"stat", "Sum"}, {"label", label}});
}

void AddApiWidgets(Grid& grid, const cfn::Resource& api) {
  grid.Add("metric", 8,
           Graph("Requests", ApiLines(api, {{"Requests", "Sum", "all"},
                                            {"4XXError", "Sum", "4xx"},
                                            {"5XXError", "Sum", "5xx"}})));
  grid.Add("metric", 8,
           Graph("Latency (ms)", ApiLines(api, {{"Latency", "p50", "p50"},
                                                {"Latency", "p99", "p99"}})));
  grid.Add("metric", 8,
           Graph("Connections and subscriptions",
                 ApiLines(api, {{"ActiveConnections", "Maximum", "connections"},
                                {"ActiveSubscriptions", "Maximum",
                                 "subscriptions"}})));
  grid.Add(
      "metric", 8,
      Graph(
          "Deliveries",
          ApiLines(api, {{"PublishDataMessageSuccess", "Sum", "sent"},
                         {"PublishDataMessageServerError", "Sum", "failed"}})));
}

void AddGroupWidgets(Grid& grid) {
  grid.Add(
      "metric", 8,
      Graph("Groups",
            {OwnLine(core::kCreateGroupField, core::kCreatedMetric, "created"),
             OwnLine(core::kCreateGroupField, core::kFoundMetric, "found"),
             OwnLine(core::kDissolveGroupField, core::kDissolvedMetric,
                     "dissolved"),
             OwnLine(core::kLeaveGroupField, core::kLeftMetric,
                     "nodes that left")}));
  grid.Add("metric", 8,
           Graph("Events",
                 {OwnLine(core::kFireEventsField, core::kEventsMetric, "fired"),
                  OwnLine(core::kDissolveGroupField, core::kRemovedMetric,
                          "items removed")}));
}

void AddFunctionWidgets(Grid& grid,
                        const std::vector<NamedFunction>& functions) {
  Value::Items errors, durations, rejected;
  for (const NamedFunction& function : functions) {
    const std::string name = InSub(function.resources->function);
    for (const char* metric : {"Errors", "Throttles"}) {
      errors.push_back(
          MetricLine({"AWS/Lambda", metric, "FunctionName", name},
                     {{"stat", "Sum"},
                      {"label", absl::StrCat(function.name, " ", metric)}}));
    }
    durations.push_back(
        MetricLine({"AWS/Lambda", "Duration", "FunctionName", name},
                   {{"stat", "p99"}, {"label", function.name}}));
    rejected.push_back(
        OwnLine(function.field, core::kRejectedMetric, function.name));
  }
  grid.Add("metric", 8, Graph("Errors and throttles", std::move(errors)));
  grid.Add("metric", 8, Graph("Duration, p99 (ms)", std::move(durations)));
  grid.Add("metric", 8, Graph("Rejected requests", std::move(rejected)));
}

void AddTableWidget(Grid& grid, const cfn::Resource& table) {
  Value::Items lines;
  for (const char* metric :
       {"ConsumedReadCapacityUnits", "ConsumedWriteCapacityUnits",
        "ReadThrottleEvents", "WriteThrottleEvents"}) {
    lines.push_back(
        MetricLine({"AWS/DynamoDB", metric, "TableName", InSub(table)},
                   {{"stat", "Sum"}}));
  }
  grid.Add("metric", 8, Graph("Table", std::move(lines)));
}

void AddErrorWidget(Grid& grid, const std::vector<NamedFunction>& functions) {
  std::string query;
  for (const NamedFunction& function : functions) {
    absl::StrAppend(&query, "SOURCE '", InSub(function.resources->log_group),
                    "' | ");
  }
  absl::StrAppend(&query,
                  "filter level = 'ERROR' | fields @timestamp, message, error "
                  "| sort @timestamp desc | limit 50");
  grid.Add("log", 16, parts::LogWidget("Latest errors", "table", query));
}

}  // namespace

std::vector<NamedFunction> AllFunctions(const Watched& watched) {
  const Functions& functions = watched.functions;
  return {
      {kCreateGroup, core::kCreateGroupField, &functions.create_group},
      {kLeaveGroup, core::kLeaveGroupField, &functions.leave_group},
      {kDissolveGroup, core::kDissolveGroupField, &functions.dissolve_group},
      {kFireEvents, core::kFireEventsField, &functions.fire_events}};
}

void AddDashboard(cfn::Template& stack, const Watched& watched,
                  const std::vector<std::string>& alarm_ids) {
  const std::vector<NamedFunction> functions = AllFunctions(watched);
  Grid grid;
  AddApiWidgets(grid, watched.api.api);
  AddGroupWidgets(grid);
  AddFunctionWidgets(grid, functions);
  AddTableWidget(grid, watched.table);
  grid.Add("alarm", 8, parts::AlarmStates(alarm_ids));
  AddErrorWidget(grid, functions);
  const cfn::Resource dashboard = stack.Add(
      "Dashboard",
      cfn::cloudwatch::Dashboard{
          .name = cfn::Sub("${AWS::StackName}-${AWS::Region}"),
          .body = cfn::Sub(cfn::ToCompactJson(std::move(grid).Body()))});
  stack.AddOutput("DashboardName", {.description = "Dashboard in CloudWatch",
                                    .value = dashboard.Ref()});
}

}  // namespace byoshin::infra::mesh

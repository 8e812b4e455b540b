#include "infra/gen/mesh/alarms.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "infra/cloudformation/cloudwatch.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/mesh/dashboard.h"
#include "infra/gen/mesh/parameters.h"
#include "infra/gen/parts/alarms.h"

namespace byoshin::infra::mesh {
namespace {

namespace cfn = cloudformation;
using cfn::cloudwatch::Alarm;

// An alarm on something that may happen once without harm.
Alarm RepeatedMeshAlarm(std::string description, std::string metric_namespace,
                        std::string metric) {
  return {.description = std::move(description),
          .metric_namespace = std::move(metric_namespace),
          .metric = std::move(metric),
          .statistic = "Sum",
          .period = kAlarmPeriod,
          .evaluation_periods = kAlarmPeriods,
          .datapoints_to_alarm = kAlarmBadPeriods,
          .comparison = Alarm::Comparison::kAtLeast,
          .threshold = 1};
}

void AddApiAlarms(parts::AlarmAdder& alarms, const cfn::Resource& api) {
  const auto add = [&](const char* id, Alarm alarm) {
    alarm.dimensions = {{"GraphQLAPIId", api.Attribute("ApiId")}};
    alarms.Add(id, std::move(alarm));
  };
  constexpr char kNamespace[] = "AWS/AppSync";
  add("ApiErrorsAlarm",
      RepeatedMeshAlarm("AppSync answers requests with 5xx; clients repeat "
                        "mutations.",
                        kNamespace, "5XXError"));
  add("ConnectErrorsAlarm",
      RepeatedMeshAlarm("AppSync fails to connect subscribers.", kNamespace,
                        "ConnectServerError"));
  add("PublishErrorsAlarm",
      RepeatedMeshAlarm("AppSync fails to deliver data and events.", kNamespace,
                        "PublishDataMessageServerError"));
  Alarm latency = RepeatedMeshAlarm(
      absl::StrCat("One of a hundred requests takes more than ",
                   absl::FormatDuration(kMeshLatencyAlarm), "."),
      kNamespace, "Latency");
  latency.statistic = "p99";
  latency.comparison = Alarm::Comparison::kMoreThan;
  latency.threshold = absl::ToInt64Milliseconds(kMeshLatencyAlarm);
  add("ApiLatencyAlarm", std::move(latency));
}

void AddFunctionAlarms(parts::AlarmAdder& alarms,
                       const NamedFunction& function) {
  const auto add = [&](const char* suffix, Alarm alarm) {
    alarm.dimensions = {{"FunctionName", function.resources->function.Ref()}};
    alarms.Add(absl::StrCat(function.name, suffix), std::move(alarm));
  };
  add("ErrorsAlarm",
      RepeatedMeshAlarm(
          absl::StrCat(function.name, " fails; errors of clients don't count."),
          "AWS/Lambda", "Errors"));
  add("ThrottlesAlarm",
      RepeatedMeshAlarm(
          absl::StrCat(function.name, " is throttled: too many at once."),
          "AWS/Lambda", "Throttles"));
}

void AddTableAlarms(parts::AlarmAdder& alarms, const cfn::Resource& table) {
  const auto add = [&](const char* id, const char* metric) {
    Alarm alarm = RepeatedMeshAlarm(
        "The table is throttled: a partition has too much to do.",
        "AWS/DynamoDB", metric);
    alarm.dimensions = {{"TableName", table.Ref()}};
    alarms.Add(id, std::move(alarm));
  };
  add("ReadThrottlesAlarm", "ReadThrottleEvents");
  add("WriteThrottlesAlarm", "WriteThrottleEvents");
}

}  // namespace

std::vector<std::string> AddAlarms(cfn::Template& stack, const Inputs& inputs,
                                   const Watched& watched) {
  parts::AlarmAdder alarms(
      stack, parts::AddAlarmTopic(stack, inputs.functions.observation));
  AddApiAlarms(alarms, watched.api.api);
  for (const NamedFunction& function : AllFunctions(watched)) {
    AddFunctionAlarms(alarms, function);
  }
  AddTableAlarms(alarms, watched.table);
  return alarms.Take();
}

}  // namespace byoshin::infra::mesh

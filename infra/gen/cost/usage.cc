#include "infra/gen/cost/usage.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "absl/time/time.h"
#include "core/aws/sqs/client.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "infra/cloudformation/template.h"
#include "infra/constants.h"
#include "infra/gen/cost/measurements.h"
#include "infra/gen/scheduler_stack.h"

namespace byoshin::infra::cost {
namespace {

namespace core = ::byoshin::scheduler;

constexpr double kMinutes = 30 * 24 * 60;
constexpr double kSlots = kMinutes * core::kSlotsPerMinute;
constexpr double kBytesPerGb = 1 << 30;
constexpr double kMbPerGb = 1024;

// One of the functions over the month.
struct Invocations {
  double count;
  Measurement each;
};

std::vector<Invocations> AllInvocations(const Deployment& deployment) {
  std::vector<Invocations> all = {{kMinutes, kSenderMeasurement},
                                  {kSlots, kCollectorMeasurement}};
  if (deployment.mock_api == Deployment::MockApi::kDeployed) {
    all.push_back({kSlots, kMockApiMeasurement});
  }
  return all;
}

// Lambda rounds up to milliseconds.
absl::Duration BilledDuration(const Measurement& measurement) {
  const absl::Duration working =
      measurement.cpu * kMemoryOfOneProcessorMb / kFunctionMemoryMb;
  return absl::Ceil(working + measurement.waiting, absl::Milliseconds(1));
}

double GbSeconds(const std::vector<Invocations>& all) {
  double total = 0;
  for (const Invocations& one : all) {
    total += one.count * absl::ToDoubleSeconds(BilledDuration(one.each)) *
             kFunctionMemoryMb / kMbPerGb;
  }
  return total;
}

double LogGb(const std::vector<Invocations>& all, double api_requests) {
  double bytes = api_requests * (kAccessLogBytes + kLogOverheadBytes);
  for (const Invocations& one : all) {
    const int lines = one.each.log_lines + kPlatformLogLines;
    bytes += one.count * (one.each.log_bytes + kPlatformLogBytes +
                          lines * kLogOverheadBytes);
  }
  return bytes / kBytesPerGb;
}

double SqsRequests() {
  const double sends = std::ceil(static_cast<double>(core::kSlotsPerMinute) /
                                 aws::sqs::kMaxBatchEntries);
  const double deliveries =
      static_cast<double>(core::kSlotsPerMinute) / core::kCollectorBatchSize;
  // At most one that ends without a message for each that could have lasted.
  const double empty =
      kPollers * absl::FDivDuration(absl::Minutes(1), kLongPoll);
  return kMinutes * (sends + 2 * deliveries + empty);  // received and deleted
}

// The names and values of an item, as DynamoDB counts them.
double ItemBytes() {
  constexpr char kSlotTime[] = "2025-12-02T10:23:05Z";
  constexpr int kCountBytes = 3;
  return std::strlen(core::kMetricNameKey) + std::strlen(core::kMetricName) +
         std::strlen(core::kSlotTimeKey) + std::strlen(kSlotTime) +
         std::strlen(core::kCountAttribute) + kCountBytes + kItemOverheadBytes;
}

// The number of resources of a type in the stack; those of the mock API have a
// condition.
int CountResources(const Deployment& deployment, const std::string& type) {
  const cloudformation::Template stack = SchedulerStack().build();
  int count = 0;
  for (const auto& resource : stack.resources()) {
    if (resource.type.name != type) continue;
    if (deployment.mock_api == Deployment::MockApi::kNone &&
        !resource.options.condition.empty()) {
      continue;
    }
    ++count;
  }
  return count;
}

int CustomMetrics() {
  constexpr const char* kMetrics[] = {
      core::kSentMetric,        core::kSendFailedMetric,
      core::kStoredMetric,      core::kDuplicateMetric,
      core::kFailedMetric,      core::kApiLatencyMetric,
      core::kSlotLatenessMetric};
  return static_cast<int>(std::size(kMetrics));
}

}  // namespace

std::vector<Usage> MonthlyUsage(const Deployment& deployment) {
  const std::vector<Invocations> all = AllInvocations(deployment);
  double requests = 0;
  for (const Invocations& one : all) requests += one.count;
  const double api_requests =
      deployment.mock_api == Deployment::MockApi::kDeployed ? kSlots : 0;
  // A request to the mock API and what it invokes are one trace. At less than
  // one a second all are traced.
  const double traces = deployment.tracing == Deployment::Tracing::kActive
                            ? kMinutes + kSlots + api_requests
                            : 0;
  const double stored_gb = kSlots * ItemBytes() / kBytesPerGb;
  return {
      {"Lambda", "requests", "lambda_requests", requests},
      {"Lambda", "GB-seconds", "lambda_gb_seconds", GbSeconds(all)},
      {"DynamoDB", "writes", "dynamodb_writes", kSlots},
      {"DynamoDB", "GB stored, first month", "dynamodb_storage_gb", stored_gb},
      {"DynamoDB", "GB restorable", "dynamodb_recovery_gb", stored_gb},
      {"SQS", "requests", "sqs_requests", SqsRequests()},
      {"API Gateway", "requests", "api_gateway_requests", api_requests},
      {"EventBridge", "scheduled events", "eventbridge_scheduled_events",
       kMinutes},
      {"CloudWatch", "GB of logs", "cloudwatch_log_gb",
       LogGb(all, api_requests)},
      {"CloudWatch", "custom metrics", "cloudwatch_metrics",
       static_cast<double>(CustomMetrics())},
      {"CloudWatch", "alarms", "cloudwatch_alarms",
       static_cast<double>(
           CountResources(deployment, "AWS::CloudWatch::Alarm"))},
      {"CloudWatch", "dashboards", "cloudwatch_dashboards",
       static_cast<double>(
           CountResources(deployment, "AWS::CloudWatch::Dashboard"))},
      {"X-Ray", "traces", "xray_traces", traces},
      {"KMS", "requests", "kms_requests",
       kMinutes / absl::FDivDuration(kKeyLifetime, absl::Minutes(1))},
  };
}

}  // namespace byoshin::infra::cost

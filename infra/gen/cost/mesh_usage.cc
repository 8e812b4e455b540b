#include "infra/gen/cost/mesh_usage.h"

#include <vector>

#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "infra/cloudformation/template.h"
#include "infra/constants.h"
#include "infra/gen/cost/usage.h"
#include "infra/gen/mesh_stack.h"

namespace byoshin::infra::cost {
namespace {

// A lesson, assumed: so many nodes, of which each reports once a second and
// fires an event every ten seconds.
constexpr double kLessonNodes = 40;
constexpr absl::Duration kLesson = absl::Minutes(45);
constexpr double kReportsPerSecond = 1;
constexpr double kEventsPerSecond = 0.1;
// AppSync counts a message of up to 5 KB as one, and a minute of a connection.
constexpr double kMeshBytesPerGb = 1 << 30;
constexpr double kMeshItemBytes = 300;
// A function that waits for the table, and its log.
constexpr absl::Duration kMeshCall = absl::Milliseconds(25);
constexpr double kMeshLogBytes = 1200;

double CountMeshResources(const char* type) {
  double count = 0;
  const cloudformation::Template stack = MeshStack().build();
  for (const auto& resource : stack.resources()) {
    if (resource.type.name == type) ++count;
  }
  return count;
}

}  // namespace

std::vector<Usage> MeshUsage(double lessons) {
  const double seconds = absl::ToDoubleSeconds(kLesson);
  const double reports = lessons * kLessonNodes * seconds * kReportsPerSecond;
  const double fires = lessons * kLessonNodes * seconds * kEventsPerSecond;
  const double heartbeats =
      lessons *
      (absl::FDivDuration(kLesson,
                          byoshin::mesh::kProductionIntervals.host_heartbeat) +
       kLessonNodes *
           absl::FDivDuration(
               kLesson, byoshin::mesh::kProductionIntervals.member_heartbeat));
  const double joins = lessons * kLessonNodes;
  const double requests = reports + fires + heartbeats + 3 * joins;
  // Everyone gets everything.
  const double deliveries = (reports + fires) * kLessonNodes;
  const double calls = fires + joins + 2 * lessons;
  // A report writes its status twice; what was written is removed for free by
  // its time to live, or once more by dissolving.
  const double writes = 2 * reports + 2 * fires + heartbeats + 2 * joins;
  // The group and the node are read before a report is stored and after it; of
  // an event and a node that joins, the group is.
  const double reads = 4 * reports + 3 * fires + heartbeats + 2 * joins;
  constexpr double kMeshMetrics = 11;
  return {
      {"AppSync", "queries and mutations", "appsync_requests", requests},
      {"AppSync", "messages to subscribers", "appsync_messages", deliveries},
      {"AppSync", "minutes of connections", "appsync_connection_minutes",
       lessons * kLessonNodes * absl::ToDoubleMinutes(kLesson)},
      {"Lambda", "requests", "lambda_requests", calls},
      {"Lambda", "GB-seconds", "lambda_gb_seconds",
       calls * absl::ToDoubleSeconds(kMeshCall) * kFunctionMemoryMb / 1024},
      {"DynamoDB", "writes", "dynamodb_writes", writes},
      {"DynamoDB", "reads", "dynamodb_reads", reads},
      {"DynamoDB", "GB stored, of one lesson", "dynamodb_storage_gb",
       fires / lessons * kMeshItemBytes / kMeshBytesPerGb},
      {"DynamoDB", "GB restorable", "dynamodb_recovery_gb",
       fires / lessons * kMeshItemBytes / kMeshBytesPerGb},
      {"CloudWatch", "GB of logs", "cloudwatch_log_gb",
       calls * kMeshLogBytes / kMeshBytesPerGb},
      {"CloudWatch", "custom metrics", "cloudwatch_metrics", kMeshMetrics},
      {"CloudWatch", "alarms", "cloudwatch_alarms",
       CountMeshResources("AWS::CloudWatch::Alarm")},
      {"CloudWatch", "dashboards", "cloudwatch_dashboards",
       CountMeshResources("AWS::CloudWatch::Dashboard")},
      // At the default rate of sampling: one a second, and 5% of the others.
      {"X-Ray", "traces", "xray_traces",
       lessons * seconds + 0.05 * (requests - lessons * seconds)},
  };
}

}  // namespace byoshin::infra::cost

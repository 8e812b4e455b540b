#include "infra/gen/cost/generation_usage.h"

#include <vector>

#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "infra/cloudformation/template.h"
#include "infra/constants.h"
#include "infra/gen/cost/usage.h"
#include "infra/gen/generation_stack.h"

namespace byoshin::infra::cost {
namespace {

namespace names = ::byoshin::generation;

constexpr double kHours = 30 * 24;
constexpr double kMbInGb = 1024;
constexpr double kBytesInGb = 1 << 30;

// Of one goal: its sub-goals, all actions, all tasks.
constexpr double kProcesses = 3;
constexpr double kQuestions =
    1 + names::kSubGoalsPerGoal +
    names::kSubGoalsPerGoal * names::kActionsPerSubGoal;
// Assumed: a model answers in three seconds, and pages ask for the status every
// two seconds meanwhile.
constexpr absl::Duration kAnswerTime = absl::Seconds(3);
constexpr absl::Duration kPollInterval = absl::Seconds(2);
// Of a question, with its schema, and of an answer; assumed, too.
constexpr double kInputTokens = 900;
constexpr double kOutputTokens = 600;
// Statements for an answer that is saved: begin, progress, lock, remove,
// insert, commit. For a process besides: admission, target, insert, states.
constexpr double kStatementsPerQuestion = 6;
constexpr double kStatementsPerProcess = 14;
// States entered, and what is started and succeeds.
constexpr double kTransitionsPerProcess = 4;
constexpr double kLogBytesPerCall = 700;
// A clean-up's statements: for old, abandoned and pending processes.
constexpr double kStatementsPerSweep = 3;
constexpr double kRowBytes = 150'000;  // of a whole chart, with indexes
// A call of a function that waits for the database.
constexpr absl::Duration kApiCall = absl::Milliseconds(30);
// Active users: each has five goals a month.
constexpr double kGoalsPerUser = 5;

int CountOf(const char* type) {
  const cloudformation::Template stack = GenerationStack().build();
  int count = 0;
  for (const auto& resource : stack.resources()) {
    if (resource.type.name == type) ++count;
  }
  return count;
}

}  // namespace

std::vector<Usage> GenerationUsage(double goals) {
  const double questions = goals * kQuestions;
  const double processes = goals * kProcesses;
  const double working_seconds = questions * absl::ToDoubleSeconds(kAnswerTime);
  const double polls =
      questions * absl::FDivDuration(kAnswerTime, kPollInterval);
  const double requests = processes + polls;
  const double sweeps =
      absl::FDivDuration(absl::Hours(1), names::kSweepInterval) * kHours;
  // Updates are two for each process.
  const double calls = requests + processes * 3 + sweeps;
  const double gb_seconds =
      working_seconds * names::kWorkerMemoryMegabytes / kMbInGb +
      (requests + processes * 2) * absl::ToDoubleSeconds(kApiCall) *
          names::kApiMemoryMegabytes / kMbInGb +
      sweeps * absl::ToDoubleSeconds(kStatementsPerSweep * kApiCall) *
          kMaintenanceMemoryMb / kMbInGb;
  const double statements = questions * kStatementsPerQuestion +
                            processes * kStatementsPerProcess + polls +
                            sweeps * kStatementsPerSweep;
  constexpr double kMetrics = 6;
  return {
      {"Lambda", "requests", "lambda_requests", calls},
      {"Lambda", "GB-seconds", "lambda_gb_seconds", gb_seconds},
      {"Bedrock", "input tokens, Nova Lite", "bedrock_nova_lite_input",
       questions * kInputTokens},
      {"Bedrock", "output tokens, Nova Lite", "bedrock_nova_lite_output",
       questions * kOutputTokens},
      {"Aurora", "capacity unit hours, at the least", "aurora_acu_hours",
       kHours * kDefaultMinCapacity},
      {"Aurora", "GB stored", "aurora_storage_gb",
       goals * kRowBytes / kBytesInGb},
      {"Aurora", "calls of the Data API", "rds_data_requests", statements},
      {"Step Functions", "state transitions", "states_transitions",
       processes * kTransitionsPerProcess},
      {"API Gateway", "requests", "api_gateway_requests", requests},
      {"Cognito", "active users", "cognito_users", goals / kGoalsPerUser},
      {"Secrets Manager", "secrets", "secrets",
       // And the owner's, which RDS makes.
       static_cast<double>(CountOf("AWS::SecretsManager::Secret") + 1)},
      {"CloudWatch", "GB of logs", "cloudwatch_log_gb",
       (calls + requests) * kLogBytesPerCall / kBytesInGb},
      {"CloudWatch", "custom metrics", "cloudwatch_metrics", kMetrics},
      {"CloudWatch", "alarms", "cloudwatch_alarms",
       static_cast<double>(CountOf("AWS::CloudWatch::Alarm"))},
      {"CloudWatch", "dashboards", "cloudwatch_dashboards",
       static_cast<double>(CountOf("AWS::CloudWatch::Dashboard"))},
      {"X-Ray", "traces", "xray_traces", requests + sweeps},
  };
}

}  // namespace byoshin::infra::cost

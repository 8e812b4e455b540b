// The numbers and names of asynchronous generation, shared by the functions,
// the template, the local cloud and the tests. Names of types, states and error
// codes are in process.h and api_error.h; template parameters that limit the
// model are in model_limits.h.
#ifndef BYOSHIN_CORE_GENERATION_CONSTANTS_H_
#define BYOSHIN_CORE_GENERATION_CONSTANTS_H_

#include <cstddef>

#include "absl/time/time.h"

namespace byoshin::generation {

// The API.
inline constexpr char kGeneratePath[] = "/api/ai/async/generate";
inline constexpr char kStatusPath[] = "/api/ai/async/status/{processId}";
inline constexpr char kRetryPath[] = "/api/ai/async/retry/{processId}";
inline constexpr char kCancelPath[] = "/api/ai/async/cancel/{processId}";
inline constexpr char kHistoryPath[] = "/api/ai/async/history";
inline constexpr char kProcessIdParameter[] = "processId";
// The claim of the ID token that identifies the user.
inline constexpr char kUserClaim[] = "sub";

// Limits of requests, in characters unless said otherwise.
inline constexpr std::size_t kMaxTitleLength = 200;
inline constexpr std::size_t kMaxDescriptionLength = 2000;
inline constexpr std::size_t kMaxBackgroundLength = 1000;
inline constexpr std::size_t kMaxConstraintsLength = 1000;
// The longest valid request, with every character escaped, is smaller.
inline constexpr std::size_t kMaxRequestBytes = std::size_t{64} << 10;
inline constexpr int kDefaultPageSize = 20;
inline constexpr int kMaxPageSize = 100;
inline constexpr int kMaxPage = 1'000'000;
inline constexpr int kMaxRetries = 3;
// Requests of one user to `generate` and `retry`.
inline constexpr int kRateLimit = 20;
inline constexpr absl::Duration kRateWindow = absl::Minutes(1);

// What a model must answer. The limits keep the result of a process below the
// Data API's 64 KB per row.
inline constexpr int kSubGoalsPerGoal = 8;
inline constexpr int kActionsPerSubGoal = 8;
inline constexpr int kMinTasksPerAction = 1;
inline constexpr int kMaxTasksPerAction = 4;
inline constexpr std::size_t kMaxItemTitleLength = 50;
inline constexpr std::size_t kMaxTaskTitleLength = 40;
inline constexpr std::size_t kMaxItemDescriptionLength = 300;
inline constexpr absl::Duration kMinTaskTime = absl::Minutes(15);
inline constexpr absl::Duration kMaxTaskTime = absl::Minutes(120);
// How often a model is asked again after an answer that is not acceptable.
inline constexpr int kMaxComplaints = 2;

// From createdAt to estimatedCompletionTime.
inline constexpr absl::Duration kSubGoalEstimate = absl::Seconds(60);
inline constexpr absl::Duration kActionEstimate = absl::Seconds(180);
inline constexpr absl::Duration kTaskEstimate = absl::Seconds(120);

// Progress in percent.
inline constexpr int kModelAnsweredProgress = 50;  // of SUBGOAL_GENERATION
inline constexpr int kCompleteProgress = 100;

// The workflow.
inline constexpr absl::Duration kWorkerTaskTimeout = absl::Seconds(300);
inline constexpr absl::Duration kHeartbeatTimeout = absl::Seconds(60);
inline constexpr absl::Duration kWorkflowTimeout = absl::Minutes(10);
inline constexpr int kRetryAttempts = 3;
inline constexpr absl::Duration kRetryInterval = absl::Seconds(1);
inline constexpr double kRetryBackoffRate = 2;

// The functions.
inline constexpr int kApiMemoryMegabytes = 512;
inline constexpr absl::Duration kApiTimeout = absl::Seconds(30);
inline constexpr int kApiConcurrency = 50;
inline constexpr int kWorkerMemoryMegabytes = 1024;
// Longer than the task's timeout: a function that times out by itself would end
// the process as FAILED.
inline const absl::Duration kWorkerTimeout =
    kWorkerTaskTimeout + absl::Seconds(15);
inline constexpr int kWorkerConcurrency = 10;
// Reserved before a function's deadline, to report the outcome.
inline constexpr absl::Duration kDeadlineMargin = absl::Seconds(2);
// A question to the model, retries included, ends before the next heartbeat is
// due.
inline constexpr absl::Duration kModelCallTimeout = absl::Seconds(45);

// Housekeeping.
inline constexpr absl::Duration kRetention = absl::Hours(24 * 90);
// A process that is not over by then has lost its workflow.
inline constexpr absl::Duration kAbandonedAfter = absl::Hours(1);
// How often the clean-up runs. A database that may pause is not woken as often.
inline constexpr absl::Duration kSweepInterval = absl::Minutes(5);
inline constexpr absl::Duration kPausingSweepInterval = absl::Hours(1);
// A process that is PENDING for so long may have no execution: the function
// that adds it and starts its execution has ended.
inline const absl::Duration kUnstartedAfter = 2 * kApiTimeout;
// Executions that a sweep starts at most; the others are left to the next.
inline constexpr int kMaxSweptProcesses = 200;

// Environment variables that the functions read.
inline constexpr char kStateMachineVariable[] = "STATE_MACHINE_ARN";
inline constexpr char kClusterVariable[] = "DATABASE_CLUSTER_ARN";
inline constexpr char kSecretVariable[] = "DATABASE_SECRET_ARN";
inline constexpr char kDatabaseVariable[] = "DATABASE_NAME";
inline constexpr char kModelIdVariable[] = "MODEL_ID";
inline constexpr char kModelTemperatureVariable[] = "MODEL_TEMPERATURE";
inline constexpr char kModelMaxTokensVariable[] = "MODEL_MAX_TOKENS";
inline constexpr char kAllowedOriginVariable[] = "ALLOWED_ORIGIN";

// Of the migration function: the secrets of the database's other users.
inline constexpr char kReaderSecretVariable[] = "READER_SECRET_ARN";
inline constexpr char kWriterSecretVariable[] = "WRITER_SECRET_ARN";

// The database's users. The owner makes the schema, the reader only reads
// processes, and the writer changes rows and nothing else; see
// migrations/0003_grant_access.sql.
inline constexpr char kOwnerUser[] = "generation_owner";
inline constexpr char kReaderUser[] = "generation_reader";
inline constexpr char kWriterUser[] = "generation_writer";

// The stack, its template's parameters, and the defaults of the variables
// above.
inline constexpr char kStackName[] = "generation";
inline constexpr char kStageNameParameter[] = "StageName";
inline constexpr char kDefaultStageName[] = "prod";
inline constexpr char kSelfSignUpParameter[] = "SelfSignUp";
inline constexpr char kModelIdParameter[] = "ModelId";
inline constexpr char kModelProfileParameter[] = "ModelProfile";
inline constexpr char kModelTemperatureParameter[] = "ModelTemperature";
inline constexpr char kModelMaxTokensParameter[] = "ModelMaxTokens";
inline constexpr char kAllowedOriginParameter[] = "AllowedOrigin";
inline constexpr char kDefaultModelId[] = "amazon.nova-lite-v1:0";
inline constexpr double kDefaultModelTemperature = 0.7;
inline constexpr int kDefaultModelMaxTokens = 4096;
inline constexpr char kDefaultAllowedOrigin[] = "*";
inline constexpr char kDefaultDatabaseName[] = "generation";

// The template's outputs.
inline constexpr char kApiUrlOutput[] = "ApiUrl";
inline constexpr char kUserPoolIdOutput[] = "UserPoolId";
inline constexpr char kUserPoolClientIdOutput[] = "UserPoolClientId";
inline constexpr char kStateMachineArnOutput[] = "StateMachineArn";
inline constexpr char kClusterArnOutput[] = "DatabaseClusterArn";
inline constexpr char kReaderSecretArnOutput[] = "DatabaseReaderSecretArn";
inline constexpr char kDatabaseNameOutput[] = "DatabaseName";

// The functions' names; "Function" is appended in the template's ids.
inline constexpr char kGenerateFunction[] = "AsyncProcessingHandler";
inline constexpr char kStatusFunction[] = "StatusCheckHandler";
inline constexpr char kRetryFunction[] = "RetryHandler";
inline constexpr char kCancelFunction[] = "CancelHandler";
inline constexpr char kHistoryFunction[] = "HistoryHandler";
inline constexpr char kUpdateStateFunction[] = "UpdateProcessingState";
inline constexpr char kWorkerFunction[] = "AIGenerationWorker";
inline constexpr char kMigrationFunction[] = "Migration";
inline constexpr char kCleanUpFunction[] = "CleanUp";

// The workflow's states.
inline constexpr char kToProcessingState[] = "UpdateStatusToProcessing";
inline constexpr char kWorkerState[] = "ExecuteAIGeneration";
inline constexpr char kToCompletedState[] = "UpdateStatusToCompleted";
inline constexpr char kTimeoutState[] = "HandleTimeout";
inline constexpr char kErrorState[] = "HandleError";

// CloudWatch metrics that the functions emit.
inline constexpr char kMetricsNamespace[] = "Byoshin/Generation";
inline constexpr char kStartedMetric[] = "AsyncProcessingStarted";
inline constexpr char kCompletedMetric[] = "AsyncProcessingCompleted";
inline constexpr char kFailedMetric[] = "AsyncProcessingFailed";
inline constexpr char kTimeoutMetric[] = "AsyncProcessingTimeout";
inline constexpr char kDurationMetric[] = "ProcessingDuration";
inline constexpr char kQueueDepthMetric[] = "QueueDepth";

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_CONSTANTS_H_

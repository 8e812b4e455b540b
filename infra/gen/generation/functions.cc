#include "infra/gen/generation/functions.h"

#include <string>
#include <utility>
#include <vector>

#include "core/crypto/hex.h"
#include "core/crypto/sha256.h"
#include "core/generation/constants.h"
#include "core/generation/migrator.h"
#include "infra/cloudformation/customresource.h"
#include "infra/cloudformation/events.h"
#include "infra/cloudformation/iam.h"
#include "infra/cloudformation/lambda.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/generation/database.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/parts/function.h"
#include "infra/gen/parts/rest_api.h"

namespace byoshin::infra::generation {
namespace {

namespace cfn = cloudformation;
namespace core = ::byoshin::generation;
using cfn::Value;
using cfn::iam::Allow;
using cfn::iam::Statement;

constexpr char kExecuteStatement[] = "ExecuteStatement";

// Operations for changes that belong together.
const std::vector<std::string>& TransactionOperations() {
  static const auto* const operations = new std::vector<std::string>{
      kExecuteStatement, "BatchExecuteStatement", "BeginTransaction",
      "CommitTransaction", "RollbackTransaction"};
  return *operations;
}

// What a function may do with the database, and as whom.
struct Access {
  Value secret_arn{};
  std::vector<std::string> operations = {kExecuteStatement};
};

// A function of the database; `spec` has what else it needs.
FunctionResources AddDatabaseFunction(cfn::Template& stack,
                                      const Inputs& inputs,
                                      const Database& database,
                                      const Access& access,
                                      parts::FunctionSpec spec) {
  spec.code_key = inputs.functions.code.keys.at(spec.name);
  Value::Members environment = DatabaseVariables(database, access.secret_arn);
  environment.insert(environment.end(), spec.environment.begin(),
                     spec.environment.end());
  spec.environment = std::move(environment);
  std::vector<Statement> statements =
      DatabaseStatements(database, access.secret_arn, access.operations);
  statements.insert(statements.end(), spec.statements.begin(),
                    spec.statements.end());
  spec.statements = std::move(statements);
  spec.depends_on = database.prerequisites;
  return parts::AddFunction(stack, inputs.functions, spec);
}

Value Reserved(const Inputs& inputs, int concurrency) {
  return cfn::If(inputs.reserves_concurrency, concurrency, cfn::NoValue());
}

// What the worker asks. A profile forwards to the model in several regions.
Value ModelArns(const Inputs& inputs) {
  return cfn::If(
      inputs.has_model_profile,
      cfn::Sub("arn:${AWS::Partition}:bedrock:*::foundation-model/${ModelId}"),
      cfn::Sub("arn:${AWS::Partition}:bedrock:${AWS::Region}::foundation-model/"
               "${ModelId}"));
}

Value ProfileArn(const Inputs& inputs) {
  return cfn::If(inputs.has_model_profile,
                 cfn::Sub("arn:${AWS::Partition}:bedrock:${AWS::Region}:"
                          "${AWS::AccountId}:inference-profile/"
                          "${ModelProfile}.${ModelId}"),
                 cfn::NoValue());
}

FunctionResources AddWorker(cfn::Template& stack, const Inputs& inputs,
                            const Database& database) {
  return AddDatabaseFunction(
      stack, inputs, database,
      {.secret_arn = database.writer_secret.Ref(),
       .operations = TransactionOperations()},
      {.name = core::kWorkerFunction,
       .log_name = "worker",
       .description = "Asks the model and saves what it answers.",
       .timeout = core::kWorkerTimeout,
       .memory_mb = core::kWorkerMemoryMegabytes,
       .environment = {{core::kModelIdVariable, ModelId(inputs)},
                       {core::kModelTemperatureVariable,
                        inputs.model_temperature},
                       {core::kModelMaxTokensVariable,
                        inputs.model_max_tokens}},
       // Task tokens have no resources for policies.
       .statements = {Allow({"bedrock:InvokeModel"},
                            {ModelArns(inputs), ProfileArn(inputs)}),
                      Allow({"states:SendTaskSuccess", "states:SendTaskFailure",
                             "states:SendTaskHeartbeat"},
                            {"*"})},
       .accepted = {{.rule = "AwsSolutions-IAM5",
                     .reason = "An inference profile forwards to its model, "
                               "and to no other, in several regions.",
                     .findings = {"/^Resource::.*:bedrock:\\*::/"}}},
       .reserved_concurrency = Reserved(inputs, core::kWorkerConcurrency)});
}

// Asynchronous invocations that fail go to the queue after some attempts.
void KeepFailures(cfn::Template& stack, const char* id,
                  const FunctionResources& function,
                  const cfn::Resource& failures) {
  stack.Add(id, cfn::lambda::EventInvokeConfig{
                    .function_name = function.function.Ref(),
                    .max_retry_attempts = kSenderRetryAttempts,
                    .max_event_age = kMaxEventAge,
                    .on_failure = failures.Arn()});
}

Statement SendTo(const cfn::Resource& queue) {
  return Allow({"sqs:SendMessage"}, {queue.Arn()});
}

parts::FunctionSpec ApiSpec(const Inputs& inputs, const char* name,
                            const char* log_name, const char* description) {
  return {
      .name = name,
      .log_name = log_name,
      .description = description,
      .timeout = core::kApiTimeout,
      .memory_mb = core::kApiMemoryMegabytes,
      .environment = {{core::kAllowedOriginVariable, inputs.allowed_origin}}};
}

// Lets a function start executions of the machine.
void LetStart(const cfn::Resource& state_machine, parts::FunctionSpec& spec) {
  spec.environment.emplace_back(core::kStateMachineVariable,
                                state_machine.Ref());
  spec.statements.push_back(
      Allow({"states:StartExecution"}, {state_machine.Ref()}));
}

// Lets a function do `action` with any execution of the machine.
Statement OnExecutions(const char* action, const cfn::Resource& state_machine) {
  return Allow({action},
               {cfn::Sub("arn:${AWS::Partition}:states:${AWS::Region}:"
                         "${AWS::AccountId}:execution:${Machine}:*",
                         {{"Machine", state_machine.Attribute("Name")}})});
}

// Why OnExecutions() names them with a wildcard.
parts::Accepted AcceptedOnExecutions() {
  return {.rule = "AwsSolutions-IAM5",
          .reason =
              "The executions of this state machine, whose names are not "
              "known before.",
          .findings = {"/^Resource::.*:execution:/"}};
}

// Changes when a migration does.
std::string SchemaHash() {
  std::string content;
  for (const core::MigrationFile& file : core::MigrationFiles()) {
    content += file.name + "\n" + file.sql;
  }
  return crypto::HexEncode(crypto::Sha256(content));
}

}  // namespace

Value ModelId(const Inputs& inputs) {
  return cfn::If(inputs.has_model_profile,
                 cfn::Sub("${ModelProfile}.${ModelId}"),
                 cfn::Ref(core::kModelIdParameter));
}

WorkflowFunctions AddWorkflowFunctions(cfn::Template& stack,
                                       const Inputs& inputs,
                                       const Database& database,
                                       const cfn::Resource& failures) {
  const FunctionResources update_state = AddDatabaseFunction(
      stack, inputs, database, {.secret_arn = database.writer_secret.Ref()},
      {.name = core::kUpdateStateFunction,
       .log_name = "update-state",
       .description = "Changes the state of a process.",
       .timeout = core::kApiTimeout,
       .memory_mb = core::kApiMemoryMegabytes,
       .statements = {SendTo(failures)}});
  KeepFailures(stack, "UpdateProcessingStateInvokeConfig", update_state,
               failures);
  return {.update_state = update_state,
          .worker = AddWorker(stack, inputs, database)};
}

ApiFunctions AddApiFunctions(cfn::Template& stack, const Inputs& inputs,
                             const Database& database,
                             const cfn::Resource& state_machine) {
  const auto add = [&](parts::FunctionSpec spec, const cfn::Resource& secret) {
    return AddDatabaseFunction(stack, inputs, database,
                               {.secret_arn = secret.Ref()}, std::move(spec));
  };
  const auto add_starter = [&](parts::FunctionSpec spec,
                               const cfn::Resource& secret) {
    LetStart(state_machine, spec);
    return add(std::move(spec), secret);
  };
  parts::FunctionSpec generate =
      ApiSpec(inputs, core::kGenerateFunction, "generate", "Starts a process.");
  generate.reserved_concurrency = Reserved(inputs, core::kApiConcurrency);
  parts::FunctionSpec cancel =
      ApiSpec(inputs, core::kCancelFunction, "cancel", "Ends a process.");
  cancel.statements = {OnExecutions("states:StopExecution", state_machine)};
  cancel.accepted = {AcceptedOnExecutions()};
  return {.generate = add_starter(std::move(generate), database.writer_secret),
          .status = add_starter(ApiSpec(inputs, core::kStatusFunction, "status",
                                        "Shows a process."),
                                database.reader_secret),
          .retry = add_starter(ApiSpec(inputs, core::kRetryFunction, "retry",
                                       "Starts a failed process again."),
                               database.writer_secret),
          .cancel = add(std::move(cancel), database.writer_secret),
          .history = add(ApiSpec(inputs, core::kHistoryFunction, "history",
                                 "Lists the processes of a user."),
                         database.reader_secret)};
}

cfn::Resource AddMigration(cfn::Template& stack, const Inputs& inputs,
                           const Database& database) {
  const Value reader = database.reader_secret.Ref();
  const Value writer = database.writer_secret.Ref();
  const FunctionResources migration = AddDatabaseFunction(
      stack, inputs, database,
      {.secret_arn = database.owner_secret_arn(),
       .operations = TransactionOperations()},
      {.name = core::kMigrationFunction,
       .log_name = "migration",
       .description = "Brings the database's schema and users up to date.",
       .timeout = kMigrationTimeout,
       .memory_mb = kMaintenanceMemoryMb,
       .environment = {{core::kReaderSecretVariable, reader},
                       {core::kWriterSecretVariable, writer}},
       .statements = {
           Allow({"secretsmanager:GetSecretValue"}, {reader, writer})}});
  // A secret is another one, or gets another password, if its properties
  // change; the users get it, too.
  const std::string secrets_hash = parts::ContentHash(
      stack, {database.reader_secret.id(), database.writer_secret.id()});
  // CloudFormation waits for the function's answer a little longer than the
  // function can take.
  return stack.Add(
      "Schema",
      cfn::CustomResource{.function_arn = migration.function.Arn(),
                          .timeout = kMigrationTimeout + kMaintenanceTimeout,
                          .properties = {{"SchemaHash", SchemaHash()},
                                         {"ReaderSecret", reader},
                                         {"WriterSecret", writer},
                                         {"SecretsHash", secrets_hash}}},
      {.depends_on = {database.instance.id()}});
}

FunctionResources AddCleanUp(cfn::Template& stack, const Inputs& inputs,
                             const Database& database,
                             const cfn::Resource& state_machine,
                             const cfn::Resource& failures) {
  parts::FunctionSpec spec = {
      .name = core::kCleanUpFunction,
      .log_name = "clean-up",
      .description = "Starts what has no execution, removes old processes.",
      .timeout = kMaintenanceTimeout,
      .memory_mb = kMaintenanceMemoryMb,
      .statements = {OnExecutions("states:DescribeExecution", state_machine),
                     SendTo(failures)},
      .accepted = {AcceptedOnExecutions()}};
  LetStart(state_machine, spec);
  const FunctionResources clean_up = AddDatabaseFunction(
      stack, inputs, database, {.secret_arn = database.writer_secret.Ref()},
      std::move(spec));
  KeepFailures(stack, "CleanUpInvokeConfig", clean_up, failures);
  const cfn::Resource rule = stack.Add(
      "CleanUpRule",
      cfn::events::Rule{
          .description = "Cleans up every few minutes; every "
                         "hour if the database may pause",
          .schedule = cfn::If(inputs.pauses_database,
                              cfn::events::Rate(core::kPausingSweepInterval),
                              cfn::events::Rate(core::kSweepInterval)),
          .target = {.id = core::kCleanUpFunction,
                     .arn = clean_up.function.Arn(),
                     .dead_letter_queue = failures.Arn(),
                     .max_event_age = kMaxEventAge,
                     .max_retry_attempts = kRuleRetryAttempts}});
  stack.Add("CleanUpPermission",
            cfn::lambda::Permission{.function_name = clean_up.function.Ref(),
                                    .principal = "events.amazonaws.com",
                                    .source_arn = rule.Arn()});
  return clean_up;
}

}  // namespace byoshin::infra::generation

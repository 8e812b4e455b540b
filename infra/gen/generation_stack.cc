#include "infra/gen/generation_stack.h"

#include <string>
#include <vector>

#include "core/generation/constants.h"
#include "infra/cloudformation/template.h"
#include "infra/cloudformation/value.h"
#include "infra/constants.h"
#include "infra/gen/generation/alarms.h"
#include "infra/gen/generation/api.h"
#include "infra/gen/generation/dashboard.h"
#include "infra/gen/generation/database.h"
#include "infra/gen/generation/functions.h"
#include "infra/gen/generation/parameters.h"
#include "infra/gen/generation/workflow.h"
#include "infra/gen/stack.h"

namespace byoshin::infra {
namespace {

namespace cfn = cloudformation;
namespace names = ::byoshin::generation;

constexpr char kGenerationDescription[] =
    "Byoshin asynchronous AI generation: processes that are started, watched, "
    "retried and cancelled through an API.";

void AddGenerationOutputs(cfn::Template& stack,
                          const generation::Watched& watched,
                          const cfn::Resource& failures) {
  const auto add = [&](const char* id, const char* description,
                       cfn::Value value) {
    stack.AddOutput(id, {.description = description, .value = value});
  };
  add(names::kApiUrlOutput, "URL of the API", watched.api.url);
  add(names::kUserPoolIdOutput, "The users", watched.api.user_pool.Ref());
  add(names::kUserPoolClientIdOutput, "Client through which they sign in",
      watched.api.user_pool_client.Ref());
  add(names::kStateMachineArnOutput, "The workflow",
      watched.workflow.state_machine.Ref());
  add(names::kClusterArnOutput, "The database", watched.database.cluster_arn());
  add(names::kDatabaseNameOutput, "Name of the database in the cluster",
      names::kDefaultDatabaseName);
  add(names::kReaderSecretArnOutput, "Secret of the user that only reads",
      watched.database.reader_secret.Ref());
  add("FailureQueueUrl", "Events that were given up", failures.Ref());
}

cfn::Template BuildGeneration() {
  cfn::Template stack(kGenerationDescription);
  stack.SetTags(
      {{kApplicationTag, kApplication}, {kComponentTag, names::kStackName}});
  const generation::Inputs inputs = generation::AddInputs(stack);
  generation::Database database = generation::AddDatabase(stack, inputs);
  database.prerequisites = {
      generation::AddMigration(stack, inputs, database).id()};
  const cfn::Resource failures = generation::AddFailureQueue(stack);
  const generation::WorkflowFunctions workflow_functions =
      generation::AddWorkflowFunctions(stack, inputs, database, failures);
  const generation::Workflow workflow =
      generation::AddWorkflow(stack, inputs, workflow_functions, failures);
  const generation::ApiFunctions api_functions = generation::AddApiFunctions(
      stack, inputs, database, workflow.state_machine);
  const parts::FunctionResources clean_up = generation::AddCleanUp(
      stack, inputs, database, workflow.state_machine, failures);
  generation::AddFailureQueuePolicy(stack, failures);
  const generation::Watched watched = {
      .database = database,
      .workflow_functions = workflow_functions,
      .api_functions = api_functions,
      .clean_up = clean_up,
      .workflow = workflow,
      .api = generation::AddApi(stack, inputs, api_functions)};
  AddGenerationOutputs(stack, watched, failures);
  generation::AddDashboard(stack, watched, generation::ModelId(inputs),
                           generation::AddAlarms(stack, inputs, failures));
  return stack;
}

}  // namespace

Stack GenerationStack() {
  return {.name = names::kStackName,
          .description = kGenerationDescription,
          .build = BuildGeneration};
}

}  // namespace byoshin::infra

// For tests: a deployed stack of asynchronous generation, as far as the
// application looks at it.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_TESTING_STACK_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_TESTING_STACK_H_

#include <json/json.h>

#include <string>

#include "core/generation/constants.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::applications {

inline constexpr char kStackCluster[] =
    "arn:aws:rds:us-east-1:000000000000:cluster:goals";

inline cloudformation::Stack GenerationStack() {
  cloudformation::Stack stack;
  stack.name = "goals";
  const auto add = [&](const char* id,
                       const char* type) -> cloudformation::StackResource& {
    cloudformation::StackResource& resource = stack.resources[id];
    resource.logical_id = id;
    resource.type = type;
    return resource;
  };
  cloudformation::StackResource& start = add("Start", "AWS::Lambda::Function");
  start.properties["Role"] = "arn:aws:iam::000000000000:role/start";
  Json::Value& variables = start.properties["Environment"]["Variables"];
  variables[generation::kStateMachineVariable] =
      "arn:aws:states:us-east-1:000000000000:stateMachine:goals";
  variables[generation::kClusterVariable] = kStackCluster;
  variables[generation::kSecretVariable] = "of-the-function";
  variables[generation::kDatabaseVariable] = "generation";
  cloudformation::StackResource& stage = add("Stage", "AWS::ApiGateway::Stage");
  stage.properties["RestApiId"] = "w6c9";
  stage.properties["StageName"] = "prod";
  cloudformation::StackResource& users = add("Users", "AWS::Cognito::UserPool");
  users.state.physical_id = "us-east-1_Pool";
  users.properties["Policies"]["PasswordPolicy"]["MinimumLength"] = 14;
  add("Client", "AWS::Cognito::UserPoolClient").state.physical_id = "client1";
  cloudformation::StackResource& database =
      add("Database", "AWS::RDS::DBCluster");
  database.state.attributes["DBClusterArn"] = kStackCluster;
  database.state.attributes["MasterUserSecret.SecretArn"] = "master";
  return stack;
}

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_TESTING_STACK_H_

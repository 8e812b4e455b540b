#include "local/stepfunctions/operations.h"

#include <map>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

Operation FindOperation(absl::string_view name) {
  static const auto& operations =
      *new std::map<std::string, Operation, std::less<>>{
          {"CreateActivity", CreateActivity},
          {"CreateStateMachine", CreateStateMachine},
          {"CreateStateMachineAlias", CreateStateMachineAlias},
          {"DeleteActivity", DeleteActivity},
          {"DeleteStateMachine", DeleteStateMachine},
          {"DeleteStateMachineAlias", DeleteStateMachineAlias},
          {"DeleteStateMachineVersion", DeleteStateMachineVersion},
          {"DescribeActivity", DescribeActivity},
          {"DescribeExecution", DescribeExecution},
          {"DescribeMapRun", DescribeMapRun},
          {"DescribeStateMachine", DescribeStateMachine},
          {"DescribeStateMachineAlias", DescribeStateMachineAlias},
          {"DescribeStateMachineForExecution",
           DescribeStateMachineForExecution},
          {"ListActivities", ListActivities},
          {"ListExecutions", ListExecutions},
          {"ListMapRuns", ListMapRuns},
          {"ListStateMachineAliases", ListStateMachineAliases},
          {"ListStateMachineVersions", ListStateMachineVersions},
          {"ListStateMachines", ListStateMachines},
          {"ListTagsForResource", ListTagsForResource},
          {"PublishStateMachineVersion", PublishStateMachineVersion},
          {"RedriveExecution", RedriveExecution},
          {"SendTaskFailure", SendTaskFailure},
          {"SendTaskHeartbeat", SendTaskHeartbeat},
          {"SendTaskSuccess", SendTaskSuccess},
          {"StartExecution", StartExecution},
          {"StopExecution", StopExecution},
          {"TagResource", TagResource},
          {"UntagResource", UntagResource},
          {"UpdateMapRun", UpdateMapRun},
          {"UpdateStateMachine", UpdateStateMachine},
          {"UpdateStateMachineAlias", UpdateStateMachineAlias},
          {"ValidateStateMachineDefinition", ValidateStateMachineDefinition},
      };
  const auto found = operations.find(name);
  return found == operations.end() ? nullptr : found->second;
}

}  // namespace byoshin::local::stepfunctions

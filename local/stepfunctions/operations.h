// The operations of Step Functions' API that are answered at once: reads and
// changes of what is kept. Each reads its request, checks all of it, and only
// then changes something.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATIONS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATIONS_H_

#include <json/json.h>

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/executions.h"

namespace byoshin::local::stepfunctions {

struct OperationContext {
  Catalog& catalog;
  Executions& executions;
  const Call& call;
  absl::Time now;
  // Whether Step Functions may assume the role. Never null.
  const std::function<absl::Status(const std::string& role_arn)>& check_role;
};

using Operation = absl::StatusOr<Json::Value> (*)(OperationContext& context,
                                                  JsonFields& fields);

// Null if there is no such operation.
Operation FindOperation(absl::string_view name);

// One for each, by the files that define them.

absl::StatusOr<Json::Value> CreateStateMachine(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteStateMachine(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DescribeStateMachine(OperationContext&,
                                                 JsonFields&);
absl::StatusOr<Json::Value> DescribeStateMachineForExecution(OperationContext&,
                                                             JsonFields&);
absl::StatusOr<Json::Value> ListStateMachines(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateStateMachine(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ValidateStateMachineDefinition(OperationContext&,
                                                           JsonFields&);

absl::StatusOr<Json::Value> DeleteStateMachineVersion(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> ListStateMachineVersions(OperationContext&,
                                                     JsonFields&);
absl::StatusOr<Json::Value> PublishStateMachineVersion(OperationContext&,
                                                       JsonFields&);
absl::StatusOr<Json::Value> CreateStateMachineAlias(OperationContext&,
                                                    JsonFields&);
absl::StatusOr<Json::Value> DeleteStateMachineAlias(OperationContext&,
                                                    JsonFields&);
absl::StatusOr<Json::Value> DescribeStateMachineAlias(OperationContext&,
                                                      JsonFields&);
absl::StatusOr<Json::Value> ListStateMachineAliases(OperationContext&,
                                                    JsonFields&);
absl::StatusOr<Json::Value> UpdateStateMachineAlias(OperationContext&,
                                                    JsonFields&);

absl::StatusOr<Json::Value> CreateActivity(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DeleteActivity(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DescribeActivity(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListActivities(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListTagsForResource(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> TagResource(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UntagResource(OperationContext&, JsonFields&);

absl::StatusOr<Json::Value> DescribeExecution(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> DescribeMapRun(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListExecutions(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> ListMapRuns(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> RedriveExecution(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> SendTaskFailure(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> SendTaskHeartbeat(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> SendTaskSuccess(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> StartExecution(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> StopExecution(OperationContext&, JsonFields&);
absl::StatusOr<Json::Value> UpdateMapRun(OperationContext&, JsonFields&);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATIONS_H_

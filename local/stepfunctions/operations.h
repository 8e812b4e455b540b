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
#include "local/gateway/service.h"
#include "local/stepfunctions/catalog.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/fields.h"

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
                                                  Fields& fields);

// Null if there is no such operation.
Operation FindOperation(absl::string_view name);

// One for each, by the files that define them.

absl::StatusOr<Json::Value> CreateStateMachine(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DeleteStateMachine(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DescribeStateMachine(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DescribeStateMachineForExecution(OperationContext&,
                                                             Fields&);
absl::StatusOr<Json::Value> ListStateMachines(OperationContext&, Fields&);
absl::StatusOr<Json::Value> UpdateStateMachine(OperationContext&, Fields&);
absl::StatusOr<Json::Value> ValidateStateMachineDefinition(OperationContext&,
                                                           Fields&);

absl::StatusOr<Json::Value> DeleteStateMachineVersion(OperationContext&,
                                                      Fields&);
absl::StatusOr<Json::Value> ListStateMachineVersions(OperationContext&,
                                                     Fields&);
absl::StatusOr<Json::Value> PublishStateMachineVersion(OperationContext&,
                                                       Fields&);
absl::StatusOr<Json::Value> CreateStateMachineAlias(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DeleteStateMachineAlias(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DescribeStateMachineAlias(OperationContext&,
                                                      Fields&);
absl::StatusOr<Json::Value> ListStateMachineAliases(OperationContext&, Fields&);
absl::StatusOr<Json::Value> UpdateStateMachineAlias(OperationContext&, Fields&);

absl::StatusOr<Json::Value> CreateActivity(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DeleteActivity(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DescribeActivity(OperationContext&, Fields&);
absl::StatusOr<Json::Value> ListActivities(OperationContext&, Fields&);
absl::StatusOr<Json::Value> ListTagsForResource(OperationContext&, Fields&);
absl::StatusOr<Json::Value> TagResource(OperationContext&, Fields&);
absl::StatusOr<Json::Value> UntagResource(OperationContext&, Fields&);

absl::StatusOr<Json::Value> DescribeExecution(OperationContext&, Fields&);
absl::StatusOr<Json::Value> DescribeMapRun(OperationContext&, Fields&);
absl::StatusOr<Json::Value> ListExecutions(OperationContext&, Fields&);
absl::StatusOr<Json::Value> ListMapRuns(OperationContext&, Fields&);
absl::StatusOr<Json::Value> RedriveExecution(OperationContext&, Fields&);
absl::StatusOr<Json::Value> SendTaskFailure(OperationContext&, Fields&);
absl::StatusOr<Json::Value> SendTaskHeartbeat(OperationContext&, Fields&);
absl::StatusOr<Json::Value> SendTaskSuccess(OperationContext&, Fields&);
absl::StatusOr<Json::Value> StartExecution(OperationContext&, Fields&);
absl::StatusOr<Json::Value> StopExecution(OperationContext&, Fields&);
absl::StatusOr<Json::Value> UpdateMapRun(OperationContext&, Fields&);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_OPERATIONS_H_

// Reading what StartExecution and StartSyncExecution ask for.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_START_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_START_H_

#include "absl/status/statusor.h"
#include "local/gateway/json_fields.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {

// The name is a UUID, if the request has none.
absl::StatusOr<StartRequest> ReadStartRequest(OperationContext& context,
                                              JsonFields& fields);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_START_H_

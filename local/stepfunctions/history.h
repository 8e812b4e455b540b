// GetExecutionHistory.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_HISTORY_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_HISTORY_H_

#include "local/gateway/json_fields.h"
#include "local/gateway/service.h"
#include "local/stepfunctions/operations.h"

namespace byoshin::local::stepfunctions {

// Events are long, so this writes them without a detour.
Answer HistoryAnswer(OperationContext& context, JsonFields& fields);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_HISTORY_H_

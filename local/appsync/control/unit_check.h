// Checks what functions and resolvers refer to.
#ifndef BYOSHIN_LOCAL_APPSYNC_CONTROL_UNIT_CHECK_H_
#define BYOSHIN_LOCAL_APPSYNC_CONTROL_UNIT_CHECK_H_

#include <string>

#include "absl/status/status.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/api_state.h"

namespace byoshin::local::appsync {

// That the data source exists, unless the name is empty, that it can do
// without code if there is none, and that the code is accepted.
absl::Status CheckUnit(const Compilers& compilers, const ApiState& state,
                       const std::string& data_source, const std::string& code);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_CONTROL_UNIT_CHECK_H_

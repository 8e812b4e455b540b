#include "local/appsync/control/unit_check.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "local/appsync/control/operation.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/model/errors.h"

namespace byoshin::local::appsync {

absl::Status CheckUnit(const Compilers& compilers, const ApiState& state,
                       const std::string& data_source,
                       const std::string& code) {
  if (!data_source.empty()) {
    const auto source = state.data_sources.find(data_source);
    if (source == state.data_sources.end()) {
      return NotFound(absl::StrCat("No data source found named ", data_source));
    }
    if (code.empty() && source->second->type != DataSource::Type::kLambda) {
      return BadRequest(
          absl::StrCat("The data source ", data_source,
                       " needs code and the runtime APPSYNC_JS; only a Lambda "
                       "function can be called without."));
    }
  }
  return code.empty() ? absl::OkStatus() : compilers.check_code(code);
}

}  // namespace byoshin::local::appsync

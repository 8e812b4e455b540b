// Results of operations in AWS JSON 1.0.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_ANSWERS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_ANSWERS_H_

#include <json/json.h>

#include "absl/status/statusor.h"
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"
#include "local/stepfunctions/errors.h"

namespace byoshin::local::stepfunctions {

inline Answer ToAnswer(const absl::StatusOr<Json::Value>& result) {
  if (!result.ok()) return JsonErrorAnswer(result.status(), kErrorTypePrefix);
  return {.content_type = kJson10ContentType,
          .body = json::WriteValue(*result)};
}

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_ANSWERS_H_

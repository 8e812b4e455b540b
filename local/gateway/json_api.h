// The answers of services that speak AWS JSON 1.1, such as EventBridge and
// CloudWatch Logs. JsonFields reads their requests.
//
//   if (!known) {
//     return answer(Json11Answer(UnknownJsonOperation("EventBridge", name)));
//   }
//   answer(Json11Answer(result));
#ifndef BYOSHIN_LOCAL_GATEWAY_JSON_API_H_
#define BYOSHIN_LOCAL_GATEWAY_JSON_API_H_

#include <json/json.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/gateway/json_fields.h"  // IWYU pragma: export
#include "local/gateway/service.h"

namespace byoshin::local {

Answer Json11Answer(const absl::StatusOr<Json::Value>& result);

absl::Status UnknownJsonOperation(absl::string_view service,
                                  absl::string_view operation);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_JSON_API_H_

#include "local/gateway/json_api.h"

#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/gateway/error.h"

namespace byoshin::local {

Answer Json11Answer(const absl::StatusOr<Json::Value>& result) {
  if (result.ok()) {
    return {.content_type = kJson11ContentType,
            .body = json::WriteValue(*result)};
  }
  Answer answer = JsonErrorAnswer(result.status(), "");
  answer.content_type = kJson11ContentType;
  return answer;
}

absl::Status UnknownJsonOperation(absl::string_view service,
                                  absl::string_view operation) {
  return ServiceError(
      {.code = "UnknownOperationException",
       .message = absl::StrCat("the local ", service, " does not support ",
                               json::Excerpt(operation))});
}

}  // namespace byoshin::local

// AppSync's operation EvaluateCode.
// https://docs.aws.amazon.com/appsync/latest/APIReference/API_EvaluateCode.html
//
//   absl::StatusOr<std::string> answer = EvaluateCode(runtime, request.body);
//   if (!answer.ok()) return BadRequest(answer.status().message());
//   return Json(200, *answer);
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_EVALUATE_CODE_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_EVALUATE_CODE_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/appsync/script/checker.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync::script {

inline constexpr size_t kMaxContextCharacters = 28'000;

// Of BadRequestException when code with errors is saved.
inline constexpr char kCodeErrorsMessage[] =
    "The code contains one or more errors.";

// Code errors as a JSON array: [{"errorType":...,"value":...,"location":
// {"line":...,"column":...,"span":...}}], for BadRequestException's
// detail.codeErrors as well.
std::string CodeErrorsJson(const std::vector<CodeError>& errors);

// The operation's answer, a JSON object, to a request's body
// {"runtime":{...},"code":...,"context":...,"function":...}. InvalidArgument,
// with the message of a BadRequestException, if the request is invalid; code
// with errors is no such case, its answer has them in "error".
absl::StatusOr<std::string> EvaluateCode(Runtime& runtime,
                                         absl::string_view request);

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_EVALUATE_CODE_H_

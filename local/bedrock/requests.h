// Requests of Bedrock Runtime, read into a Question and checked as AWS does.
//
// https://docs.aws.amazon.com/bedrock/latest/APIReference/API_runtime_Converse.html
#ifndef BYOSHIN_LOCAL_BEDROCK_REQUESTS_H_
#define BYOSHIN_LOCAL_BEDROCK_REQUESTS_H_

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/bedrock/model.h"

namespace byoshin::local::bedrock {

// Which JSON InvokeModel takes and returns.
enum class InvokeShape { kNova, kAnthropic };

// The shape of the model; ValidationException for models of other providers.
absl::StatusOr<InvokeShape> ShapeOf(absl::string_view model);

// Shared, since its forced_tool points into it. Errors are Bedrock's.
using QuestionPtr = std::shared_ptr<Question>;
absl::StatusOr<QuestionPtr> ReadConverse(const Json::Value& request,
                                         const std::string& model_id);
absl::StatusOr<QuestionPtr> ReadInvoke(const Json::Value& request,
                                       InvokeShape shape,
                                       const std::string& model_id);

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_REQUESTS_H_

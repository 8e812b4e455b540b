#include "local/dynamodb/values/error.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kSerialization = "SerializationException";

}  // namespace

absl::Status ValidationError(absl::string_view message) {
  return ServiceError(
      {.code = "ValidationException", .message = std::string(message)});
}

absl::Status SerializationError(absl::string_view message) {
  return ServiceError(
      {.code = std::string(kSerialization), .message = std::string(message)});
}

bool IsSerializationError(const absl::Status& status) {
  return ErrorAnswerOf(status).code == kSerialization;
}

std::string ErrorMessageOf(const absl::Status& status) {
  return ErrorAnswerOf(status).message;
}

}  // namespace byoshin::local::dynamodb

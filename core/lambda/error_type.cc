#include "core/lambda/error_type.h"

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace byoshin::lambda {
namespace {

constexpr char kErrorTypePayload[] = "type.byoshin/lambda.ErrorType";

}  // namespace

absl::Status WithErrorType(absl::Status status, absl::string_view type) {
  status.SetPayload(kErrorTypePayload, absl::Cord(type));
  return status;
}

std::optional<std::string> ErrorTypeOf(const absl::Status& status) {
  const auto type = status.GetPayload(kErrorTypePayload);
  if (!type.has_value()) return std::nullopt;
  return std::string(*type);
}

}  // namespace byoshin::lambda

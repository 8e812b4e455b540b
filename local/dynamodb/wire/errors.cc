#include "local/dynamodb/wire/errors.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

absl::Status Error(absl::string_view code, absl::string_view message) {
  return ServiceError(
      {.code = std::string(code), .message = std::string(message)});
}

}  // namespace

absl::Status InvalidParameter(absl::string_view message) {
  return ValidationError(
      absl::StrCat("One or more parameter values were invalid: ", message));
}

absl::Status Enveloped(const absl::Status& status) {
  if (status.ok()) return status;
  const ErrorAnswer error = ErrorAnswerOf(status);
  if (error.code != "ValidationException" ||
      absl::StrContains(error.message, " detected: ")) {
    return status;
  }
  return ValidationError(
      absl::StrCat("1 validation error detected: ", error.message));
}

absl::Status Unsupported(absl::string_view what) {
  return ValidationError(
      absl::StrCat(what, " not supported by the local cloud"));
}

absl::Status ResourceNotFound() {
  return Error("ResourceNotFoundException", "Requested resource not found");
}

absl::Status TableNotFound(absl::string_view table_name) {
  return Error("ResourceNotFoundException",
               absl::StrCat("Requested resource not found: Table: ", table_name,
                            " not found"));
}

absl::Status ResourceInUse(absl::string_view message) {
  return Error("ResourceInUseException", message);
}

absl::Status LimitExceeded(absl::string_view message) {
  return Error("LimitExceededException", message);
}

absl::Status ConditionalCheckFailed(absl::string_view item_json) {
  ErrorAnswer error{.code = "ConditionalCheckFailedException",
                    .message = "The conditional request failed"};
  if (!item_json.empty()) {
    error.json_members = absl::StrCat("\"Item\":", item_json);
  }
  return ServiceError(error);
}

absl::string_view MessageMember(const ErrorAnswer& error) {
  // The last two, if there is more than the message.
  const bool is_capital = error.code == "SerializationException" ||
                          error.code == "AccessDeniedException" ||
                          (!error.json_members.empty() &&
                           (error.code == "ConditionalCheckFailedException" ||
                            error.code == "TransactionCanceledException"));
  return is_capital ? "Message" : "message";
}

absl::string_view TypePrefix(absl::string_view code) {
  if (code == "ValidationException") return "com.amazon.coral.validate#";
  if (code == "SerializationException" || code == "UnknownOperationException" ||
      code == "AccessDeniedException" || code == "InternalFailure") {
    return "com.amazon.coral.service#";
  }
  return "com.amazonaws.dynamodb.v20120810#";
}

}  // namespace byoshin::local::dynamodb

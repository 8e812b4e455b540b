#include "local/dynamodb/operations/transaction.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/dynamodb/wire/errors.h"
#include "local/gateway/error.h"

namespace byoshin::local::dynamodb {
namespace {

// Cancellation reasons have their own names.
std::string ReasonCode(const std::string& error_code) {
  if (error_code == "ConditionalCheckFailedException") {
    return "ConditionalCheckFailed";
  }
  return "ValidationError";
}

}  // namespace

absl::Status RepeatedItemInTransaction() {
  return ValidationError(
      "Transaction request cannot include multiple operations on one item");
}

absl::Status TransactionTooLarge() {
  return ValidationError(
      "Aggregate size of the items in the transaction cannot exceed 4 MB");
}

void Cancellation::Add(const absl::Status& status) {
  if (!codes_.empty()) {
    codes_ += ", ";
    reasons_json_ += ',';
  }
  if (status.ok()) {
    codes_ += "None";
    reasons_json_ += "{\"Code\":\"None\"}";
    return;
  }
  is_cancelled_ = true;
  const ErrorAnswer error = ErrorAnswerOf(status);
  if (error.http_status >= 500 && failure_.ok()) failure_ = status;
  const std::string code = ReasonCode(error.code);
  codes_ += code;
  absl::StrAppend(&reasons_json_, "{\"Code\":\"", code, "\",\"Message\":");
  json::AppendQuoted(error.message, reasons_json_);
  if (!error.json_members.empty()) {
    absl::StrAppend(&reasons_json_, ",", error.json_members);
  }
  reasons_json_ += '}';
}

absl::Status Cancellation::ToStatus() const {
  if (!failure_.ok()) return failure_;
  const std::string message = absl::StrCat(
      "Transaction cancelled, please refer cancellation reasons for specific "
      "reasons [",
      codes_, "]");
  return ServiceError({.code = "TransactionCanceledException",
                       .message = message,
                       .json_members = absl::StrCat("\"CancellationReasons\":[",
                                                    reasons_json_, "]")});
}

}  // namespace byoshin::local::dynamodb

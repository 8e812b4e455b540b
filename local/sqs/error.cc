#include "local/sqs/error.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/gateway/error.h"
#include "local/sqs/limits.h"

namespace byoshin::local::sqs {
namespace {

constexpr int kBadRequest = 400;
constexpr int kForbidden = 403;
constexpr int kNotFound = 404;

// An error that both protocols know by the same name.
absl::Status Plain(absl::string_view code, absl::string_view message,
                   int http_status = kBadRequest) {
  return ServiceError({.code = std::string(code),
                       .query_code = std::string(code),
                       .message = std::string(message),
                       .http_status = http_status});
}

// An error that the Query protocol knows with a prefix.
absl::Status Prefixed(absl::string_view code, absl::string_view message,
                      int http_status = kBadRequest) {
  return ServiceError(
      {.code = std::string(code),
       .query_code = absl::StrCat("AWS.SimpleQueueService.", code),
       .message = std::string(message),
       .http_status = http_status});
}

}  // namespace

absl::Status QueueDoesNotExist() {
  return ServiceError({.code = "QueueDoesNotExist",
                       .query_code = "AWS.SimpleQueueService.NonExistentQueue",
                       .message = "The specified queue does not exist."});
}

absl::Status QueueNameExists(absl::string_view attribute) {
  return ServiceError(
      {.code = "QueueNameExists",
       .query_code = "QueueAlreadyExists",
       .message = absl::StrCat("A queue already exists with the same name and "
                               "a different value for attribute ",
                               attribute)});
}

absl::Status PurgeQueueInProgress(absl::string_view queue_name) {
  return Prefixed(
      "PurgeQueueInProgress",
      absl::StrCat("Only one PurgeQueue operation on ", queue_name,
                   " is allowed every ", absl::ToInt64Seconds(kPurgeInterval),
                   " seconds."),
      kForbidden);
}

absl::Status InvalidAddress(absl::string_view queue_url) {
  return Plain("InvalidAddress",
               absl::StrCat("The address ", queue_url,
                            " is not valid for this endpoint."),
               kNotFound);
}

absl::Status MissingParameter(absl::string_view parameter) {
  return ServiceError(
      {.code = "MissingRequiredParameterException",
       .query_code = "MissingParameter",
       .message = absl::StrCat("The request must contain the parameter ",
                               parameter, ".")});
}

absl::Status InvalidParameterValue(absl::string_view message) {
  return ServiceError({.code = "InvalidParameterValueException",
                       .query_code = "InvalidParameterValue",
                       .message = std::string(message)});
}

absl::Status InvalidParameter(absl::string_view parameter,
                              absl::string_view value,
                              absl::string_view reason) {
  return InvalidParameterValue(absl::StrCat("Value ", value, " for parameter ",
                                            parameter,
                                            " is invalid. Reason: ", reason));
}

absl::Status UnknownAttribute(absl::string_view name) {
  return InvalidAttributeName(absl::StrCat("Unknown Attribute ", name, "."));
}

absl::Status InvalidAttributeName(absl::string_view message) {
  return Plain("InvalidAttributeName", message);
}

absl::Status InvalidAttributeValue(absl::string_view parameter) {
  return Plain(
      "InvalidAttributeValue",
      absl::StrCat("Invalid value for the parameter ", parameter, "."));
}

absl::Status InvalidAttributeValue(absl::string_view parameter,
                                   absl::string_view reason) {
  return Plain("InvalidAttributeValue",
               absl::StrCat("Invalid value for the parameter ", parameter,
                            ". Reason: ", reason));
}

absl::Status UnsupportedOperation(absl::string_view message) {
  return Prefixed("UnsupportedOperation", message);
}

absl::Status MalformedRequest(absl::string_view message) {
  return ServiceError({.code = "SerializationException",
                       .query_code = "MalformedInput",
                       .message = std::string(message)});
}

absl::Status UnknownOperation(absl::string_view operation) {
  return ServiceError(
      {.code = "UnknownOperationException",
       .query_code = "InvalidAction",
       .message = absl::StrCat("The action ", operation,
                               " is not valid for this endpoint.")});
}

absl::Status InvalidMessageContents(absl::string_view message) {
  return Plain("InvalidMessageContents", message);
}

absl::Status MessageTooLong(int64_t limit) {
  return InvalidParameterValue(
      absl::StrCat("One or more parameters are invalid. Reason: Message must "
                   "be shorter than ",
                   limit, " bytes."));
}

absl::Status OverLimit() {
  return Plain("OverLimit",
               "Too many messages in flight for this queue; delete or release "
               "some of those received.",
               kForbidden);
}

absl::Status TooManyActions(std::size_t actions) {
  return Plain("OverLimit",
               absl::StrCat(actions, " Actions were found, maximum allowed is ",
                            kMaxPermissionActions, "."),
               kForbidden);
}

absl::Status ReceiptHandleIsInvalid(absl::string_view receipt_handle) {
  return Plain("ReceiptHandleIsInvalid",
               absl::StrCat("The input receipt handle \"", receipt_handle,
                            "\" is not a valid receipt handle."),
               kNotFound);
}

absl::Status ReceiptHandleHasExpired(absl::string_view receipt_handle) {
  return InvalidParameter("ReceiptHandle", receipt_handle,
                          "The receipt handle has expired.");
}

absl::Status ReceiptHandleInBatchHasExpired() {
  return Plain("ReceiptHandleIsInvalid", "The receipt handle has expired",
               kNotFound);
}

absl::Status NotForThisQueueType(absl::string_view parameter,
                                 absl::string_view value) {
  return InvalidParameter(parameter, value,
                          "The request includes a parameter that is not valid "
                          "for this queue type.");
}

absl::Status EmptyBatchRequest(absl::string_view entry_type) {
  return Prefixed("EmptyBatchRequest",
                  absl::StrCat("There should be at least one ", entry_type,
                               " in the request."));
}

absl::Status TooManyEntriesInBatchRequest(std::size_t entries) {
  return Prefixed(
      "TooManyEntriesInBatchRequest",
      absl::StrCat("Maximum number of entries per request are ",
                   kMaxBatchEntries, ". You have sent ", entries, "."));
}

absl::Status InvalidBatchEntryId() {
  return Prefixed("InvalidBatchEntryId",
                  absl::StrCat("A batch entry id can only contain alphanumeric "
                               "characters, hyphens and underscores. It can be "
                               "at most ",
                               kMaxBatchIdBytes, " letters long."));
}

absl::Status BatchEntryIdsNotDistinct(absl::string_view id) {
  return Prefixed("BatchEntryIdsNotDistinct",
                  absl::StrCat("Id ", id, " repeated."));
}

absl::Status BatchRequestTooLong(int64_t bytes) {
  return Prefixed(
      "BatchRequestTooLong",
      absl::StrCat("Batch requests cannot be longer than ", kMaxMessageBytes,
                   " bytes. You have sent ", bytes, " bytes."));
}

absl::Status ResourceNotFound(absl::string_view message) {
  return Plain("ResourceNotFoundException", message, kNotFound);
}

}  // namespace byoshin::local::sqs

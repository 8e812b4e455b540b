// Amazon SQS's errors, with its codes and messages.
//
//   if (queue == nullptr) return QueueDoesNotExist();
//   return InvalidParameterValue(absl::StrCat("Value ", n, " for parameter "...
//
// Each is a ServiceError() of local/gateway/error.h, under the names of both
// protocols.
// https://docs.aws.amazon.com/AWSSimpleQueueService/latest/APIReference/CommonErrors.html
#ifndef BYOSHIN_LOCAL_SQS_ERROR_H_
#define BYOSHIN_LOCAL_SQS_ERROR_H_

#include <cstddef>
#include <cstdint>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::sqs {

absl::Status QueueDoesNotExist();
// `attribute` is one that differs from the existing queue.
absl::Status QueueNameExists(absl::string_view attribute);
absl::Status PurgeQueueInProgress(absl::string_view queue_name);
absl::Status InvalidAddress(absl::string_view queue_url);

absl::Status MissingParameter(absl::string_view parameter);
absl::Status InvalidParameterValue(absl::string_view message);
// "Value <value> for parameter <parameter> is invalid. Reason: <reason>"
absl::Status InvalidParameter(absl::string_view parameter,
                              absl::string_view value,
                              absl::string_view reason);
absl::Status UnknownAttribute(absl::string_view name);
absl::Status InvalidAttributeName(absl::string_view message);
absl::Status InvalidAttributeValue(absl::string_view parameter);
absl::Status InvalidAttributeValue(absl::string_view parameter,
                                   absl::string_view reason);
absl::Status UnsupportedOperation(absl::string_view message);
// The request is malformed: it is not JSON, or has a member of the wrong type.
absl::Status MalformedRequest(absl::string_view message);
absl::Status UnknownOperation(absl::string_view operation);

absl::Status InvalidMessageContents(absl::string_view message);
absl::Status MessageTooLong(int64_t limit);
absl::Status OverLimit();
absl::Status TooManyActions(std::size_t actions);
absl::Status ReceiptHandleIsInvalid(absl::string_view receipt_handle);
// Of a message of a FIFO queue, alone and in a batch.
absl::Status ReceiptHandleHasExpired(absl::string_view receipt_handle);
absl::Status ReceiptHandleInBatchHasExpired();
// The parameter is for the other kind of queue.
absl::Status NotForThisQueueType(absl::string_view parameter,
                                 absl::string_view value);

// `entry_type` is such as "SendMessageBatchRequestEntry".
absl::Status EmptyBatchRequest(absl::string_view entry_type);
absl::Status TooManyEntriesInBatchRequest(std::size_t entries);
absl::Status InvalidBatchEntryId();
absl::Status BatchEntryIdsNotDistinct(absl::string_view id);
absl::Status BatchRequestTooLong(int64_t bytes);

// Message move tasks have their own error for missing resources.
absl::Status ResourceNotFound(absl::string_view message);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_ERROR_H_

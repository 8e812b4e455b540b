// The handle by which a receiver deletes a message or changes its visibility.
//
//   std::string text = FormatReceiptHandle({.queue = 1, .message = 7, ...});
//   std::optional<ReceiptHandle> handle = ParseReceiptHandle(text);
#ifndef BYOSHIN_LOCAL_SQS_RECEIPT_HANDLE_H_
#define BYOSHIN_LOCAL_SQS_RECEIPT_HANDLE_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::sqs {

struct ReceiptHandle {
  uint64_t queue = 0;
  uint64_t message = 0;
  // Different for each receive of the message.
  uint64_t receipt = 0;

  friend bool operator==(const ReceiptHandle&, const ReceiptHandle&) = default;
};

std::string FormatReceiptHandle(const ReceiptHandle& handle);

// nullopt if FormatReceiptHandle() has not written it: it contains a checksum.
std::optional<ReceiptHandle> ParseReceiptHandle(absl::string_view text);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_RECEIPT_HANDLE_H_

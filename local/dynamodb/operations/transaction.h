// The errors of transactions of reads and of writes.
//
//   Cancellation cancellation;
//   for (...) cancellation.Add(status);  // one an action, OK or not
//   if (cancellation.is_cancelled()) return std::move(cancellation).ToStatus();
//
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TRANSACTION_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TRANSACTION_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

inline constexpr int kMaxTransactionActions = 100;
inline constexpr int64_t kMaxTransactionBytes = 4 * 1024 * 1024;

absl::Status RepeatedItemInTransaction();
absl::Status TransactionTooLarge();

// Not thread-safe.
class Cancellation {
 public:
  // Adds the outcome of the next action: OK, or why the transaction is
  // cancelled. An internal error is kept as it is.
  void Add(const absl::Status& status);

  bool is_cancelled() const { return is_cancelled_; }
  // TransactionCanceledException with a reason for each action.
  absl::Status ToStatus() const;

 private:
  bool is_cancelled_ = false;
  absl::Status failure_;        // of our own
  std::string codes_{};         // "None, ConditionalCheckFailed"
  std::string reasons_json_{};  // without brackets
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TRANSACTION_H_

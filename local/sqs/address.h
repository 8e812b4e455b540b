// The name, ARN and URL of a queue.
//
//   QueueAddress queue{.region = "eu-west-1", .name = "orders"};
//   ArnOf(queue, "000000000000");  // arn:aws:sqs:eu-west-1:000000000000:orders
#ifndef BYOSHIN_LOCAL_SQS_ADDRESS_H_
#define BYOSHIN_LOCAL_SQS_ADDRESS_H_

#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::sqs {

struct QueueAddress {
  std::string region{};
  std::string name{};

  friend auto operator<=>(const QueueAddress&, const QueueAddress&) = default;
};

enum class QueueKind { kStandard, kFifo };

// What the name of a FIFO queue ends with.
inline constexpr absl::string_view kFifoSuffix = ".fifo";

// InvalidParameterValue if the name is invalid for a queue of this kind: that
// of a FIFO queue ends in ".fifo".
absl::Status CheckQueueName(absl::string_view name, QueueKind kind);

std::string ArnOf(const QueueAddress& queue, absl::string_view account_id);

// nullopt if `arn` is not that of a queue of the account.
std::optional<QueueAddress> QueueOfArn(absl::string_view arn,
                                       absl::string_view account_id);

// "<endpoint>/<account>/<name>"
std::string UrlOf(const QueueAddress& queue, absl::string_view endpoint,
                  absl::string_view account_id);

// The name of the queue in a URL, or in a path alone; or a name alone. The host
// is ignored: a client may reach the cloud under another name. InvalidAddress
// if the path is not that of a queue, QueueDoesNotExist for another account and
// for a URL without path.
absl::StatusOr<std::string> QueueNameOfUrl(absl::string_view url,
                                           absl::string_view account_id);

}  // namespace byoshin::local::sqs

#endif  // BYOSHIN_LOCAL_SQS_ADDRESS_H_

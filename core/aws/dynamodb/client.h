// The part of Amazon DynamoDB that Byoshin's functions call.
//
// JsonClient (json_client.h) speaks the wire protocol itself; an implementation
// over aws-sdk-cpp would be possible, too.
#ifndef BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_
#define BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_

#include <cstdint>
#include <map>
#include <string>
#include <variant>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace byoshin::aws::dynamodb {

// The error code of a PutItem whose condition is false.
inline constexpr char kConditionalCheckFailed[] =
    "ConditionalCheckFailedException";

// A string (S) or a number (N).
using AttributeValue = std::variant<std::string, int64_t>;

struct PutItemRequest {
  std::string table_name{};
  std::map<std::string, AttributeValue> item{};
  // Left out when empty.
  std::string condition_expression{};
};

// Calls DynamoDB. Not thread-safe.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_PutItem.html
  virtual absl::Status PutItem(const PutItemRequest& request,
                               absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::dynamodb

#endif  // BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_

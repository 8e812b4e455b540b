// The part of Amazon DynamoDB that Byoshin's functions call.
//
// JsonClient (json_client.h) speaks the wire protocol itself; an implementation
// over aws-sdk-cpp would be possible, too.
#ifndef BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_
#define BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"

namespace byoshin::aws::dynamodb {

// The error code of a write whose condition is false.
inline constexpr char kConditionalCheckFailed[] =
    "ConditionalCheckFailedException";

// A BatchWriteItem takes this many writes.
inline constexpr int kMaxBatchWrites = 25;

// A string (S) or a number (N).
using AttributeValue = std::variant<std::string, int64_t>;

// An item, or the key of one.
using Item = std::map<std::string, AttributeValue>;

// What stands in expressions for names that are reserved words, such as "#ttl",
// and for values, such as ":now".
struct Placeholders {
  std::map<std::string, std::string> names{};
  Item values{};
};

struct PutItemRequest {
  std::string table_name{};
  Item item{};
  // Left out when empty.
  std::string condition_expression{};
  Placeholders placeholders{};
};

struct GetItemRequest {
  std::string table_name{};
  Item key{};
};

struct DeleteItemRequest {
  std::string table_name{};
  Item key{};
  // Left out when empty.
  std::string condition_expression{};
  Placeholders placeholders{};
};

struct QueryRequest {
  std::string table_name{};
  std::string key_condition_expression{};
  // All attributes when empty.
  std::string projection_expression{};
  Placeholders placeholders{};
  // The last key of the page before; empty for the first page.
  Item exclusive_start_key{};
};

struct QueryPage {
  std::vector<Item> items{};
  // Empty if this is the last page.
  Item last_evaluated_key{};
};

// Writes of one table.
struct BatchWrites {
  std::vector<Item> puts{};
  // The keys of items to delete.
  std::vector<Item> deletes{};

  bool empty() const { return puts.empty() && deletes.empty(); }
};

struct BatchWriteItemRequest {
  std::string table_name{};
  // At most kMaxBatchWrites, and no key twice.
  BatchWrites writes{};
};

struct TransactWriteItemsRequest {
  // All or none of them are written.
  std::vector<PutItemRequest> puts{};
  // Makes the same call again harmless for ten minutes; up to 36 characters.
  std::string client_request_token{};
};

// Puts items into DynamoDB. Not thread-safe.
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

// For code that reads and removes, too. Every read is strongly consistent.
// Attributes that are neither strings nor whole numbers are left out of what is
// read. Not thread-safe.
class TableClient : public Client {
 public:
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
  virtual absl::StatusOr<std::optional<Item>> GetItem(
      const GetItemRequest& request, absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteItem.html
  virtual absl::Status DeleteItem(const DeleteItemRequest& request,
                                  absl::Time deadline) = 0;

  // One page.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
  virtual absl::StatusOr<QueryPage> Query(const QueryRequest& request,
                                          absl::Time deadline) = 0;

  // Returns what was not written, to be sent again.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html
  virtual absl::StatusOr<BatchWrites> BatchWriteItem(
      const BatchWriteItemRequest& request, absl::Time deadline) = 0;

  // Aborted if a condition is false or another transaction interferes.
  // https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html
  virtual absl::Status TransactWriteItems(
      const TransactWriteItemsRequest& request, absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::dynamodb

#endif  // BYOSHIN_CORE_AWS_DYNAMODB_CLIENT_H_

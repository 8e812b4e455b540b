// DynamoDB for code in the same process, without HTTP, signatures and JSON.
//
//   InProcessClient client(*dynamodb, "eu-central-1");
//   absl::StatusOr<std::string> description = client.CreateTable(json);
//   absl::Status status = client.PutItem("records", item);
//   absl::StatusOr<std::vector<Item>> items = client.Query(
//       {.table_name = "records", .hash = day, .from = start, .to = end});
#ifndef BYOSHIN_LOCAL_DYNAMODB_IN_PROCESS_H_
#define BYOSHIN_LOCAL_DYNAMODB_IN_PROCESS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/dynamodb.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

struct RangeQuery {
  std::string table_name{};
  AttributeValue hash{};
  // Inclusive; nullopt for no bound. The table must have a range key.
  std::optional<AttributeValue> from{};
  std::optional<AttributeValue> to{};
  std::optional<int64_t> limit{};
};

// Thread-safe. Each call blocks until its work is durable, so it must not be
// made on the service's own thread. Errors are those of AWS.
class InProcessClient {
 public:
  // The service must outlive the client.
  InProcessClient(DynamoDb& dynamodb, std::string region)
      : dynamodb_(dynamodb), region_(std::move(region)) {}

  // With the JSON of AWS's requests and answers.
  absl::StatusOr<std::string> CreateTable(absl::string_view request);
  absl::StatusOr<std::string> UpdateTable(absl::string_view request);
  absl::Status DeleteTable(absl::string_view table_name);
  // Any operation, by its name.
  absl::StatusOr<std::string> Execute(absl::string_view operation,
                                      absl::string_view request);

  // Adds the item, or replaces it.
  absl::Status PutItem(absl::string_view table_name, Item item);
  // In the order of the range key, up to the limit, in one page.
  absl::StatusOr<std::vector<Item>> Query(const RangeQuery& query);
  // The number of items in the table.
  absl::StatusOr<int64_t> Count(absl::string_view table_name);

 private:
  absl::StatusOr<std::string> Run(Work work);

  DynamoDb& dynamodb_;
  const std::string region_;
};

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_IN_PROCESS_H_

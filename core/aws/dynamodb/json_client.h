// DynamoDB over its own wire protocol.
//
//   aws::dynamodb::JsonClient table(
//       {.http = http, .clock = clock, .environment = env::OfProcess()});
//   absl::Status status = table.PutItem(
//       {.table_name = "AiResponseMetrics",
//        .item = {{"metricName", "ai_response_count"}, {"count", 3}},
//        .condition_expression = "attribute_not_exists(metricName)"},
//       deadline);
#ifndef BYOSHIN_CORE_AWS_DYNAMODB_JSON_CLIENT_H_
#define BYOSHIN_CORE_AWS_DYNAMODB_JSON_CLIENT_H_

#include <json/json.h>

#include <optional>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/json_protocol.h"

namespace byoshin::aws::dynamodb {

// Not thread-safe.
class JsonClient final : public TableClient {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  // If an answer is lost and the request is sent again, a condition that the
  // item must not exist fails because of the first request: callers may have to
  // treat kConditionalCheckFailed as success.
  absl::Status PutItem(const PutItemRequest& request,
                       absl::Time deadline) override;
  absl::StatusOr<std::optional<Item>> GetItem(const GetItemRequest& request,
                                              absl::Time deadline) override;
  // A condition may fail because of a lost answer here, too.
  absl::Status DeleteItem(const DeleteItemRequest& request,
                          absl::Time deadline) override;
  absl::StatusOr<QueryPage> Query(const QueryRequest& request,
                                  absl::Time deadline) override;
  absl::StatusOr<BatchWrites> BatchWriteItem(
      const BatchWriteItemRequest& request, absl::Time deadline) override;
  absl::Status TransactWriteItems(const TransactWriteItemsRequest& request,
                                  absl::Time deadline) override;

 private:
  absl::StatusOr<Json::Value> Send(absl::string_view operation,
                                   Json::Value input, absl::Time deadline);

  JsonProtocol protocol_;
};

}  // namespace byoshin::aws::dynamodb

#endif  // BYOSHIN_CORE_AWS_DYNAMODB_JSON_CLIENT_H_

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

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/json_protocol.h"

namespace byoshin::aws::dynamodb {

// Not thread-safe.
class JsonClient final : public Client {
 public:
  explicit JsonClient(ClientDependencies dependencies);

  // If an answer is lost and the request is sent again, a condition that the
  // item must not exist fails because of the first request: callers may have to
  // treat kConditionalCheckFailed as success.
  absl::Status PutItem(const PutItemRequest& request,
                       absl::Time deadline) override;

 private:
  JsonProtocol protocol_;
};

}  // namespace byoshin::aws::dynamodb

#endif  // BYOSHIN_CORE_AWS_DYNAMODB_JSON_CLIENT_H_

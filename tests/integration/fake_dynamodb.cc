#include "tests/integration/fake_dynamodb.h"

#include <json/json.h>

#include "absl/strings/string_view.h"
#include "core/http/server.h"

namespace byoshin::integration {
namespace {

http::ServerResponse Call(absl::string_view operation,
                          const Json::Value& input) {
  if (operation != "PutItem") {
    return AwsEndpoint::Error(
        400, "com.amazon.coral.service#UnknownOperationException", "");
  }
  if (!input["TableName"].isString() || !input["Item"].isObject()) {
    return AwsEndpoint::Error(400,
                              "com.amazon.coral.validate#ValidationException",
                              "TableName or Item is missing");
  }
  return AwsEndpoint::Success(Json::Value(Json::objectValue));
}

}  // namespace

absl::StatusOr<std::unique_ptr<AwsEndpoint>> StartFakeDynamoDb() {
  return AwsEndpoint::Start(
      {.service = "dynamodb", .target_prefix = "DynamoDB_20120810."}, Call);
}

}  // namespace byoshin::integration

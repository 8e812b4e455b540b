#include "core/aws/dynamodb/json_client.h"

#include <json/json.h>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/json_protocol.h"

namespace byoshin::aws::dynamodb {
namespace {

// DynamoDB writes numbers as strings, so that no digits are lost.
Json::Value Typed(const AttributeValue& value) {
  Json::Value typed(Json::objectValue);
  if (const auto* number = std::get_if<int64_t>(&value)) {
    typed["N"] = absl::StrCat(*number);
  } else {
    typed["S"] = std::get<std::string>(value);
  }
  return typed;
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::Status JsonClient::PutItem(const PutItemRequest& request,
                                 absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["TableName"] = request.table_name;
  Json::Value& item = input["Item"] = Json::Value(Json::objectValue);
  for (const auto& [name, value] : request.item) item[name] = Typed(value);
  if (!request.condition_expression.empty()) {
    input["ConditionExpression"] = request.condition_expression;
  }
  return protocol_
      .Send({.service = {.name = "dynamodb"},
             .target = "DynamoDB_20120810.PutItem",
             .operation = "DynamoDB PutItem",
             .input = std::move(input)},
            deadline)
      .status();
}

}  // namespace byoshin::aws::dynamodb

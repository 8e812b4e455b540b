#include "core/aws/dynamodb/json_client.h"

#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/dynamodb/client.h"
#include "core/aws/json_protocol.h"
#include "core/json/value.h"

namespace byoshin::aws::dynamodb {
namespace {

// A page of a Query has up to 1 MB, and is longer as JSON.
constexpr std::size_t kMaxResponseBytes = std::size_t{8} << 20;

std::string NameOfCall(absl::string_view operation) {
  return absl::StrCat("DynamoDB ", operation);
}

absl::Status Damaged(absl::string_view operation, absl::string_view what) {
  return absl::DataLossError(
      absl::StrCat(NameOfCall(operation), ": in the answer, ", what));
}

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

Json::Value Typed(const Item& item) {
  Json::Value typed(Json::objectValue);
  for (const auto& [name, value] : item) typed[name] = Typed(value);
  return typed;
}

// nullopt if it is neither a string nor a whole number.
std::optional<AttributeValue> Untyped(const Json::Value& typed) {
  if (!typed.isObject()) return std::nullopt;
  if (typed["S"].isString()) return typed["S"].asString();
  int64_t number = 0;
  if (typed["N"].isString() &&
      absl::SimpleAtoi(typed["N"].asString(), &number)) {
    return number;
  }
  return std::nullopt;
}

Item ReadItem(const Json::Value& json) {
  Item item;
  for (const std::string& name : json.getMemberNames()) {
    std::optional<AttributeValue> value = Untyped(json[name]);
    if (value.has_value()) item.emplace(name, *std::move(value));
  }
  return item;
}

// The object {outer: {inner: …}}; null if there is none.
Json::Value ObjectIn(const Json::Value& value, const char* outer,
                     const char* inner) {
  if (!value.isObject() || !value[outer].isObject()) return {};
  const Json::Value& found = value[outer][inner];
  return found.isObject() ? found : Json::Value();
}

void SetText(const char* name, const std::string& text, Json::Value& input) {
  if (!text.empty()) input[name] = text;
}

void SetPlaceholders(const Placeholders& placeholders, Json::Value& input) {
  for (const auto& [placeholder, name] : placeholders.names) {
    input["ExpressionAttributeNames"][placeholder] = name;
  }
  if (!placeholders.values.empty()) {
    input["ExpressionAttributeValues"] = Typed(placeholders.values);
  }
}

Json::Value Input(const PutItemRequest& request) {
  Json::Value input(Json::objectValue);
  input["TableName"] = request.table_name;
  input["Item"] = Typed(request.item);
  SetText("ConditionExpression", request.condition_expression, input);
  SetPlaceholders(request.placeholders, input);
  return input;
}

Json::Value Input(const BatchWriteItemRequest& request) {
  Json::Value writes(Json::arrayValue);
  for (const Item& item : request.writes.puts) {
    writes.append(Json::objectValue)["PutRequest"]["Item"] = Typed(item);
  }
  for (const Item& key : request.writes.deletes) {
    writes.append(Json::objectValue)["DeleteRequest"]["Key"] = Typed(key);
  }
  Json::Value input(Json::objectValue);
  input["RequestItems"][request.table_name] = std::move(writes);
  return input;
}

}  // namespace

JsonClient::JsonClient(ClientDependencies dependencies)
    : protocol_(std::move(dependencies)) {}

absl::StatusOr<Json::Value> JsonClient::Send(absl::string_view operation,
                                             Json::Value input,
                                             absl::Time deadline) {
  return protocol_.Send(
      {.service = {.name = "dynamodb"},
       .target = absl::StrCat("DynamoDB_20120810.", operation),
       .operation = NameOfCall(operation),
       .input = std::move(input),
       .limits = {.max_response_bytes = kMaxResponseBytes}},
      deadline);
}

absl::Status JsonClient::PutItem(const PutItemRequest& request,
                                 absl::Time deadline) {
  return Send("PutItem", Input(request), deadline).status();
}

absl::StatusOr<std::optional<Item>> JsonClient::GetItem(
    const GetItemRequest& request, absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["TableName"] = request.table_name;
  input["Key"] = Typed(request.key);
  input["ConsistentRead"] = true;
  const absl::StatusOr<Json::Value> output =
      Send("GetItem", std::move(input), deadline);
  if (!output.ok()) return output.status();
  const Json::Value& item = (*output)["Item"];
  if (item.isNull()) return std::nullopt;
  if (!item.isObject()) {
    return Damaged("GetItem", absl::StrCat("Item is ", json::Describe(item)));
  }
  return ReadItem(item);
}

absl::Status JsonClient::DeleteItem(const DeleteItemRequest& request,
                                    absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["TableName"] = request.table_name;
  input["Key"] = Typed(request.key);
  SetText("ConditionExpression", request.condition_expression, input);
  SetPlaceholders(request.placeholders, input);
  return Send("DeleteItem", std::move(input), deadline).status();
}

absl::StatusOr<QueryPage> JsonClient::Query(const QueryRequest& request,
                                            absl::Time deadline) {
  Json::Value input(Json::objectValue);
  input["TableName"] = request.table_name;
  input["KeyConditionExpression"] = request.key_condition_expression;
  input["ConsistentRead"] = true;
  SetText("ProjectionExpression", request.projection_expression, input);
  SetPlaceholders(request.placeholders, input);
  if (!request.exclusive_start_key.empty()) {
    input["ExclusiveStartKey"] = Typed(request.exclusive_start_key);
  }
  const absl::StatusOr<Json::Value> output =
      Send("Query", std::move(input), deadline);
  if (!output.ok()) return output.status();
  const Json::Value& items = (*output)["Items"];
  if (!items.isArray()) {
    return Damaged("Query", absl::StrCat("Items is ", json::Describe(items)));
  }
  QueryPage page;
  for (const Json::Value& item : items) {
    if (!item.isObject()) {
      return Damaged("Query",
                     absl::StrCat("an item is ", json::Describe(item)));
    }
    page.items.push_back(ReadItem(item));
  }
  const Json::Value& last_key = (*output)["LastEvaluatedKey"];
  if (last_key.isObject()) page.last_evaluated_key = ReadItem(last_key);
  return page;
}

absl::StatusOr<BatchWrites> JsonClient::BatchWriteItem(
    const BatchWriteItemRequest& request, absl::Time deadline) {
  const absl::StatusOr<Json::Value> output =
      Send("BatchWriteItem", Input(request), deadline);
  if (!output.ok()) return output.status();
  BatchWrites unprocessed;
  const Json::Value& tables = (*output)["UnprocessedItems"];
  if (!tables.isObject()) return unprocessed;
  // By whatever name the table has in the answer: there is only one.
  for (const Json::Value& writes : tables) {
    for (const Json::Value& write : writes) {
      if (const Json::Value item = ObjectIn(write, "PutRequest", "Item");
          !item.isNull()) {
        unprocessed.puts.push_back(ReadItem(item));
      } else if (const Json::Value key =
                     ObjectIn(write, "DeleteRequest", "Key");
                 !key.isNull()) {
        unprocessed.deletes.push_back(ReadItem(key));
      } else {
        return Damaged("BatchWriteItem",
                       "an unprocessed item is neither put nor deleted");
      }
    }
  }
  return unprocessed;
}

absl::Status JsonClient::TransactWriteItems(
    const TransactWriteItemsRequest& request, absl::Time deadline) {
  Json::Value input(Json::objectValue);
  Json::Value& items = input["TransactItems"] = Json::Value(Json::arrayValue);
  for (const PutItemRequest& put : request.puts) {
    items.append(Json::objectValue)["Put"] = Input(put);
  }
  SetText("ClientRequestToken", request.client_request_token, input);
  return Send("TransactWriteItems", std::move(input), deadline).status();
}

}  // namespace byoshin::aws::dynamodb

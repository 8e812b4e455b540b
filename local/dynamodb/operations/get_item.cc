// GetItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_GetItem.html
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

struct GetItemRequest {
  std::string region{};
  std::string table_name{};
  Item key{};
  std::optional<ProjectionExpression> projection{};
  Consistency consistency = Consistency::kEventual;
  CapacityDetail capacity = CapacityDetail::kNone;
};

const Shape& GetItemShape() {
  static const auto* shape = new Shape(Struct(
      "GetItemInput", {{"ReturnConsumedCapacity", ReturnConsumedCapacity()},
                       {"TableName", ItemTableName()},
                       {"Key", AttributeMap().Required()},
                       {"ConsistentRead", Boolean()},
                       {"AttributesToGet", AttributesToGetShape()},
                       {"ProjectionExpression", String()},
                       {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

absl::StatusOr<std::string> Run(Database& database,
                                const GetItemRequest& request) {
  Table* table = database.FindTable(request.region, request.table_name);
  if (table == nullptr) return ResourceNotFound();
  absl::Status status = CheckKey(*table, request.key);
  if (status.ok() && request.projection) {
    status = CheckKeyPaths(*table, request.projection->paths());
  }
  if (!status.ok()) return status;
  absl::StatusOr<std::optional<Item>> item =
      ReadItem(database, *table, PlaceOf(*table, request.key));
  if (!item.ok()) return item.status();

  std::string answer = "{";
  if (request.capacity != CapacityDetail::kNone) {
    Capacity capacity;
    capacity.AddTable(ReadUnits(item->has_value() ? SizeBytes(**item) : 0,
                                request.consistency));
    AppendCapacityMember(capacity, table->name, request.capacity, answer);
  }
  if (item->has_value()) {
    answer += "\"Item\":";
    AppendJson(request.projection ? request.projection->Project(**item)
                                  : **std::move(item),
               answer);
  }
  CloseObject(answer);
  return answer;
}

absl::StatusOr<Work> PrepareGetItem(const Json::Value& json,
                                    const RequestContext& context) {
  const ExpressionParameters parameters = {
      .expressions = {"ProjectionExpression"}, .legacy = {"AttributesToGet"}};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<Item> key = ItemFromJson(json["Key"]);
  if (!key.ok()) return key.status();
  absl::StatusOr<std::optional<ProjectionExpression>> attributes =
      ReadAttributesToGet(json);
  if (!attributes.ok()) return attributes.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  if (*attributes) expressions->projection = *std::move(attributes);

  auto request = std::make_shared<GetItemRequest>();
  request->region = context.region;
  request->table_name = json["TableName"].asString();
  request->key = *std::move(key);
  request->projection = std::move(expressions->projection);
  request->consistency = json["ConsistentRead"].asBool()
                             ? Consistency::kStrong
                             : Consistency::kEventual;
  request->capacity =
      ParseCapacityDetail(json["ReturnConsumedCapacity"].asString());
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kGetItem = {"GetItem", GetItemShape, PrepareGetItem};

}  // namespace byoshin::local::dynamodb

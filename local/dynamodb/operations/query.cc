// Query
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/range_read.h"
#include "local/dynamodb/values/key_encoding.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

struct QueryRequest {
  std::string region{};
  RangeRead read{};
  std::optional<KeyConditionExpression> condition{};
  Store::Direction direction = Store::Direction::kForward;
};

const Shape& QueryShape() {
  static const auto* shape = new Shape(Struct(
      "QueryInput", {{"Select", SelectShape()},
                     {"IndexName", IndexName()},
                     {"ReturnConsumedCapacity", ReturnConsumedCapacity()},
                     {"TableName", TableName()},
                     {"Limit", Integer().Range(1, {})},
                     {"ExclusiveStartKey", AttributeMap()},
                     {"ConsistentRead", Boolean()},
                     {"ScanIndexForward", Boolean()},
                     {"KeyConditionExpression", String()},
                     {"FilterExpression", String()},
                     {"ProjectionExpression", String()},
                     {"ExpressionAttributeValues", AttributeMap()},
                     {"ExpressionAttributeNames", AttributeNames()}}));
  return *shape;
}

constexpr absl::string_view kInvalidStartKey =
    "The provided starting key is invalid";

// The attributes of the key that is queried by.
absl::Status CheckStartKeyParts(const Source& source, const Item& start_key) {
  if (start_key.size() != source.StartKeySize() ||
      !start_key.Contains(source.keys->hash.name)) {
    return ValidationError(kInvalidStartKey);
  }
  absl::Status status =
      CheckKeyPart(start_key, source.keys->hash, KeyRole::kHash);
  if (!status.ok() || !source.keys->range) return status;
  if (!start_key.Contains(source.keys->range->name)) {
    return ValidationError(kInvalidStartKey);
  }
  return CheckKeyPart(start_key, *source.keys->range, KeyRole::kRange);
}

// Checks that it is within what the condition selects.
absl::Status CheckStartKeyBounds(const Source& source, const Item& start_key,
                                 const KeyCondition& condition) {
  const bool same_partition =
      *start_key.Find(source.keys->hash.name) == condition.hash;
  if (!condition.range) {
    if (same_partition) return absl::OkStatus();
    return ValidationError(
        "The provided starting key is outside query boundaries based on "
        "provided conditions");
  }
  if (!Matches(*condition.range, *start_key.Find(source.keys->range->name))) {
    return ValidationError(
        "The provided starting key does not match the range key predicate");
  }
  if (!same_partition) {
    return ValidationError(
        "The query can return at most one row and cannot be restarted");
  }
  return absl::OkStatus();
}

// A filter must not refer to key attributes.
absl::Status CheckFilter(const Source& source, const RangeRead& read) {
  if (!read.filter) return absl::OkStatus();
  for (const KeyAttribute* key :
       {&source.keys->hash,
        source.keys->range ? &*source.keys->range : nullptr}) {
    if (key == nullptr) continue;
    for (const DocumentPath& path : read.filter->paths()) {
      if (path[0].name != key->name) continue;
      return ValidationError(absl::StrCat(
          "Filter Expression can only contain non-primary key attributes: "
          "Primary key attribute: ",
          key->name));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckAgainstTable(const Source& source,
                               const QueryRequest& request,
                               const KeyCondition& condition) {
  const RangeRead& read = request.read;
  absl::Status status;
  if (read.start_key) {
    status = CheckStartKeySchema(source, *read.start_key);
    if (status.ok()) {
      status = CheckStartKeyBounds(source, *read.start_key, condition);
    }
  }
  if (status.ok() && read.projection) {
    status = CheckKeyPaths(*source.table, read.projection->paths());
  }
  if (status.ok()) status = CheckFilter(source, read);
  if (status.ok()) status = CheckProjected(source, read);
  if (status.ok() && read.filter) {
    status = CheckKeyPaths(*source.table, read.filter->paths());
  }
  return status;
}

absl::StatusOr<std::string> Run(Database& database,
                                const QueryRequest& request) {
  const Table* table =
      database.FindTable(request.region, request.read.table_name);
  if (table == nullptr) return ResourceNotFound();
  absl::StatusOr<Source> source = FindSource(*table, request.read);
  if (!source.ok()) return source.status();
  if (request.read.start_key) {
    absl::Status status = CheckStartKeyParts(*source, *request.read.start_key);
    if (!status.ok()) return status;
  }
  absl::StatusOr<KeyCondition> condition =
      request.condition->Bind(*source->keys);
  if (!condition.ok()) return condition.status();
  absl::Status status = CheckAgainstTable(*source, request, *condition);
  if (!status.ok()) return status;

  std::string partition = source->prefix;
  AppendHashKey(condition->hash, partition);
  ByteRange selected = SelectRange(partition, condition->range);
  Page page{.range = {std::move(selected.begin), std::move(selected.end)},
            .direction = request.direction};
  if (request.read.start_key) {
    StartAfter(*source, *request.read.start_key, page);
  }
  return ReadPage(database, *source, request.read, page);
}

absl::StatusOr<Work> PrepareQuery(const Json::Value& json,
                                  const RequestContext& context) {
  const ExpressionParameters parameters = {
      .expressions = {"ProjectionExpression", "FilterExpression",
                      "KeyConditionExpression"},
      .legacy = {"AttributesToGet", "QueryFilter", "ConditionalOperator",
                 "KeyConditions"}};
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<std::optional<Item>> start_key = ReadStartKey(json);
  if (!start_key.ok()) return start_key.status();
  if (!Has(json, "KeyConditionExpression")) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be "
        "specified in the request.");
  }
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();

  auto request = std::make_shared<QueryRequest>();
  request->region = context.region;
  request->read = ReadRangeParameters(json);
  request->read.start_key = *std::move(start_key);
  request->read.filter = std::move(expressions->filter);
  request->read.projection = std::move(expressions->projection);
  request->condition = std::move(expressions->key_condition);
  const Json::Value& forward = json["ScanIndexForward"];
  request->direction = forward.isNull() || forward.asBool()
                           ? Store::Direction::kForward
                           : Store::Direction::kBackward;
  status = CheckSelect(request->read);
  if (!status.ok()) return status;
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kQuery = {"Query", QueryShape, PrepareQuery};

}  // namespace byoshin::local::dynamodb

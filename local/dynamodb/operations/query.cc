// Query
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html
#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/operations/range_read.h"
#include "local/dynamodb/values/json.h"
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
  static const auto* shape = new Shape(
      Struct("QueryInput",
             {{"Select", SelectShape()},
              {"IndexName", IndexName()},
              {"ReturnConsumedCapacity", ReturnConsumedCapacity()},
              {"TableName", ItemTableName()},
              {"Limit", Integer().Range(1, {}).Worded(Shape::Wording::kBrief)},
              {"QueryFilter", ConditionsShape()},
              {"ConditionalOperator", ConditionalOperatorShape()},
              {"AttributesToGet", AttributesToGetShape()},
              {"KeyConditions", ConditionsShape()},
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

constexpr char kQueryFilter[] = "QueryFilter";

constexpr absl::string_view kCannotRestart =
    "The query can return at most one row and cannot be restarted";

// The attributes of the key that is queried by.
absl::Status CheckStartKeyParts(const Source& source, const Item& start_key) {
  if (start_key.size() != source.StartKeySize()) {
    return ValidationError(kInvalidStartKey);
  }
  return CheckStartKeyAttributes(*source.keys, start_key);
}

// Whether the range attributes satisfy the condition, of which there is one.
bool MatchesRange(const std::vector<KeyAttribute>& keys, const Item& start_key,
                  const KeyCondition& condition) {
  for (size_t i = 0; i < condition.equal.size(); ++i) {
    if (!(*start_key.Find(keys[i].name) == condition.equal[i])) return false;
  }
  const KeyAttribute& last = keys[condition.equal.size()];
  return Matches(*condition.range, *start_key.Find(last.name));
}

bool IsSamePartition(const std::vector<KeyAttribute>& keys,
                     const Item& start_key, const KeyCondition& condition) {
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!(*start_key.Find(keys[i].name) == condition.hash[i])) return false;
  }
  return true;
}

// Checks that it is within what the condition selects.
absl::Status CheckStartKeyBounds(const Source& source, const Item& start_key,
                                 const KeyCondition& condition) {
  const bool same_partition =
      IsSamePartition(source.keys->hash, start_key, condition);
  if (!condition.range) {
    if (same_partition) return absl::OkStatus();
    return ValidationError(
        "The provided starting key is outside query boundaries based on "
        "provided conditions");
  }
  if (!MatchesRange(source.keys->range, start_key, condition)) {
    return ValidationError(
        "The provided starting key does not match the range key predicate");
  }
  if (!same_partition) {
    return ValidationError(kCannotRestart);
  }
  return absl::OkStatus();
}

bool IsIn(absl::string_view name, const std::vector<DocumentPath>& paths) {
  return std::any_of(paths.begin(), paths.end(), [&](const DocumentPath& path) {
    return path[0].name == name;
  });
}

// A filter must not refer to key attributes.
absl::Status CheckFilter(const Source& source, const RangeRead& read) {
  if (!read.filter) return absl::OkStatus();
  for (const auto* keys : {&source.keys->hash, &source.keys->range}) {
    for (const KeyAttribute& key : *keys) {
      if (!IsIn(key.name, read.filter->paths())) continue;
      return ValidationError(absl::StrCat(
          read.filter_name,
          " can only contain non-primary key attributes: Primary key "
          "attribute: ",
          key.name));
    }
  }
  return absl::OkStatus();
}

// A table with a hash key alone has at most one item in a partition.
bool IsForOneItem(const Source& source) {
  return source.index == nullptr && source.keys->range.empty();
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
    if (status.ok() && IsForOneItem(source)) {
      status = ValidationError(kCannotRestart);
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

  ByteRange selected = condition->Select(source->prefix);
  Page page{.range = {std::move(selected.begin), std::move(selected.end)},
            .direction = request.direction,
            .may_continue = !IsForOneItem(*source)};
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
  if (!status.ok()) return Enveloped(status);
  absl::StatusOr<LegacyRead> legacy =
      ReadLegacyParameters(json, kQueryFilter, LegacyRules::kOfQuery);
  if (!legacy.ok()) {
    return IsPlainValueError(legacy.status()) ? legacy.status()
                                              : Enveloped(legacy.status());
  }
  absl::StatusOr<std::optional<Item>> start_key =
      ReadStartKey(json, ValueWording::kNewer);
  if (!start_key.ok()) return start_key.status();
  if (!Has(json, "KeyConditionExpression") && !Has(json, "KeyConditions")) {
    return ValidationError(
        "Either the KeyConditions or KeyConditionExpression parameter must be "
        "specified in the request.");
  }
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  absl::StatusOr<std::optional<KeyConditionExpression>> key_conditions =
      ReadKeyConditions(json);
  if (!key_conditions.ok()) return key_conditions.status();
  if (*key_conditions) expressions->key_condition = *std::move(key_conditions);

  auto request = std::make_shared<QueryRequest>();
  request->region = context.region;
  request->read = ReadRangeParameters(json);
  request->read.start_key = *std::move(start_key);
  request->read.filter = std::move(expressions->filter);
  request->read.projection = std::move(expressions->projection);
  Replace(*std::move(legacy), kQueryFilter, request->read);
  request->condition = std::move(expressions->key_condition);
  const Json::Value& forward = json["ScanIndexForward"];
  request->direction = forward.isNull() || forward.asBool()
                           ? Store::Direction::kForward
                           : Store::Direction::kBackward;
  status = CheckSelect(request->read);
  if (!status.ok()) return Enveloped(status);
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kQuery = {"Query", QueryShape, PrepareQuery};

}  // namespace byoshin::local::dynamodb

// BatchGetItem
// https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html
#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/dynamodb/engine/capacity.h"
#include "local/dynamodb/engine/items.h"
#include "local/dynamodb/engine/key_checks.h"
#include "local/dynamodb/operations/legacy.h"
#include "local/dynamodb/operations/operation.h"
#include "local/dynamodb/operations/parameters.h"
#include "local/dynamodb/values/binary.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/wire/errors.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kMaxKeys = 100;
constexpr int64_t kMaxAnswerBytes = 16 * 1024 * 1024;

struct TableRequest {
  std::string table_name{};
  std::vector<Item> keys{};
  std::optional<ProjectionExpression> projection{};
  Consistency consistency = Consistency::kEventual;
  // The request's members except for the keys, each with a leading comma: what
  // the caller needs to request unprocessed keys again.
  std::string other_members{};
};

struct BatchGetItemRequest {
  std::string region{};
  std::vector<TableRequest> tables{};
  CapacityDetail capacity = CapacityDetail::kNone;
};

const Shape& BatchGetItemShape() {
  static const auto* shape = new Shape(
      Struct("BatchGetItemInput",
             {{"RequestItems",
               Map("KeysAndAttributes",
                   Struct("KeysAndAttributes",
                          {{"Keys", List(AttributeMap())
                                        .Required()
                                        .Length(1, kMaxKeys)
                                        .Worded(Shape::Wording::kBrief)},
                           {"AttributesToGet", AttributesToGetShape()},
                           {"ConsistentRead", Boolean()},
                           {"ProjectionExpression", String()},
                           {"ExpressionAttributeNames", AttributeNames()}}))
                   .Required()
                   .Length(1, {})
                   .Worded(Shape::Wording::kBrief)
                   .KeysAreNames()},
              {"ReturnConsumedCapacity", ReturnConsumedCapacity()}}));
  return *shape;
}

std::string OtherMembers(const Json::Value& json) {
  std::string members;
  for (const char* name :
       {"AttributesToGet", "ConsistentRead", "ProjectionExpression",
        "ExpressionAttributeNames"}) {
    if (!Has(json, name)) continue;
    absl::StrAppend(&members, ",\"", name, "\":", json::WriteValue(json[name]));
  }
  return members;
}

absl::StatusOr<std::vector<Item>> ReadKeys(const Json::Value& json,
                                           int& total_keys) {
  std::vector<Item> keys;
  std::set<std::string> seen;
  for (const Json::Value& element : json) {
    absl::StatusOr<Item> key = ItemFromJson(element);
    if (!key.ok()) return key.status();
    if (!seen.insert(Serialize(*key)).second) {
      return ValidationError("Provided list of item keys contains duplicates");
    }
    if (++total_keys > kMaxKeys) {
      return ValidationError(
          "Too many items requested for the BatchGetItem call");
    }
    keys.push_back(*std::move(key));
  }
  return keys;
}

ExpressionParameters KnownParameters() {
  return {.expressions = {"ProjectionExpression"},
          .legacy = {"AttributesToGet"}};
}

// The two ways to name attributes are exclusive, also on different tables.
absl::Status CheckOneProjectionForm(const Json::Value& tables) {
  Json::Value used(Json::objectValue);
  for (const Json::Value& table : tables) {
    for (const char* name : {"ProjectionExpression", "AttributesToGet"}) {
      if (Has(table, name)) used[name] = table[name];
    }
  }
  return CheckExpressionParameters(used, KnownParameters());
}

absl::StatusOr<TableRequest> ReadTableRequest(const std::string& name,
                                              const Json::Value& json,
                                              int& total_keys) {
  const ExpressionParameters parameters = KnownParameters();
  absl::Status status = CheckExpressionParameters(json, parameters);
  if (!status.ok()) return status;
  absl::StatusOr<std::optional<ProjectionExpression>> attributes =
      ReadAttributesToGet(json);
  if (!attributes.ok()) return attributes.status();
  absl::StatusOr<Expressions> expressions = ParseExpressions(json, parameters);
  if (!expressions.ok()) return expressions.status();
  if (*attributes) expressions->projection = *std::move(attributes);
  absl::StatusOr<std::vector<Item>> keys = ReadKeys(json["Keys"], total_keys);
  if (!keys.ok()) return keys.status();
  return TableRequest{.table_name = name,
                      .keys = *std::move(keys),
                      .projection = std::move(expressions->projection),
                      .consistency = json["ConsistentRead"].asBool()
                                         ? Consistency::kStrong
                                         : Consistency::kEventual,
                      .other_members = OtherMembers(json)};
}

absl::Status CheckAgainstTables(Database& database,
                                const BatchGetItemRequest& request) {
  for (const TableRequest& of_table : request.tables) {
    const Table* table =
        database.FindTable(request.region, of_table.table_name);
    if (table == nullptr) return ResourceNotFound();
    for (const Item& key : of_table.keys) {
      absl::Status status = CheckKey(*table, key);
      if (!status.ok()) return status;
    }
    if (!of_table.projection) continue;
    absl::Status status = CheckKeyPaths(*table, of_table.projection->paths());
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// The parts of the answer, as JSON members that each end with a comma.
struct AnswerParts {
  std::string responses{};
  std::string unprocessed{};
  std::string capacities{};
  int64_t bytes = 0;
  // Another item did not fit, and no more are read.
  bool is_full = false;
};

absl::Status ReadTable(Database& database, const BatchGetItemRequest& request,
                       const TableRequest& of_table, AnswerParts& parts) {
  const Table& table = *database.FindTable(request.region, of_table.table_name);
  std::string items;
  std::string unprocessed;
  Capacity capacity;
  for (const Item& key : of_table.keys) {
    absl::StatusOr<std::optional<Item>> item = std::optional<Item>();
    if (!parts.is_full) item = ReadItem(database, table, PlaceOf(table, key));
    if (!item.ok()) return item.status();
    const int64_t bytes = item->has_value() ? SizeBytes(**item) : 0;
    parts.is_full = parts.is_full || parts.bytes + bytes > kMaxAnswerBytes;
    if (parts.is_full) {
      AppendJson(key, unprocessed);
      unprocessed += ',';
      continue;
    }
    capacity.AddTable(ReadUnits(bytes, of_table.consistency));
    parts.bytes += bytes;
    if (!item->has_value()) continue;
    AppendJson(of_table.projection ? of_table.projection->Project(**item)
                                   : **std::move(item),
               items);
    items += ',';
  }
  std::string name;
  json::AppendQuoted(of_table.table_name, name);
  if (!items.empty()) items.pop_back();
  absl::StrAppend(&parts.responses, name, ":[", items, "],");
  if (!unprocessed.empty()) {
    unprocessed.pop_back();
    absl::StrAppend(&parts.unprocessed, name, ":{\"Keys\":[", unprocessed, "]",
                    of_table.other_members, "},");
  }
  capacity.AppendJson(table.name, request.capacity, CapacityKind::kPlain,
                      parts.capacities);
  parts.capacities += ',';
  return absl::OkStatus();
}

absl::StatusOr<std::string> Run(Database& database,
                                const BatchGetItemRequest& request) {
  absl::Status status = CheckAgainstTables(database, request);
  if (!status.ok()) return status;
  AnswerParts parts{.responses = "{", .unprocessed = "{"};
  for (const TableRequest& of_table : request.tables) {
    status = ReadTable(database, request, of_table, parts);
    if (!status.ok()) return status;
  }
  CloseObject(parts.responses);
  CloseObject(parts.unprocessed);
  std::string answer = absl::StrCat("{\"Responses\":", parts.responses,
                                    ",\"UnprocessedKeys\":", parts.unprocessed);
  if (request.capacity != CapacityDetail::kNone) {
    parts.capacities.pop_back();
    absl::StrAppend(&answer, ",\"ConsumedCapacity\":[", parts.capacities, "]");
  }
  answer += '}';
  return answer;
}

absl::StatusOr<Work> PrepareBatchGetItem(const Json::Value& json,
                                         const RequestContext& context) {
  auto request = std::make_shared<BatchGetItemRequest>();
  request->region = context.region;
  request->capacity =
      ParseCapacityDetail(json["ReturnConsumedCapacity"].asString());
  const Json::Value& tables = json["RequestItems"];
  int total_keys = 0;
  for (const std::string& name : tables.getMemberNames()) {
    absl::StatusOr<TableRequest> of_table =
        ReadTableRequest(name, tables[name], total_keys);
    if (!of_table.ok()) return of_table.status();
    request->tables.push_back(*std::move(of_table));
  }
  if (absl::Status status = CheckOneProjectionForm(tables); !status.ok()) {
    return status;
  }
  return [request](Database& database) { return Run(database, *request); };
}

}  // namespace

const Operation kBatchGetItem = {"BatchGetItem", BatchGetItemShape,
                                 PrepareBatchGetItem};

}  // namespace byoshin::local::dynamodb

#include "local/appsync/sources/dynamodb_batches.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/sources/attribute_values.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;
using Result = absl::StatusOr<DynamoDbCall>;

absl::Status NeedsTables(const Data& request) {
  if (MemberOf(request, "tables").is_object()) return absl::OkStatus();
  return absl::InvalidArgumentError("Value for field '$[tables]' not found.");
}

Data WireItems(const Data& list) {
  std::vector<Data> items;
  for (const Data& item : list.elements()) items.push_back(ToWireMap(item));
  return Data::Array(std::move(items));
}

void AddProjection(const Data& source, ObjectBuilder& body) {
  const Data& projection = MemberOf(source, "projection");
  const Data& expression = MemberOf(projection, "expression");
  if (!expression.is_string()) return;
  body.Set("ProjectionExpression", expression);
  const Data& names = MemberOf(projection, "expressionNames");
  if (names.size() > 0) body.Set("ExpressionAttributeNames", names);
}

Result BatchGet(const Data& request) {
  ObjectBuilder tables;
  for (const Data::Member& table : MemberOf(request, "tables").members()) {
    ObjectBuilder entry;
    const bool list = table.value.is_array();
    entry.Set("Keys",
              WireItems(list ? table.value : MemberOf(table.value, "keys")));
    const Data& consistent = MemberOf(table.value, "consistentRead");
    if (consistent.is_boolean()) entry.Set("ConsistentRead", consistent);
    AddProjection(table.value, entry);
    tables.Set(table.key, std::move(entry).Build());
  }
  ObjectBuilder body;
  body.Set("RequestItems", std::move(tables).Build());
  return DynamoDbCall{"BatchGetItem", std::move(body).Build()};
}

// One write for each element of each table.
Result BatchWrite(const Data& request, const char* kind, const char* member) {
  ObjectBuilder tables;
  for (const Data::Member& table : MemberOf(request, "tables").members()) {
    std::vector<Data> writes;
    for (const Data& element : table.value.elements()) {
      ObjectBuilder write;
      write.Set(member, ToWireMap(element));
      ObjectBuilder entry;
      entry.Set(kind, std::move(write).Build());
      writes.push_back(std::move(entry).Build());
    }
    tables.Set(table.key, Data::Array(std::move(writes)));
  }
  ObjectBuilder body;
  body.Set("RequestItems", std::move(tables).Build());
  return DynamoDbCall{"BatchWriteItem", std::move(body).Build()};
}

// The values of `key`'s members in `item`.
bool HasKey(const Data& item, const Data& key) {
  for (const Data::Member& member : key.members()) {
    if (MemberOf(item, member.name()) != member.value) return false;
  }
  return true;
}

// AppSync answers in the order of the keys, with null for what is missing.
Data InOrderOfKeys(const Data& keys, const Data& items) {
  std::vector<Data> ordered;
  for (const Data& key : keys.elements()) {
    const Data wire = ToWireMap(key);
    Data found;
    for (const Data& item : items.elements()) {
      if (HasKey(item, wire)) {
        found = ToPlainItem(item);
        break;
      }
    }
    ordered.push_back(std::move(found));
  }
  return Data::Array(std::move(ordered));
}

Data BatchGetResult(const Data& request, const Data& answer) {
  ObjectBuilder data;
  ObjectBuilder unprocessed;
  const Data& responses = MemberOf(answer, "Responses");
  const Data& left = MemberOf(answer, "UnprocessedKeys");
  for (const Data::Member& table : MemberOf(request, "tables").members()) {
    const bool list = table.value.is_array();
    // A projection may leave the keys out; then the order is DynamoDB's.
    const bool projected = MemberOf(table.value, "projection").is_object();
    const Data& items = MemberOf(responses, table.name());
    data.Set(table.key,
             projected ? PlainItems(items)
                       : InOrderOfKeys(
                             list ? table.value : MemberOf(table.value, "keys"),
                             items));
    unprocessed.Set(table.key,
                    PlainItems(MemberOf(MemberOf(left, table.name()), "Keys")));
  }
  ObjectBuilder result;
  result.Set("data", std::move(data).Build());
  result.Set("unprocessedKeys", std::move(unprocessed).Build());
  return std::move(result).Build();
}

// In the order of the request, with null for what was not written.
Data WrittenItems(const Data& list, const std::vector<Data>& unwritten) {
  std::vector<Data> items;
  for (const Data& item : list.elements()) {
    const Data wire = ToWireMap(item);
    const bool written =
        std::find(unwritten.begin(), unwritten.end(), wire) == unwritten.end();
    items.push_back(written ? ToPlainItem(wire) : Data());
  }
  return Data::Array(std::move(items));
}

Data BatchWriteResult(const Data& request, const Data& answer,
                      const char* unprocessed_name) {
  ObjectBuilder data;
  ObjectBuilder unprocessed;
  const Data& left = MemberOf(answer, "UnprocessedItems");
  for (const Data::Member& table : MemberOf(request, "tables").members()) {
    std::vector<Data> unwritten;
    std::vector<Data> remaining;
    for (const Data& write : MemberOf(left, table.name()).elements()) {
      const Data& put = MemberOf(MemberOf(write, "PutRequest"), "Item");
      unwritten.push_back(
          put.is_object() ? put
                          : MemberOf(MemberOf(write, "DeleteRequest"), "Key"));
      remaining.push_back(ToPlainItem(unwritten.back()));
    }
    data.Set(table.key, WrittenItems(table.value, unwritten));
    unprocessed.Set(table.key, Data::Array(std::move(remaining)));
  }
  ObjectBuilder result;
  result.Set("data", std::move(data).Build());
  result.Set(unprocessed_name, std::move(unprocessed).Build());
  return std::move(result).Build();
}

Data TransactBody(std::vector<Data> items) {
  ObjectBuilder body;
  body.Set("TransactItems", Data::Array(std::move(items)));
  return std::move(body).Build();
}

Result TransactGet(const Data& request) {
  std::vector<Data> items;
  for (const Data& item : MemberOf(request, "transactItems").elements()) {
    ObjectBuilder get;
    get.Set("TableName", MemberOf(item, "table"));
    get.Set("Key", ToWireMap(MemberOf(item, "key")));
    AddProjection(item, get);
    ObjectBuilder entry;
    entry.Set("Get", std::move(get).Build());
    items.push_back(std::move(entry).Build());
  }
  return DynamoDbCall{"TransactGetItems", TransactBody(std::move(items))};
}

// The expressions of an element of a transaction.
void AddWriteExpressions(const Data& item, ObjectBuilder& write) {
  Data names = Data::EmptyObject();
  Data values = Data::EmptyObject();
  for (const auto& [member, name] :
       {std::pair("update", "UpdateExpression"),
        std::pair("condition", "ConditionExpression")}) {
    const Data& source = MemberOf(item, member);
    const Data& expression = MemberOf(source, "expression");
    if (!expression.is_string()) continue;
    write.Set(name, expression);
    names = json::Merged(names, MemberOf(source, "expressionNames"));
    values =
        json::Merged(values, ToWireMap(MemberOf(source, "expressionValues")));
  }
  if (names.size() > 0) write.Set("ExpressionAttributeNames", names);
  if (values.size() > 0) write.Set("ExpressionAttributeValues", values);
  const Data& returned = MemberOf(MemberOf(item, "condition"),
                                  "returnValuesOnConditionCheckFailure");
  // AppSync returns the item unless it is told not to.
  if (!returned.is_boolean() || returned.boolean()) {
    write.Set("ReturnValuesOnConditionCheckFailure", Data::String("ALL_OLD"));
  }
}

absl::StatusOr<Data> TransactWriteEntry(const Data& item) {
  const std::string operation = TextOf(item, "operation");
  std::string kind;
  if (operation == "PutItem") {
    kind = "Put";
  } else if (operation == "UpdateItem") {
    kind = "Update";
  } else if (operation == "DeleteItem") {
    kind = "Delete";
  } else if (operation == "ConditionCheck") {
    kind = operation;
  } else {
    return absl::InvalidArgumentError(absl::StrCat(
        "Unsupported operation '", operation,
        "' in transactItems; the operations are PutItem, UpdateItem, "
        "DeleteItem, ConditionCheck"));
  }
  ObjectBuilder write;
  write.Set("TableName", MemberOf(item, "table"));
  const Data key = ToWireMap(MemberOf(item, "key"));
  if (kind == "Put") {
    write.Set("Item",
              json::Merged(ToWireMap(MemberOf(item, "attributeValues")), key));
  } else {
    write.Set("Key", key);
  }
  AddWriteExpressions(item, write);
  ObjectBuilder entry;
  entry.Set(kind, std::move(write).Build());
  return std::move(entry).Build();
}

Result TransactWrite(const Data& request) {
  std::vector<Data> items;
  for (const Data& item : MemberOf(request, "transactItems").elements()) {
    absl::StatusOr<Data> entry = TransactWriteEntry(item);
    if (!entry.ok()) return entry.status();
    items.push_back(*std::move(entry));
  }
  return DynamoDbCall{"TransactWriteItems", TransactBody(std::move(items))};
}

Data TransactGetResult(const Data& answer) {
  std::vector<Data> items;
  for (const Data& response : MemberOf(answer, "Responses").elements()) {
    items.push_back(ToPlainItem(MemberOf(response, "Item")));
  }
  ObjectBuilder result;
  result.Set("items", Data::Array(std::move(items)));
  return std::move(result).Build();
}

Data TransactWriteResult(const Data& request) {
  std::vector<Data> keys;
  for (const Data& item : MemberOf(request, "transactItems").elements()) {
    keys.push_back(ToPlainItem(ToWireMap(MemberOf(item, "key"))));
  }
  ObjectBuilder result;
  result.Set("keys", Data::Array(std::move(keys)));
  result.Set("cancellationReasons", Data());
  return std::move(result).Build();
}

}  // namespace

bool IsBatchOperation(absl::string_view operation) {
  return operation == "BatchGetItem" || operation == "BatchPutItem" ||
         operation == "BatchDeleteItem" || operation == "TransactGetItems" ||
         operation == "TransactWriteItems";
}

absl::StatusOr<DynamoDbCall> BatchCallFor(const Data& request) {
  const std::string operation = TextOf(request, "operation");
  if (operation == "TransactGetItems") return TransactGet(request);
  if (operation == "TransactWriteItems") return TransactWrite(request);
  if (absl::Status valid = NeedsTables(request); !valid.ok()) return valid;
  if (operation == "BatchGetItem") return BatchGet(request);
  if (operation == "BatchPutItem") {
    return BatchWrite(request, "PutRequest", "Item");
  }
  return BatchWrite(request, "DeleteRequest", "Key");
}

Data BatchResult(const Data& request, const Data& answer) {
  const std::string operation = TextOf(request, "operation");
  if (operation == "TransactGetItems") return TransactGetResult(answer);
  if (operation == "TransactWriteItems") return TransactWriteResult(request);
  if (operation == "BatchGetItem") return BatchGetResult(request, answer);
  return BatchWriteResult(
      request, answer,
      operation == "BatchPutItem" ? "unprocessedItems" : "unprocessedKeys");
}

Data CancelledResult(const Data& answer) {
  std::vector<Data> reasons;
  for (const Data& reason :
       MemberOf(answer, "CancellationReasons").elements()) {
    ObjectBuilder plain;
    plain.Set("item", ToPlainItem(MemberOf(reason, "Item")));
    plain.Set("type", MemberOf(reason, "Code"));
    plain.Set("message", MemberOf(reason, "Message"));
    reasons.push_back(std::move(plain).Build());
  }
  ObjectBuilder result;
  result.Set("keys", Data());
  result.Set("cancellationReasons", Data::Array(std::move(reasons)));
  return std::move(result).Build();
}

Data PlainItems(const Data& items) {
  std::vector<Data> plain;
  for (const Data& item : items.elements()) plain.push_back(ToPlainItem(item));
  return Data::Array(std::move(plain));
}

}  // namespace byoshin::local::appsync

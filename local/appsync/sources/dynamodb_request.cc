#include "local/appsync/sources/dynamodb_request.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/sources/attribute_values.h"
#include "local/appsync/sources/dynamodb_batches.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;
using Result = absl::StatusOr<DynamoDbCall>;

// The names and values of several expressions of one request.
class Expressions {
 public:
  explicit Expressions(ObjectBuilder& body) : body_(body) {}
  ~Expressions() {
    Data names = std::move(names_).Build();
    if (names.size() > 0) body_.Set("ExpressionAttributeNames", names);
    Data values = std::move(values_).Build();
    if (values.size() > 0) body_.Set("ExpressionAttributeValues", values);
  }
  Expressions(const Expressions&) = delete;
  Expressions& operator=(const Expressions&) = delete;

  // Adds the expression of the request's member under DynamoDB's name for it.
  void Add(const Data& request, absl::string_view member,
           absl::string_view name) {
    const Data& source = MemberOf(request, member);
    const Data& expression = MemberOf(source, "expression");
    if (!expression.is_string() || expression.string().empty()) return;
    body_.Set(name, expression);
    for (const Data::Member& entry :
         MemberOf(source, "expressionNames").members()) {
      names_.Set(entry.key, entry.value);
    }
    for (const Data::Member& entry :
         MemberOf(source, "expressionValues").members()) {
      values_.Set(entry.key, ToWire(entry.value));
    }
  }

 private:
  ObjectBuilder& body_;
  ObjectBuilder names_;
  ObjectBuilder values_;
};

void Copy(const Data& request, absl::string_view member, absl::string_view name,
          ObjectBuilder& body) {
  const Data& value = MemberOf(request, member);
  if (!value.is_null()) body.Set(name, value);
}

absl::Status NeedsKey(const Data& request) {
  if (MemberOf(request, "key").is_object()) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("Value for field '$[key]' not found."));
}

ObjectBuilder BodyFor(absl::string_view table) {
  ObjectBuilder body;
  body.Set("TableName", Data::String(table));
  return body;
}

Result GetItem(absl::string_view table, const Data& request) {
  if (absl::Status valid = NeedsKey(request); !valid.ok()) return valid;
  ObjectBuilder body = BodyFor(table);
  body.Set("Key", ToWireMap(MemberOf(request, "key")));
  Copy(request, "consistentRead", "ConsistentRead", body);
  {
    Expressions expressions(body);
    expressions.Add(request, "projection", "ProjectionExpression");
  }
  return DynamoDbCall{"GetItem", std::move(body).Build()};
}

Result PutItem(absl::string_view table, const Data& request) {
  if (absl::Status valid = NeedsKey(request); !valid.ok()) return valid;
  ObjectBuilder body = BodyFor(table);
  body.Set("Item", json::Merged(ToWireMap(MemberOf(request, "attributeValues")),
                                ToWireMap(MemberOf(request, "key"))));
  {
    Expressions expressions(body);
    expressions.Add(request, "condition", "ConditionExpression");
  }
  return DynamoDbCall{"PutItem", std::move(body).Build()};
}

Result UpdateItem(absl::string_view table, const Data& request) {
  if (absl::Status valid = NeedsKey(request); !valid.ok()) return valid;
  ObjectBuilder body = BodyFor(table);
  body.Set("Key", ToWireMap(MemberOf(request, "key")));
  body.Set("ReturnValues", Data::String("ALL_NEW"));
  {
    Expressions expressions(body);
    expressions.Add(request, "update", "UpdateExpression");
    expressions.Add(request, "condition", "ConditionExpression");
  }
  return DynamoDbCall{"UpdateItem", std::move(body).Build()};
}

Result DeleteItem(absl::string_view table, const Data& request) {
  if (absl::Status valid = NeedsKey(request); !valid.ok()) return valid;
  ObjectBuilder body = BodyFor(table);
  body.Set("Key", ToWireMap(MemberOf(request, "key")));
  body.Set("ReturnValues", Data::String("ALL_OLD"));
  {
    Expressions expressions(body);
    expressions.Add(request, "condition", "ConditionExpression");
  }
  return DynamoDbCall{"DeleteItem", std::move(body).Build()};
}

// What Query and Scan share.
absl::Status AddReadOptions(const Data& request, ObjectBuilder& body) {
  Copy(request, "index", "IndexName", body);
  Copy(request, "limit", "Limit", body);
  Copy(request, "consistentRead", "ConsistentRead", body);
  Copy(request, "select", "Select", body);
  const Data& token = MemberOf(request, "nextToken");
  if (token.is_null()) return absl::OkStatus();
  std::string text;
  const bool decoded =
      token.is_string() && absl::WebSafeBase64Unescape(token.string(), &text);
  const absl::StatusOr<Data> key =
      decoded ? Data::Parse(text) : absl::InvalidArgumentError("");
  if (!key.ok() || !key->is_object()) {
    return absl::InvalidArgumentError("Invalid pagination token given.");
  }
  body.Set("ExclusiveStartKey", *key);
  return absl::OkStatus();
}

Result Query(absl::string_view table, const Data& request) {
  ObjectBuilder body = BodyFor(table);
  if (absl::Status read = AddReadOptions(request, body); !read.ok()) {
    return read;
  }
  Copy(request, "scanIndexForward", "ScanIndexForward", body);
  {
    Expressions expressions(body);
    expressions.Add(request, "query", "KeyConditionExpression");
    expressions.Add(request, "filter", "FilterExpression");
    expressions.Add(request, "projection", "ProjectionExpression");
  }
  return DynamoDbCall{"Query", std::move(body).Build()};
}

Result Scan(absl::string_view table, const Data& request) {
  ObjectBuilder body = BodyFor(table);
  if (absl::Status read = AddReadOptions(request, body); !read.ok()) {
    return read;
  }
  Copy(request, "segment", "Segment", body);
  Copy(request, "totalSegments", "TotalSegments", body);
  {
    Expressions expressions(body);
    expressions.Add(request, "filter", "FilterExpression");
    expressions.Add(request, "projection", "ProjectionExpression");
  }
  return DynamoDbCall{"Scan", std::move(body).Build()};
}

Data PageResult(const Data& answer) {
  ObjectBuilder result;
  result.Set("items", PlainItems(MemberOf(answer, "Items")));
  const Data& last = MemberOf(answer, "LastEvaluatedKey");
  result.Set("nextToken",
             last.is_object()
                 ? Data::String(absl::WebSafeBase64Escape(last.ToJson()))
                 : Data());
  result.Set("scannedCount", MemberOf(answer, "ScannedCount"));
  return std::move(result).Build();
}

}  // namespace

const Data& MemberOf(const Data& object, absl::string_view name) {
  static const Data& null = *new Data();
  const Data* member = object.Find(name);
  return member == nullptr ? null : *member;
}

std::string TextOf(const Data& object, absl::string_view name) {
  const Data& member = MemberOf(object, name);
  return member.is_string() ? std::string(member.string()) : "";
}

absl::StatusOr<DynamoDbCall> DynamoDbCallFor(absl::string_view table_name,
                                             const Data& request) {
  const std::string operation = TextOf(request, "operation");
  if (operation == "GetItem") return GetItem(table_name, request);
  if (operation == "PutItem") return PutItem(table_name, request);
  if (operation == "UpdateItem") return UpdateItem(table_name, request);
  if (operation == "DeleteItem") return DeleteItem(table_name, request);
  if (operation == "Query") return Query(table_name, request);
  if (operation == "Scan") return Scan(table_name, request);
  if (IsBatchOperation(operation)) return BatchCallFor(request);
  if (operation.empty()) {
    return absl::InvalidArgumentError(
        "Value for field '$[operation]' not found.");
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Unsupported operation '", operation,
      "'; the operations are GetItem, PutItem, "
      "UpdateItem, DeleteItem, Query, Scan, BatchGetItem, BatchPutItem, "
      "BatchDeleteItem, TransactGetItems, TransactWriteItems"));
}

Data DynamoDbResult(const Data& request, const Data& answer) {
  const std::string operation = TextOf(request, "operation");
  if (operation == "GetItem") return ToPlainItem(MemberOf(answer, "Item"));
  if (operation == "PutItem") {
    return ToPlainItem(
        json::Merged(ToWireMap(MemberOf(request, "attributeValues")),
                     ToWireMap(MemberOf(request, "key"))));
  }
  if (operation == "Query" || operation == "Scan") return PageResult(answer);
  if (IsBatchOperation(operation)) return BatchResult(request, answer);
  return ToPlainItem(MemberOf(answer, "Attributes"));
}

}  // namespace byoshin::local::appsync

#include "local/applications/mesh/table_writes.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "core/json/value.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {
namespace {

using Kind = TableWrite::Kind;

constexpr int kSuccess = 200;

// The member of an object; null for anything else.
const Json::Value& MemberOf(const Json::Value& value, const char* name) {
  return value.isObject() ? value[name] : Json::Value::nullSingleton();
}

// `request` is that of PutItem, UpdateItem or DeleteItem.
void AddWrite(Kind kind, const Json::Value& request,
              std::vector<TableWrite>& writes) {
  writes.push_back({.kind = kind,
                    .table = json::TextMember(request, "TableName"),
                    .item = request[kind == Kind::kPut ? "Item" : "Key"]});
}

void AddBatch(const Json::Value& request_items,
              std::vector<TableWrite>& writes) {
  if (!request_items.isObject()) return;
  for (const std::string& table : request_items.getMemberNames()) {
    for (const Json::Value& request : request_items[table]) {
      const Json::Value& put = MemberOf(request, "PutRequest");
      const Json::Value& removal = MemberOf(request, "DeleteRequest");
      if (put.isObject()) {
        writes.push_back(
            {.kind = Kind::kPut, .table = table, .item = put["Item"]});
      } else if (removal.isObject()) {
        writes.push_back(
            {.kind = Kind::kDelete, .table = table, .item = removal["Key"]});
      }
    }
  }
}

void AddTransaction(const Json::Value& items, std::vector<TableWrite>& writes) {
  for (const Json::Value& item : items) {
    for (const auto& [name, kind] : {std::pair{"Put", Kind::kPut},
                                     {"Update", Kind::kUpdate},
                                     {"Delete", Kind::kDelete}}) {
      const Json::Value& request = MemberOf(item, name);
      if (request.isObject()) AddWrite(kind, request, writes);
    }
  }
}

}  // namespace

std::vector<TableWrite> WritesOf(const Call& call) {
  std::vector<TableWrite> writes;
  const std::string& operation = call.operation;
  const bool may_write = operation == "PutItem" || operation == "UpdateItem" ||
                         operation == "DeleteItem" ||
                         operation == "BatchWriteItem" ||
                         operation == "TransactWriteItems";
  if (!may_write || !call.JsonBody().ok() || !call.JsonBody()->isObject()) {
    return writes;
  }
  const Json::Value& body = *call.JsonBody();
  if (operation == "BatchWriteItem") {
    AddBatch(body["RequestItems"], writes);
  } else if (operation == "TransactWriteItems") {
    AddTransaction(body["TransactItems"], writes);
  } else {
    AddWrite(operation == "PutItem"      ? Kind::kPut
             : operation == "UpdateItem" ? Kind::kUpdate
                                         : Kind::kDelete,
             body, writes);
  }
  return writes;
}

void TableWriteObserver::Handle(Call call, AnswerFunction answer) {
  std::vector<TableWrite> writes = WritesOf(call);
  if (writes.empty()) {
    return service().Handle(std::move(call), std::move(answer));
  }
  service().Handle(std::move(call),
                   [this, writes = std::move(writes),
                    answer = std::move(answer)](Answer result) {
                     if (result.status == kSuccess) {
                       for (const TableWrite& write : writes) on_write_(write);
                     }
                     answer(std::move(result));
                   });
}

}  // namespace byoshin::local::applications

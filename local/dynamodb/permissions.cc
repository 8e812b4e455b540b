#include "local/dynamodb/permissions.h"

#include <json/json.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "local/gateway/permission.h"

namespace byoshin::local::dynamodb {
namespace {

std::string TableArn(const Call& call, const std::string& name) {
  return absl::StartsWith(name, "arn:")
             ? name
             : ArnFor(call, "dynamodb", absl::StrCat("table/", name));
}

// The action of a transaction's element, by its member.
// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html
constexpr std::pair<const char*, const char*> kTransactionActions[] = {
    {"Put", "dynamodb:PutItem"},
    {"Update", "dynamodb:UpdateItem"},
    {"Delete", "dynamodb:DeleteItem"},
    {"ConditionCheck", "dynamodb:ConditionCheckItem"},
    {"Get", "dynamodb:GetItem"}};

// A transaction has no action of its own: it needs the permissions of its
// elements.
std::vector<NeededPermission> TransactionPermissions(const Call& call,
                                                     const Json::Value& items) {
  if (!items.isArray()) return {};
  // Each once.
  std::set<std::pair<std::string, std::string>> needed;
  for (const Json::Value& item : items) {
    if (!item.isObject()) continue;
    for (const auto& [member, action] : kTransactionActions) {
      const Json::Value& element = item[member];
      if (element.isNull()) continue;
      const std::string table = json::TextMember(element, "TableName");
      needed.emplace(action, table.empty() ? "*" : TableArn(call, table));
    }
  }
  std::vector<NeededPermission> permissions;
  for (const auto& [action, resource] : needed) {
    permissions.push_back({.action = action, .resource = resource});
  }
  return permissions;
}

// The tables and indexes that a request other than a transaction names.
std::set<std::string> DynamoDbResources(const Call& call,
                                        const Json::Value& body) {
  std::set<std::string> arns;
  if (const std::string table = json::TextMember(body, "TableName");
      !table.empty()) {
    const std::string index = json::TextMember(body, "IndexName");
    arns.insert(index.empty()
                    ? TableArn(call, table)
                    : absl::StrCat(TableArn(call, table), "/index/", index));
  }
  if (const std::string arn = json::TextMember(body, "ResourceArn");
      !arn.empty()) {
    arns.insert(arn);
  }
  if (body["RequestItems"].isObject()) {
    for (const std::string& table : body["RequestItems"].getMemberNames()) {
      arns.insert(TableArn(call, table));
    }
  }
  return arns;
}

}  // namespace

std::vector<NeededPermission> PermissionsFor(const Call& call) {
  static const Json::Value* const kNothing = new Json::Value(Json::objectValue);
  const Json::Value& body = call.JsonBody().ok() && call.JsonBody()->isObject()
                                ? *call.JsonBody()
                                : *kNothing;
  const std::string action = absl::StrCat("dynamodb:", call.operation);
  std::vector<NeededPermission> needed;
  if (absl::StartsWith(call.operation, "Transact")) {
    needed = TransactionPermissions(call, body["TransactItems"]);
  } else {
    for (const std::string& arn : DynamoDbResources(call, body)) {
      needed.push_back({.action = action, .resource = arn});
    }
  }
  if (needed.empty()) needed.push_back({.action = action, .resource = "*"});
  return needed;
}

}  // namespace byoshin::local::dynamodb

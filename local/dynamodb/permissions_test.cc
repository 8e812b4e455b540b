#include "local/dynamodb/permissions.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {
namespace {

using Strings = std::vector<std::string>;

Call CallOf(absl::string_view operation, absl::string_view body) {
  return {.operation = std::string(operation),
          .body = std::string(body),
          .region = "us-east-1",
          .caller = {.access_key_id = "test", .account_id = "000000000000"}};
}

Strings ResourcesOf(const Call& call) {
  Strings resources;
  for (const NeededPermission& needed : PermissionsFor(call)) {
    resources.push_back(needed.resource);
  }
  return resources;
}

TEST(DynamoDbPermissions, NamesEveryTableAndIndex) {
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(ResourcesOf(CallOf("Query", R"({"TableName":"a",
                "IndexName":"i"})")),
            Strings{table + "a/index/i"});
  EXPECT_EQ(
      PermissionsFor(
          CallOf("BatchGetItem", R"({"RequestItems":{"a":{},"b":{}}})")),
      (std::vector<NeededPermission>{{"dynamodb:BatchGetItem", table + "a"},
                                     {"dynamodb:BatchGetItem", table + "b"}}));
  for (const char* nonsense : {"", "[]", "{", R"({"TableName":5})"}) {
    EXPECT_EQ(ResourcesOf(CallOf("PutItem", nonsense)), Strings{"*"});
  }
}

TEST(DynamoDbPermissions, NamesWhatEachElementOfATransactionDoes) {
  using Needed = std::vector<NeededPermission>;
  const std::string table = "arn:aws:dynamodb:us-east-1:000000000000:table/";
  EXPECT_EQ(PermissionsFor(CallOf("TransactWriteItems", R"({"TransactItems":[
              {"Put":{"TableName":"a"}},{"Delete":{"TableName":"b"}},
              {"Put":{"TableName":"a"}},{"Update":{"TableName":"a"}},
              {"ConditionCheck":{"TableName":"c"}}]})")),
            (Needed{{"dynamodb:ConditionCheckItem", table + "c"},
                    {"dynamodb:DeleteItem", table + "b"},
                    {"dynamodb:PutItem", table + "a"},
                    {"dynamodb:UpdateItem", table + "a"}}));
  EXPECT_EQ(PermissionsFor(CallOf("TransactGetItems", R"({"TransactItems":[
                               {"Get":{"TableName":"a"}}]})")),
            (Needed{{"dynamodb:GetItem", table + "a"}}));
  // The service refuses these.
  EXPECT_EQ(PermissionsFor(CallOf("TransactGetItems", R"({
                "TransactItems":[{"Get":5},{"Other":{}},6]})")),
            (Needed{{"dynamodb:GetItem", "*"}}));
  EXPECT_EQ(PermissionsFor(CallOf("TransactGetItems", R"({
                "TransactItems":[]})")),
            (Needed{{"dynamodb:TransactGetItems", "*"}}));
  // No other call gains by looking like one.
  EXPECT_EQ(PermissionsFor(CallOf("ListTables", R"({
                "TransactItems":[{"Put":{"TableName":"a"}}]})")),
            (Needed{{"dynamodb:ListTables", "*"}}));
}

}  // namespace
}  // namespace byoshin::local::dynamodb

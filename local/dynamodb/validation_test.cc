// Requests that AWS refuses, in its words.
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"

namespace byoshin::local::dynamodb {
namespace {

class ValidationTest : public testing::Test {
 protected:
  ValidationTest() { service_.CreateSimpleTable("orders"); }

  std::string PutError(absl::string_view attributes) {
    return service_.Error(
        "PutItem",
        absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":"1"},)",
                     attributes, "}}"));
  }

  TestService service_;
};

TEST_F(ValidationTest, RefusesEmptyAttributeNames) {
  EXPECT_TRUE(
      absl::EndsWith(PutError(R"("":{"S":"x"})"), "Empty attribute name"));
  EXPECT_TRUE(absl::EndsWith(PutError(R"("a":{"M":{"b":{"L":[{"M":{"":)"
                                      R"({"NULL":true}}}]}}})"),
                             "Empty attribute name"));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("UpdateItem",
                     R"({"TableName":"orders","Key":{"id":{"S":"1"}},)"
                     R"("UpdateExpression":"SET a = :v",)"
                     R"("ExpressionAttributeValues":{":v":{"M":{"":)"
                     R"({"S":""}}}}})"),
      "detected: Empty attribute name"));
}

TEST_F(ValidationTest, RefusesAttributeNamesOf65536Bytes) {
  const std::string longest(65535, 'n');
  service_.Ok("PutItem",
              absl::StrCat(R"({"TableName":"orders","Item":{"id":{"S":"1"},")",
                           longest, R"(":{"S":"x"}}})"));
  const std::string too_long = longest + "n";
  const absl::string_view message =
      "Attribute name is too large, must be less than 65536 bytes";
  EXPECT_TRUE(absl::EndsWith(
      PutError(absl::StrCat("\"", too_long, R"(":{"S":"x"})")), message));
  EXPECT_TRUE(absl::EndsWith(
      PutError(absl::StrCat(R"("a":{"M":{")", too_long, R"(":{"S":""}}})")),
      message));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error(
          "UpdateItem",
          absl::StrCat(R"({"TableName":"orders","Key":{"id":{"S":"1"}},)",
                       R"("UpdateExpression":"SET #n = :v",)",
                       R"("ExpressionAttributeNames":{"#n":")", too_long,
                       R"("},"ExpressionAttributeValues":{":v":{"S":""}}})")),
      message));
}

TEST_F(ValidationTest, RefusesAttributesToGetOf65536Characters) {
  const auto get = [](const std::string& name) {
    return absl::StrCat(R"({"TableName":"orders","Key":{"id":{"S":"1"}},)",
                        R"("AttributesToGet":[")", name, "\"]}");
  };
  service_.Ok("GetItem", get(std::string(65535, 'n')));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("GetItem", get(std::string(65536, 'n'))),
      R"('attributesToGet' failed to satisfy constraint: Member must satisfy )"
      "constraint: [Member must have length less than or equal to 65535, "
      "Member must have length greater than or equal to 0]"));
}

TEST_F(ValidationTest, RefusesAnUnknownReplicationMode) {
  const auto update = [](absl::string_view mode) {
    return absl::StrCat(
        R"({"TableName":"orders",)", R"("DeletionProtectionEnabled":false,)",
        R"("GlobalTableSettingsReplicationMode":")", mode, "\"}");
  };
  const std::string error =
      "ValidationException: 1 validation error detected: Value 'SOME' at "
      "'globalTableSettingsReplicationMode' failed to satisfy constraint: "
      "Member must satisfy enum value set: [ENABLED, DISABLED, "
      "ENABLED_WITH_OVERRIDES]";
  EXPECT_EQ(service_.Error("UpdateTable", update("SOME")), error);
  service_.Ok("UpdateTable", update("DISABLED"));
  const auto create = [](absl::string_view mode) {
    return absl::StrCat(
        R"({"TableName":"new","BillingMode":"PAY_PER_REQUEST",)",
        R"("AttributeDefinitions":[{"AttributeName":"a","AttributeType":"S"}],)",
        R"("KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],)",
        R"("GlobalTableSettingsReplicationMode":")", mode, "\"}");
  };
  EXPECT_EQ(service_.Error("CreateTable", create("SOME")), error);
  service_.Ok("CreateTable", create("ENABLED"));
}

TEST_F(ValidationTest, AcceptsEmptyTextAndBytesInSets) {
  service_.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"1"},)"
                         R"("s":{"SS":["","a"]},"b":{"BS":[""]}}})");
  EXPECT_EQ(service_.Ok("GetItem",
                        R"({"TableName":"orders","Key":{"id":{"S":"1"}}})"),
            R"({"Item":{"b":{"BS":[""]},"id":{"S":"1"},"s":{"SS":["","a"]}}})");
}

TEST_F(ValidationTest, RefusesToRestartAQueryForOneItem) {
  service_.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"1"}}})");
  EXPECT_EQ(
      service_.Ok("Query", R"({"TableName":"orders","KeyConditionExpression":)"
                           R"("id = :i","ExpressionAttributeValues":{":i":)"
                           R"({"S":"1"}},"Limit":1})"),
      R"({"Items":[{"id":{"S":"1"}}],"Count":1,"ScannedCount":1})");
  EXPECT_EQ(service_.Error("Query",
                           R"({"TableName":"orders","KeyConditionExpression":)"
                           R"("id = :i","ExpressionAttributeValues":{":i":)"
                           R"({"S":"1"}},"ExclusiveStartKey":{"id":)"
                           R"({"S":"1"}}})"),
            "ValidationException: The query can return at most one row and "
            "cannot be restarted");
}

TEST_F(ValidationTest, CountsTheErrorsOfAWrite) {
  const std::string detected =
      "ValidationException: 1 validation error detected: ";
  const std::string key = R"({"TableName":"none","Key":{"id":{"S":"1"}},)";
  EXPECT_EQ(PutError(R"("a":{"SS":[]})"),
            detected +
                "One or more parameter values were invalid: An string "
                "set  may not be empty");
  EXPECT_EQ(service_.Error("UpdateItem", key + R"("UpdateExpression":""})"),
            detected +
                "Invalid UpdateExpression: The expression can not be "
                "empty;");
  EXPECT_EQ(service_.Error("DeleteItem",
                           key + R"("ConditionExpression":"a = b",)"
                                 R"("ExpressionAttributeNames":{"#a":"a"}})"),
            detected +
                "Value provided in ExpressionAttributeNames unused in "
                "expressions: keys: {#a}");
  EXPECT_EQ(
      service_.Error("UpdateItem", key + R"("UpdateExpression":"REMOVE a",)"
                                         R"("ExpressionAttributeValues":{":a":)"
                                         R"({"S":""}}})"),
      detected +
          "Value provided in ExpressionAttributeValues unused in "
          "expressions: keys: {:a}");
  // Not of reads, and not what needs the table.
  EXPECT_EQ(service_.Error("GetItem", key + R"("ProjectionExpression":""})"),
            "ValidationException: Invalid ProjectionExpression: The expression "
            "can not be empty;");
  EXPECT_EQ(service_.Error("UpdateItem",
                           R"({"TableName":"orders","Key":{"id":{"S":"1"}},)"
                           R"("UpdateExpression":"REMOVE id"})"),
            "ValidationException: One or more parameter values were invalid: "
            "Cannot update attribute id. This attribute is part of the key");
  EXPECT_EQ(PutError(absl::StrCat(R"("a":{"S":")", std::string(400 * 1024, 'x'),
                                  R"("})")),
            "ValidationException: Item size has exceeded the maximum allowed "
            "size");
}

// A definition with a global index by "owner".
std::string IndexDefinition(absl::string_view name,
                            absl::string_view projection) {
  return absl::StrCat(R"({"IndexName":")", name,
                      R"(","KeySchema":[{"AttributeName":"owner",)",
                      R"("KeyType":"HASH"}],"Projection":)", projection, "}");
}

std::string IndexUpdate(absl::string_view update) {
  return absl::StrCat(
      R"({"TableName":"orders","AttributeDefinitions":[{"AttributeName":)",
      R"("owner","AttributeType":"S"}],"GlobalSecondaryIndexUpdates":[)",
      update, "]}");
}

TEST_F(ValidationTest, RefusesAnAttributeThatAnIndexProjectsTwice) {
  EXPECT_EQ(service_.Error(
                "UpdateTable",
                IndexUpdate(absl::StrCat(
                    R"({"Create":)",
                    IndexDefinition("by-owner",
                                    R"({"ProjectionType":"INCLUDE",)"
                                    R"("NonKeyAttributes":["a","b","a"]})"),
                    "}"))),
            "ValidationException: One or more parameter values were invalid: "
            "Duplicate element in NonKeyAttributes: a");
  EXPECT_EQ(
      service_.Error(
          "CreateTable",
          absl::StrCat(
              R"({"TableName":"twice","BillingMode":"PAY_PER_REQUEST",)",
              R"("AttributeDefinitions":[{"AttributeName":"owner",)",
              R"("AttributeType":"S"},{"AttributeName":"at",)",
              R"("AttributeType":"S"}],"KeySchema":[{"AttributeName":"owner",)",
              R"("KeyType":"HASH"},{"AttributeName":"at","KeyType":"RANGE"}],)",
              R"("LocalSecondaryIndexes":[{"IndexName":"local","KeySchema":[)",
              R"({"AttributeName":"owner","KeyType":"HASH"},{"AttributeName":)",
              R"("at","KeyType":"RANGE"}],"Projection":{"ProjectionType":)",
              R"("INCLUDE","NonKeyAttributes":["b","b"]}}]})")),
      "ValidationException: One or more parameter values were invalid: "
      "Duplicate element in NonKeyAttributes: b");
}

TEST_F(ValidationTest, RefusesTwoActionsInOneIndexUpdate) {
  EXPECT_EQ(
      service_.Error("UpdateTable",
                     IndexUpdate(absl::StrCat(
                         R"({"Create":)",
                         IndexDefinition("new", R"({"ProjectionType":"ALL"})"),
                         R"(,"Delete":{"IndexName":"old"}})"))),
      "ValidationException: One or more parameter values were invalid: Only "
      "one global secondary index action is allowed per "
      "GlobalSecondaryIndexUpdate object");
}

TEST_F(ValidationTest, ChecksThroughputBeforeItLooksForTheIndex) {
  EXPECT_EQ(service_.Error("UpdateTable",
                           IndexUpdate(R"({"Update":{"IndexName":"none",)"
                                       R"("ProvisionedThroughput":)"
                                       R"({"ReadCapacityUnits":1000000000001,)"
                                       R"("WriteCapacityUnits":1}}})")),
            "ValidationException: Given value 1000000000001 for "
            "ReadCapacityUnits is out of bounds");
}

TEST_F(ValidationTest, ChecksKeySchemasBeforeTheirDefinitions) {
  const auto create = [](absl::string_view name, absl::string_view type) {
    return absl::StrCat(
        R"({"TableName":"other","BillingMode":"PAY_PER_REQUEST",)",
        R"("AttributeDefinitions":[],"KeySchema":[{"AttributeName":")", name,
        R"(","KeyType":")", type, R"("}]})");
  };
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("CreateTable", create(std::string(256, 'k'), "HASH")),
      "at 'keySchema.1.member.attributeName' failed to satisfy constraint: "
      "Member must have length less than or equal to 255"));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("CreateTable", create("k", "HASHED")),
      "at 'keySchema.1.member.keyType' failed to satisfy constraint: Member "
      "must satisfy enum value set: [HASH, RANGE]"));
}

std::string PutAction(absl::string_view attributes) {
  return absl::StrCat(R"({"Put":{"TableName":"orders","Item":{)", attributes,
                      "}}}");
}

std::string Transaction(const std::vector<std::string>& actions) {
  return absl::StrCat(R"({"TransactItems":[)", absl::StrJoin(actions, ","),
                      "]}");
}

TEST_F(ValidationTest, AnEmptyKeyIsAnErrorOfTheWholeTransaction) {
  const std::string key = R"("TableName":"orders","Key":{"id":{"S":""}})";
  const std::vector<std::string> actions = {
      absl::StrCat(R"({"Update":{)", key,
                   R"(,"UpdateExpression":"REMOVE a"}})"),
      absl::StrCat(R"({"Delete":{)", key, "}}"),
      absl::StrCat(R"({"ConditionCheck":{)", key,
                   R"(,"ConditionExpression":"attribute_exists(a) "}})")};
  for (const std::string& action : actions) {
    EXPECT_EQ(service_.Error("TransactWriteItems", Transaction({action})),
              "ValidationException: One or more parameter values are not "
              "valid. The AttributeValue for a key attribute cannot contain an "
              "empty string value. Key: id")
        << action;
  }
  EXPECT_EQ(service_.Error("DeleteItem", absl::StrCat("{", key, "}")),
            "ValidationException: One or more parameter values are not valid. "
            "The AttributeValue for a key attribute cannot contain an empty "
            "string value. Key: id");
}

TEST_F(ValidationTest, ATransactionNamesTheFirstInvalidActionOnly) {
  EXPECT_EQ(service_.Error("TransactWriteItems",
                           Transaction({PutAction(R"("id":{"S":"1"})"),
                                        PutAction(R"("id":{"N":"1"})"),
                                        PutAction(R"("id":{"N":"2"})")})),
            "TransactionCanceledException: Transaction cancelled, please refer "
            "cancellation reasons for specific reasons [None, ValidationError, "
            "None]");
}

TEST_F(ValidationTest, ABatchOfReadsStaysBelow16Megabytes) {
  const std::string text(400 * 1024 - 20, 'x');
  std::vector<std::string> keys;
  for (int i = 0; i < 42; ++i) {
    const std::string key = absl::StrCat(R"("id":{"S":")", 100 + i, R"("})");
    service_.Ok("PutItem",
                absl::StrCat(R"({"TableName":"orders","Item":{)", key,
                             R"(,"text":{"S":")", text, R"("}}})"));
    keys.push_back(absl::StrCat("{", key, "}"));
  }
  const std::string answer = service_.Ok(
      "BatchGetItem", absl::StrCat(R"({"RequestItems":{"orders":{"Keys":[)",
                                   absl::StrJoin(keys, ","), "]}}}"));
  // 40 items of nearly 400 KB are less than 16 MB, 41 are more.
  EXPECT_TRUE(absl::StrContains(answer, R"({"id":{"S":"139"},"text":)"));
  EXPECT_TRUE(absl::EndsWith(
      answer, R"("UnprocessedKeys":{"orders":{"Keys":[{"id":{"S":"140"}},)"
              R"({"id":{"S":"141"}}]}}})"))
      << answer.substr(answer.size() - 200);
}

}  // namespace
}  // namespace byoshin::local::dynamodb

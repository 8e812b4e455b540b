// Operations on single items, on batches of them, and transactions.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {
namespace {

// A request about table "orders" with further members.
std::string On(absl::string_view members) {
  return absl::StrCat(R"({"TableName":"orders",)", members, "}");
}

// {"id":{"S":"<id>"}}
std::string Id(absl::string_view id) {
  return absl::StrCat(R"({"id":{"S":")", id, R"("}})");
}

class ItemsTest : public ::testing::Test {
 protected:
  ItemsTest() { service_.CreateSimpleTable("orders"); }

  std::string Get(absl::string_view id) {
    return service_.Ok("GetItem", On(absl::StrCat("\"Key\":", Id(id))));
  }

  TestService service_;
};

TEST_F(ItemsTest, PutsGetsAndDeletes) {
  EXPECT_EQ(Get("1"), "{}");
  EXPECT_EQ(
      service_.Ok("PutItem", On(R"("Item":{"id":{"S":"1"},"n":{"N":"1.50"}})")),
      "{}");
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"},"n":{"N":"1.5"}}})");
  EXPECT_EQ(service_.Ok("PutItem", On(R"("Item":{"id":{"S":"1"}},)"
                                      R"("ReturnValues":"ALL_OLD")")),
            R"({"Attributes":{"id":{"S":"1"},"n":{"N":"1.5"}}})");
  EXPECT_EQ(service_.Ok("DeleteItem", On(R"("Key":{"id":{"S":"1"}},)"
                                         R"("ReturnValues":"ALL_OLD")")),
            R"({"Attributes":{"id":{"S":"1"}}})");
  EXPECT_EQ(Get("1"), "{}");
}

TEST_F(ItemsTest, ChecksConditions) {
  const std::string put = On(R"("Item":{"id":{"S":"1"}},"ConditionExpression":)"
                             R"x("attribute_not_exists(id)")x");
  EXPECT_EQ(service_.Ok("PutItem", put), "{}");
  EXPECT_EQ(service_.Error("PutItem", put),
            "ConditionalCheckFailedException: The conditional request failed");
  const Answer answer = service_.Handle(
      "PutItem", On(R"("Item":{"id":{"S":"1"}},"ConditionExpression":)"
                    R"x("attribute_not_exists(id)",)x"
                    R"("ReturnValuesOnConditionCheckFailure":"ALL_OLD")"));
  EXPECT_EQ(answer.body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
            R"(ConditionalCheckFailedException","Message":)"
            R"("The conditional request failed","Item":{"id":{"S":"1"}}})");
  EXPECT_EQ(service_.Error("DeleteItem",
                           On(R"("Key":{"id":{"S":"2"}},"ConditionExpression":)"
                              R"x("attribute_exists(id)")x")),
            "ConditionalCheckFailedException: The conditional request failed");
}

TEST_F(ItemsTest, UpdatesAndReturnsWhatWasAskedFor) {
  const auto update = [&](absl::string_view expression,
                          absl::string_view return_values) {
    return service_.Ok(
        "UpdateItem",
        On(absl::StrCat(R"("Key":{"id":{"S":"1"}},"UpdateExpression":")",
                        expression, R"(","ExpressionAttributeValues":)",
                        R"({":v":{"N":"1"}},"ReturnValues":")", return_values,
                        "\"")));
  };
  EXPECT_EQ(update("ADD n :v", "ALL_OLD"), "{}");
  EXPECT_EQ(update("ADD n :v", "ALL_NEW"),
            R"({"Attributes":{"id":{"S":"1"},"n":{"N":"2"}}})");
  EXPECT_EQ(update("SET n = n + :v", "UPDATED_OLD"),
            R"({"Attributes":{"n":{"N":"2"}}})");
  EXPECT_EQ(update("SET n = n + :v", "UPDATED_NEW"),
            R"({"Attributes":{"n":{"N":"4"}}})");
  EXPECT_EQ(update("ADD n :v", "NONE"), "{}");
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"},"n":{"N":"5"}}})");
}

TEST_F(ItemsTest, UpdateWithoutExpressionMakesTheItem) {
  EXPECT_EQ(service_.Ok("UpdateItem", On(R"("Key":{"id":{"S":"1"}})")), "{}");
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"}}})");
}

TEST_F(ItemsTest, TakingAwayFromAnItemThatIsNotThereDoesNothing) {
  const auto members = [](absl::string_view update) {
    return On(absl::StrCat(R"("Key":{"id":{"S":"1"}},"UpdateExpression":")",
                           update, "\""));
  };
  for (const absl::string_view return_values :
       {"NONE", "ALL_OLD", "UPDATED_OLD", "ALL_NEW", "UPDATED_NEW"}) {
    // The path would be refused of an item without the map.
    EXPECT_EQ(
        service_.Ok("UpdateItem",
                    On(absl::StrCat(
                        R"("Key":{"id":{"S":"1"}},"UpdateExpression":)",
                        R"("REMOVE a, m.x DELETE s :s",)",
                        R"("ExpressionAttributeValues":{":s":{"SS":["a"]}},)",
                        R"("ReturnValues":")", return_values, "\""))),
        "{}");
  }
  EXPECT_EQ(
      service_.Ok("UpdateItem",
                  On(R"("Key":{"id":{"S":"1"}},"UpdateExpression":"REMOVE a",)"
                     R"("ReturnConsumedCapacity":"TOTAL")")),
      R"({"ConsumedCapacity":{"TableName":"orders","CapacityUnits":1.0}})");
  EXPECT_EQ(service_.Ok("TransactWriteItems",
                        absl::StrCat(R"({"TransactItems":[{"Update":)",
                                     members("REMOVE a"), "}]}")),
            "{}");
  EXPECT_EQ(*service_.client().Count("orders"), 0);
  EXPECT_EQ(service_.Error("UpdateItem", On(R"("Key":{"id":{"S":"1"}},)"
                                            R"("UpdateExpression":"REMOVE a",)"
                                            R"x("ConditionExpression":)x"
                                            R"x("attribute_exists(id)")x")),
            "ConditionalCheckFailedException: The conditional request failed");
  service_.Ok("PutItem", On(R"("Item":{"id":{"S":"1"},"a":{"S":"x"}})"));
  EXPECT_EQ(service_.Ok("UpdateItem", members("REMOVE a")), "{}");
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"}}})");
}

TEST_F(ItemsTest, RefusesKeysThatDoNotFit) {
  EXPECT_EQ(service_.Error("PutItem", On(R"("Item":{"a":{"S":"1"}})")),
            "ValidationException: One or more parameter values were invalid: "
            "Missing the key id in the item");
  EXPECT_EQ(service_.Error("PutItem", On(R"("Item":{"id":{"N":"1"}})")),
            "ValidationException: One or more parameter values were invalid: "
            "Type mismatch for key id expected: S actual: N");
  EXPECT_EQ(service_.Error("PutItem", On(R"("Item":{"id":{"S":""}})")),
            "ValidationException: One or more parameter values are not valid. "
            "The AttributeValue for a key attribute cannot contain an empty "
            "string value. Key: id");
  EXPECT_EQ(service_.Error("GetItem", On(R"("Key":{"id":{"N":"1"}})")),
            "ValidationException: The provided key element does not match the "
            "schema");
  EXPECT_EQ(
      service_.Error("GetItem", On(R"("Key":{"id":{"S":"1"},"a":{"S":"1"}})")),
      "ValidationException: The provided key element does not match the "
      "schema");
  EXPECT_EQ(
      service_.Error("PutItem",
                     On(absl::StrCat(R"("Item":{"id":{"S":")",
                                     std::string(2049, 'x'), R"("}})"))),
      "ValidationException: One or more parameter values were invalid: Size of "
      "hashkey has exceeded the maximum size limit of2048 bytes");
  EXPECT_EQ(service_.Error("UpdateItem",
                           On(R"("Key":{"id":{"S":"1"}},"UpdateExpression":)"
                              R"("REMOVE id")")),
            "ValidationException: One or more parameter values were invalid: "
            "Cannot update attribute id. This attribute is part of the key");
}

TEST_F(ItemsTest, RefusesLegacyParametersBesideExpressions) {
  EXPECT_EQ(
      service_.Error("PutItem", On(R"("Item":{"id":{"S":"1"}},"Expected":{},)"
                                   R"("ConditionExpression":"a = b")")),
      "ValidationException: 1 validation error detected: Can not use both "
      "expression and non-expression parameters in the same request: "
      "Non-expression parameters: {Expected} Expression parameters: "
      "{ConditionExpression}");
}

TEST_F(ItemsTest, RefusesWhatExpressionsDoNotNeed) {
  EXPECT_EQ(
      service_.Error("GetItem", On(R"("Key":{"id":{"S":"1"}},)"
                                   R"("ExpressionAttributeNames":{"#a":"a"})")),
      "ValidationException: ExpressionAttributeNames can only be specified "
      "when using expressions");
  EXPECT_EQ(service_.Error("PutItem", On(R"("Item":{"id":{"S":"1"}},)"
                                         R"("ExpressionAttributeValues":)"
                                         R"({":a":{"S":"a"}})")),
            "ValidationException: 1 validation error detected: "
            "ExpressionAttributeValues can only be specified when using "
            "expressions");
  EXPECT_EQ(service_.Error("PutItem", On(R"("Item":{"id":{"S":"1"}},)"
                                         R"("ReturnValues":"ALL_NEW")")),
            "ValidationException: 1 validation error detected: ReturnValues "
            "can only be ALL_OLD or NONE");
  EXPECT_EQ(service_.Error("DeleteItem", On(R"("Key":{"id":{"S":"1"}},)"
                                            R"("ReturnValues":"UPDATED_NEW")")),
            "ValidationException: 1 validation error detected: ReturnValues "
            "can only be ALL_OLD or NONE");
}

TEST_F(ItemsTest, SurvivesNullInPlacesWhereSomethingIsWanted) {
  for (const auto& [operation, request] :
       std::vector<std::pair<std::string, std::string>>{
           {"PutItem", On(R"("Item":{"id":null})")},
           {"PutItem", On(R"("Item":{"id":{"S":null}})")},
           {"GetItem", On(R"("Key":null)")},
           {"UpdateItem", On(R"("Key":{"id":{"S":"1"}},)"
                             R"("UpdateExpression":"SET #a = :a",)"
                             R"("ExpressionAttributeNames":{"#a":null},)"
                             R"("ExpressionAttributeValues":{":a":null})")},
           {"BatchGetItem", R"({"RequestItems":{"orders":{"Keys":[null]}}})"},
           {"BatchWriteItem", R"({"RequestItems":{"orders":[null]}})"},
           {"BatchWriteItem", R"({"RequestItems":{"orders":null}})"},
           {"TransactWriteItems", R"({"TransactItems":[null]})"},
           {"TransactGetItems", R"({"TransactItems":[null]})"},
           {"CreateTable", R"({"TableName":"other","KeySchema":[null],)"
                           R"("AttributeDefinitions":[null],)"
                           R"("BillingMode":"PAY_PER_REQUEST"})"},
           {"UpdateTable", R"({"TableName":"orders",)"
                           R"("GlobalSecondaryIndexUpdates":[null]})"}}) {
    EXPECT_TRUE(
        absl::StrContains(service_.Error(operation, request), "Exception: "))
        << operation << request;
  }
}

TEST_F(ItemsTest, IgnoresExpressionsThatAreNotTheOperations) {
  EXPECT_EQ(service_.Ok("PutItem", On(R"("Item":{"id":{"S":"1"}},)"
                                      R"("UpdateExpression":[],)"
                                      R"("KeyConditionExpression":{})")),
            "{}");
  EXPECT_EQ(service_.Ok("GetItem", On(R"("Key":{"id":{"S":"1"}},)"
                                      R"("FilterExpression":{},)"
                                      R"("ExpressionAttributeValues":7)")),
            R"({"Item":{"id":{"S":"1"}}})");
  EXPECT_EQ(
      service_.Ok("BatchGetItem",
                  R"({"RequestItems":{"orders":{"Keys":[{"id":{"S":"1"}}],)"
                  R"("ConditionExpression":[]}}})"),
      R"({"Responses":{"orders":[{"id":{"S":"1"}}]},"UnprocessedKeys":{}})");
  EXPECT_EQ(service_.Ok("TransactWriteItems",
                        R"({"TransactItems":[{"Put":{"TableName":"orders",)"
                        R"("Item":{"id":{"S":"2"}},"UpdateExpression":{}}}]})"),
            "{}");
}

TEST_F(ItemsTest, RefusesItemsThatAreTooLarge) {
  const std::string item = absl::StrCat(R"("Item":{"id":{"S":"1"},"x":{"S":")",
                                        std::string(400 * 1024, 'x'), R"("}})");
  EXPECT_EQ(service_.Error("PutItem", On(item)),
            "ValidationException: Item size has exceeded the maximum allowed "
            "size");
}

TEST_F(ItemsTest, CountsCapacity) {
  // 1,503 bytes: 2 units to write, one to read.
  const std::string item = absl::StrCat(R"("Item":{"id":{"S":"1"},"x":{"S":")",
                                        std::string(1499, 'x'), R"("}})");
  EXPECT_EQ(service_.Ok("PutItem",
                        On(absl::StrCat(item, R"(,"ReturnConsumedCapacity":)",
                                        R"("TOTAL")"))),
            R"({"ConsumedCapacity":{"TableName":"orders",)"
            R"("CapacityUnits":2.0}})");
  // What was there counts too.
  EXPECT_EQ(service_.Ok("PutItem", On(R"("Item":{"id":{"S":"1"}},)"
                                      R"("ReturnConsumedCapacity":"INDEXES")")),
            R"({"ConsumedCapacity":{"TableName":"orders","CapacityUnits":2.0,)"
            R"("Table":{"CapacityUnits":2.0}}})");
  EXPECT_EQ(service_.Ok("GetItem", On(R"("Key":{"id":{"S":"9"}},)"
                                      R"("ReturnConsumedCapacity":"TOTAL")")),
            R"({"ConsumedCapacity":{"TableName":"orders",)"
            R"("CapacityUnits":0.5}})");
  EXPECT_EQ(service_.Ok("GetItem", On(R"("Key":{"id":{"S":"9"}},)"
                                      R"("ConsistentRead":true,)"
                                      R"("ReturnConsumedCapacity":"TOTAL")")),
            R"({"ConsumedCapacity":{"TableName":"orders",)"
            R"("CapacityUnits":1.0}})");
}

TEST_F(ItemsTest, BatchWritesAndGets) {
  EXPECT_EQ(service_.Ok("BatchWriteItem",
                        R"({"RequestItems":{"orders":[)"
                        R"({"PutRequest":{"Item":{"id":{"S":"1"}}}},)"
                        R"({"PutRequest":{"Item":{"id":{"S":"2"}}}}]}})"),
            R"({"UnprocessedItems":{}})");
  EXPECT_EQ(
      service_.Ok("BatchGetItem", R"({"RequestItems":{"orders":{"Keys":[)"
                                  R"({"id":{"S":"2"}},{"id":{"S":"3"}}]}}})"),
      R"({"Responses":{"orders":[{"id":{"S":"2"}}]},)"
      R"("UnprocessedKeys":{}})");
  EXPECT_EQ(service_.Ok("BatchWriteItem",
                        R"({"RequestItems":{"orders":[)"
                        R"({"DeleteRequest":{"Key":{"id":{"S":"1"}}}}]},)"
                        R"("ReturnConsumedCapacity":"TOTAL"})"),
            R"({"UnprocessedItems":{},"ConsumedCapacity":[)"
            R"({"TableName":"orders","CapacityUnits":1.0}]})");
  EXPECT_EQ(*service_.client().Count("orders"), 1);
}

TEST_F(ItemsTest, RefusesBatchesAsAWhole) {
  EXPECT_EQ(service_.Error("BatchWriteItem",
                           R"({"RequestItems":{"orders":[)"
                           R"({"PutRequest":{"Item":{"id":{"S":"1"}}}},)"
                           R"({"DeleteRequest":{"Key":{"id":{"S":"1"}}}}]}})"),
            "ValidationException: Provided list of item keys contains "
            "duplicates");
  EXPECT_EQ(service_.Error("BatchWriteItem",
                           R"({"RequestItems":{"orders":[)"
                           R"({"PutRequest":{"Item":{"id":{"S":"1"}}}},)"
                           R"({"PutRequest":{"Item":{"a":{"S":"1"}}}}]}})"),
            "ValidationException: The provided key element does not match the "
            "schema");
  EXPECT_EQ(*service_.client().Count("orders"), 0);
  EXPECT_EQ(service_.Error("BatchGetItem",
                           R"({"RequestItems":{"orders":{"Keys":[)"
                           R"({"id":{"S":"2"}},{"id":{"S":"2"}}]}}})"),
            "ValidationException: Provided list of item keys contains "
            "duplicates");
  std::string keys;
  for (int i = 0; i < 26; ++i) {
    absl::StrAppend(&keys, i ? "," : "", R"({"DeleteRequest":{"Key":)", Id("x"),
                    "}}");
  }
  EXPECT_TRUE(absl::StrContains(
      service_.Error(
          "BatchWriteItem",
          absl::StrCat(R"({"RequestItems":{"orders":[)", keys, "]}}")),
      "Member must have length less than or equal to 25"));
}

TEST_F(ItemsTest, TransactionsDoAllOrNothing) {
  const std::string failing =
      R"({"TransactItems":[)"
      R"({"Put":{"TableName":"orders","Item":{"id":{"S":"1"}}}},)"
      R"({"ConditionCheck":{"TableName":"orders","Key":{"id":{"S":"2"}},)"
      R"x("ConditionExpression":"attribute_exists(id)"}}]})x";
  EXPECT_EQ(service_.Handle("TransactWriteItems", failing).body,
            R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
            R"(TransactionCanceledException","Message":)"
            R"("Transaction cancelled, please refer cancellation reasons for )"
            R"(specific reasons [None, ConditionalCheckFailed]",)"
            R"("CancellationReasons":[{"Code":"None"},)"
            R"({"Code":"ConditionalCheckFailed","Message":)"
            R"("The conditional request failed"}]})");
  EXPECT_EQ(*service_.client().Count("orders"), 0);
  service_.Ok("PutItem", On(R"("Item":{"id":{"S":"2"}})"));
  EXPECT_EQ(service_.Ok("TransactWriteItems", failing), "{}");
  EXPECT_EQ(
      service_.Ok("TransactGetItems",
                  R"({"TransactItems":[)"
                  R"({"Get":{"TableName":"orders","Key":{"id":{"S":"1"}}}},)"
                  R"({"Get":{"TableName":"orders","Key":{"id":{"S":"3"}}}}],)"
                  R"("ReturnConsumedCapacity":"TOTAL"})"),
      R"({"Responses":[{"Item":{"id":{"S":"1"}}},{}],)"
      R"("ConsumedCapacity":[{"TableName":"orders","CapacityUnits":4.0,)"
      R"("ReadCapacityUnits":4.0}]})");
}

TEST_F(ItemsTest, TransactionsTellWhatIsWrongWithThem) {
  EXPECT_EQ(
      service_.Error(
          "TransactWriteItems",
          R"({"TransactItems":[)"
          R"({"Put":{"TableName":"orders","Item":{"id":{"S":"1"}}}},)"
          R"({"Delete":{"TableName":"orders","Key":{"id":{"S":"1"}}}}]})"),
      "ValidationException: Transaction request cannot include multiple "
      "operations on one item");
  EXPECT_EQ(service_.Error("TransactWriteItems", R"({"TransactItems":[{}]})"),
            "ValidationException: TransactItems can only contain one of Check, "
            "Put, Update or Delete");
  EXPECT_TRUE(absl::StrContains(
      service_.Error("TransactWriteItems",
                     R"({"TransactItems":[{"Put":{"TableName":"orders",)"
                     R"("Item":{"a":{"S":"1"}}}}]})"),
      "[ValidationError]"));
  EXPECT_EQ(service_.Error("TransactWriteItems",
                           R"({"TransactItems":[{"Put":{"TableName":"none",)"
                           R"("Item":{"a":{"S":"1"}}}}]})"),
            "ResourceNotFoundException: Requested resource not found");
}

TEST_F(ItemsTest, TransactionsWithATokenAreDoneOnce) {
  const auto add = [](absl::string_view amount) {
    return absl::StrCat(
        R"({"ClientRequestToken":"t","ReturnConsumedCapacity":"TOTAL",)",
        R"("TransactItems":[{"Update":{"TableName":"orders",)",
        R"("Key":{"id":{"S":"1"}},"UpdateExpression":"ADD n :n",)",
        R"("ExpressionAttributeValues":{":n":{"N":")", amount, R"("}}}}]})");
  };
  EXPECT_TRUE(absl::StrContains(service_.Ok("TransactWriteItems", add("1")),
                                R"("WriteCapacityUnits":2.0)"));
  service_.Reopen();
  EXPECT_TRUE(absl::StrContains(service_.Ok("TransactWriteItems", add("1")),
                                R"("ReadCapacityUnits":2.0)"));
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"},"n":{"N":"1"}}})");
  EXPECT_EQ(service_.Error("TransactWriteItems", add("2")),
            "IdempotentParameterMismatchException: The request uses the same "
            "client token as a previous, but non-identical request.");
  service_.clock().AdvanceBy(absl::Minutes(10));
  service_.Ok("TransactWriteItems", add("2"));
  EXPECT_EQ(Get("1"), R"({"Item":{"id":{"S":"1"},"n":{"N":"3"}}})");
}

}  // namespace
}  // namespace byoshin::local::dynamodb

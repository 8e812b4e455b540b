// AWS words the same mistake differently in different operations: it has
// reworded some of them since June 2026. What is here was recorded on AWS in
// September and October 2026, as most regions answer:
// https://github.com/paritysuite/dynamodb-conformance
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kOne =
    "ValidationException: 1 validation error detected: ";
constexpr absl::string_view kTwo =
    "ValidationException: 2 validation errors detected: ";
constexpr absl::string_view kKey = R"("Key":{"id":{"S":"1"}})";
constexpr absl::string_view kUnknownCapacity =
    "Value 'BOGUS' at 'returnConsumedCapacity' failed to satisfy constraint: "
    "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]";
constexpr absl::string_view kUnknownMetrics =
    "Value 'BOGUS' at 'returnItemCollectionMetrics' failed to satisfy "
    "constraint: Member must satisfy enum value set: [SIZE, NONE]";
// UPDATE_NEW is as AWS spells it.
constexpr absl::string_view kUnknownReturnValues =
    "Failed to satisfy constraint: Member must satisfy enum value set: "
    "[ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]";
constexpr absl::string_view kInvalidValue =
    "One or more parameter values were invalid: ";
constexpr absl::string_view kNotNumeric =
    "The parameter cannot be converted to a numeric value";

class WordingTest : public testing::Test {
 protected:
  WordingTest() { service_.CreateSimpleTable("orders"); }

  std::string Error(absl::string_view operation, absl::string_view members) {
    return service_.Error(operation, absl::StrCat("{", members, "}"));
  }

  TestService service_;
};

TEST_F(WordingTest, AnEmptyTableNameIsNotRepeatedAndNamedAlone) {
  const std::string empty =
      absl::StrCat(kOne,
                   "Value at 'TableName' failed to satisfy constraint: Member "
                   "must have length greater than or equal to 1");
  const std::vector<std::pair<std::string, std::string>> requests = {
      {"PutItem", R"("Item":{},"ReturnValues":"BOGUS")"},
      {"DeleteItem", R"("Key":{},"ReturnConsumedCapacity":"BOGUS")"},
      {"UpdateItem", R"("Key":{},"ReturnValues":"BOGUS")"},
      {"GetItem", R"("Key":{})"},
      {"Query", R"("KeyConditionExpression":"a = :a")"},
  };
  for (const auto& [operation, members] : requests) {
    EXPECT_EQ(Error(operation, absl::StrCat(R"("TableName":"",)", members)),
              empty)
        << operation;
  }
}

TEST_F(WordingTest, ATableNameIsRepeatedIfItIsTooLongOrHasOtherCharacters) {
  const std::string too_long(256, 'a');
  EXPECT_EQ(
      Error("PutItem",
            absl::StrCat(R"("Item":{},"TableName":")", too_long, R"(")")),
      absl::StrCat(kOne, "Value '", too_long,
                   "' at 'tableName' failed to satisfy constraint: Member must "
                   "have length less than or equal to 255"));
  EXPECT_EQ(
      Error("UpdateItem", absl::StrCat(R"("TableName":"x!",)", kKey)),
      absl::StrCat(kOne,
                   "Value 'x!' at 'tableName' failed to satisfy constraint: "
                   "Member must satisfy regular expression pattern: "
                   "[a-zA-Z0-9_.-]+"));
}

TEST_F(WordingTest, AShortTableNameIsAnErrorInOperationsOnTablesOnly) {
  EXPECT_EQ(Error("GetItem", absl::StrCat(R"("TableName":"ab",)", kKey)),
            "ResourceNotFoundException: Requested resource not found");
  for (const char* operation :
       {"DescribeTable", "DeleteTable", "DescribeTimeToLive"}) {
    EXPECT_EQ(Error(operation, R"("TableName":"ab")"),
              absl::StrCat(kOne,
                           "Value 'ab' at 'tableName' failed to satisfy "
                           "constraint: Member must have length greater than "
                           "or equal to 3"))
        << operation;
  }
}

TEST_F(WordingTest, WithoutARequiredParameterAllErrorsHaveTheFullWords) {
  EXPECT_EQ(
      Error("UpdateItem", R"("TableName":"","ReturnValues":"BOGUS",)"
                          R"("ReturnConsumedCapacity":"BOGUS",)"
                          R"("UpdateExpression":"REMOVE a")"),
      absl::StrCat(
          "ValidationException: 4 validation errors detected: ",
          kUnknownCapacity,
          "; Value '' at 'tableName' failed to satisfy constraint: Member must "
          "have length greater than or equal to 1; Value 'BOGUS' at "
          "'returnValues' failed to satisfy constraint: Member must satisfy "
          "enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; "
          "Value null at 'key' failed to satisfy constraint: Member must not "
          "be null"));
  EXPECT_EQ(
      Error("UpdateItem",
            R"("TableName":"orders","ConditionalOperator":"XOR")"),
      absl::StrCat(kTwo,
                   "Value 'XOR' at 'conditionalOperator' failed to satisfy "
                   "constraint: Member must satisfy enum value set: [OR, AND]; "
                   "Value null at 'key' failed to satisfy constraint: Member "
                   "must not be null"));
}

TEST_F(WordingTest, UnknownReturnValuesAreListedByPutAndDelete) {
  const std::string unknown = R"("TableName":"orders","ReturnValues":"BOGUS",)"
                              R"("ReturnConsumedCapacity":"BOGUS",)";
  EXPECT_EQ(
      Error("PutItem",
            absl::StrCat(unknown, R"("ReturnItemCollectionMetrics":"BOGUS",)",
                         R"("Item":{"id":{"S":"1"}})")),
      absl::StrCat("ValidationException: 3 validation errors detected: ",
                   kUnknownCapacity, "; ", kUnknownReturnValues, "; ",
                   kUnknownMetrics));
  EXPECT_EQ(Error("DeleteItem", absl::StrCat(unknown, kKey)),
            absl::StrCat(kTwo, kUnknownCapacity, "; ", kUnknownReturnValues));
  EXPECT_EQ(Error("DeleteItem",
                  absl::StrCat(
                      R"("TableName":"orders","ReturnValues":"BOGUS",)", kKey)),
            absl::StrCat(kOne, kUnknownReturnValues));
}

TEST_F(WordingTest, UnknownReturnValuesAreTheOnlyErrorOfAnUpdate) {
  EXPECT_EQ(Error("UpdateItem",
                  absl::StrCat(R"("TableName":"orders","ReturnValues":"BOGUS",)"
                               R"("ReturnConsumedCapacity":"BOGUS",)",
                               kKey)),
            absl::StrCat(kOne, kUnknownReturnValues));
}

std::string TransactionOf(absl::string_view actions, absl::string_view more) {
  return absl::StrCat(R"("TransactItems":[)", actions, "]", more);
}

constexpr absl::string_view kPutIntoNone =
    R"({"Put":{"TableName":"none","Item":{"id":{"S":"1"}}}})";

TEST_F(WordingTest, ATransactionListsItsTokenBeforeItsEnumerations) {
  const std::string token(37, 'x');
  EXPECT_EQ(
      Error("TransactWriteItems",
            TransactionOf(kPutIntoNone,
                          absl::StrCat(R"(,"ReturnConsumedCapacity":"BOGUS",)",
                                       R"("ReturnItemCollectionMetrics":)",
                                       R"("BOGUS","ClientRequestToken":")",
                                       token, R"(")"))),
      absl::StrCat("ValidationException: 3 validation errors detected: Value '",
                   token,
                   "' at 'clientRequestToken' failed to satisfy constraint: "
                   "Member must have length less than or equal to 36; ",
                   kUnknownCapacity, "; ", kUnknownMetrics));
  EXPECT_EQ(Error("TransactWriteItems", TransactionOf("", "")),
            absl::StrCat(kOne,
                         "Value '[]' at 'transactItems' failed to satisfy "
                         "constraint: Member must have length greater than or "
                         "equal to 1"));
}

TEST_F(WordingTest, ATransactionsExpressionsAreReadBeforeItsTablesAreFound) {
  const auto check = [](absl::string_view members) {
    return absl::StrCat(R"({"ConditionCheck":{"TableName":"orders",)", kKey,
                        ",", members, "}}");
  };
  // Not counted, unlike those of single writes.
  EXPECT_EQ(
      Error("TransactWriteItems",
            TransactionOf(
                absl::StrCat(
                    kPutIntoNone, ",",
                    check(R"("ConditionExpression":"a = b",)"
                          R"("ExpressionAttributeValues":{":v":{"S":"x"}})")),
                "")),
      "ValidationException: Value provided in ExpressionAttributeValues "
      "unused in expressions: keys: {:v}");
  EXPECT_EQ(
      Error("TransactWriteItems",
            TransactionOf(
                absl::StrCat(
                    kPutIntoNone, ",",
                    check(R"("ConditionExpression":"attribute_exists(")")),
                "")),
      "ValidationException: Invalid ConditionExpression: Syntax error; "
      "token: \"<EOF>\", near: \"(\"");
}

TEST_F(WordingTest, ABatchSaysWhereItIsEmptyOrTooLong) {
  const auto keys = [](int count) {
    std::string all;
    for (int i = 0; i < count; ++i) {
      absl::StrAppend(&all, i == 0 ? "" : ",", R"({"id":{"S":")", i, R"("}})");
    }
    return absl::StrCat(R"("RequestItems":{"orders":{"Keys":[)", all, "]}}");
  };
  EXPECT_EQ(Error("BatchGetItem", R"("RequestItems":{})"),
            absl::StrCat(kOne,
                         "Value at 'RequestItems' failed to satisfy "
                         "constraint: Member must have length greater than or "
                         "equal to 1"));
  EXPECT_EQ(Error("BatchGetItem", keys(0)),
            absl::StrCat(kOne,
                         "Value at 'RequestItems.orders.member.Keys' failed to "
                         "satisfy constraint: Member must have length greater "
                         "than or equal to 1"));
  EXPECT_EQ(Error("BatchGetItem", keys(101)),
            absl::StrCat(kOne,
                         "Value at 'RequestItems.orders.member.Keys' failed to "
                         "satisfy constraint: Member must have length less "
                         "than or equal to 100"));
  EXPECT_EQ(Error("BatchWriteItem", R"("RequestItems":{})"),
            "ValidationException: The requestItems parameter is required for "
            "BatchWriteItem");
}

TEST_F(WordingTest, ABatchOfReadsNamesItsTablesBeforeItsEnumerations) {
  EXPECT_EQ(
      Error("BatchGetItem",
            R"("ReturnConsumedCapacity":"BOGUS","RequestItems":{"bad!name":)"
            R"({"Keys":[{"id":{"S":"a"}}]}})"),
      absl::StrCat(kTwo,
                   R"(Value '{"bad!name":{"Keys":[{"id":{"S":"a"}}]}}' at )",
                   "'requestItems' failed to satisfy constraint: Map keys must "
                   "satisfy constraint: [Member must have length less than or "
                   "equal to 255, Member must have length greater than or "
                   "equal to 3, Member must satisfy regular expression "
                   "pattern: [a-zA-Z0-9_.-]+]; ",
                   kUnknownCapacity));
  // A batch of writes names the enumeration only.
  EXPECT_EQ(
      Error("BatchWriteItem",
            R"("ReturnConsumedCapacity":"BOGUS","RequestItems":{"bad!name":)"
            R"([{"DeleteRequest":{"Key":{"id":{"S":"a"}}}}]})"),
      absl::StrCat(kOne, kUnknownCapacity));
}

TEST_F(WordingTest, AQueryDoesNotRepeatItsLimitAndAScanDoes) {
  EXPECT_EQ(
      Error("Query",
            R"("TableName":"orders","KeyConditionExpression":"id = :v",)"
            R"("ExpressionAttributeValues":{":v":{"S":"1"}},"Limit":0)"),
      absl::StrCat(kOne,
                   "Value at 'Limit' failed to satisfy constraint: Member must "
                   "have value greater than or equal to 1"));
  EXPECT_EQ(Error("Scan", R"("TableName":"orders","Limit":0)"),
            absl::StrCat(kOne,
                         "Value '0' at 'limit' failed to satisfy constraint: "
                         "Member must have value greater than or equal to 1"));
}

TEST_F(WordingTest, ANewTableNamesItsGlobalIndexesFirst) {
  const auto indexes = [](absl::string_view kind, absl::string_view name) {
    return absl::StrCat("\"", kind, R"(SecondaryIndexes":[{"IndexName":")",
                        name,
                        R"(","KeySchema":[{"AttributeName":"a",)"
                        R"("KeyType":"HASH"}],"Projection":{}}])");
  };
  const auto too_short = [](absl::string_view kind, absl::string_view name) {
    return absl::StrCat("Value '", name, "' at '", kind,
                        "SecondaryIndexes.1.member.indexName' failed to "
                        "satisfy constraint: Member must have length greater "
                        "than or equal to 3");
  };
  EXPECT_EQ(
      Error("CreateTable",
            absl::StrCat(
                R"("TableName":"new","AttributeDefinitions":[{)"
                R"("AttributeName":"a","AttributeType":"S"}],"KeySchema":[{)"
                R"("AttributeName":"a","KeyType":"HASH"}],)",
                indexes("Local", "aa"), ",", indexes("Global", "zz"))),
      absl::StrCat(kTwo, too_short("global", "zz"), "; ",
                   too_short("local", "aa")));
}

TEST_F(WordingTest, ABatchNamesAttributesInOneWay) {
  service_.CreateSimpleTable("others");
  EXPECT_EQ(
      Error("BatchGetItem",
            R"("RequestItems":{"orders":{"Keys":[{"id":{"S":"1"}}],)"
            R"("AttributesToGet":["a"]},"others":{"Keys":[{"id":{"S":"1"}}],)"
            R"("ProjectionExpression":"a"}})"),
      "ValidationException: Can not use both expression and non-expression "
      "parameters in the same request: Non-expression parameters: "
      "{AttributesToGet} Expression parameters: {ProjectionExpression}");
}

TEST_F(WordingTest, AnInvalidValueOfAQueryFilterIsNotCounted) {
  EXPECT_EQ(
      Error("Query",
            R"("TableName":"orders","KeyConditions":{"id":{)"
            R"("ComparisonOperator":"EQ","AttributeValueList":[{"S":"1"}]}},)"
            R"("QueryFilter":{"a":{"ComparisonOperator":"EQ",)"
            R"("AttributeValueList":[{"SS":["b","a","b"]}]}})"),
      absl::StrCat("ValidationException: ", kInvalidValue,
                   R"(Input collection ["a", "b", "b"] contains duplicates.)"));
}

// A request of each operation with `value` somewhere.
std::vector<std::pair<std::string, std::string>> RequestsWith(
    absl::string_view value) {
  const std::string item = absl::StrCat(R"({"id":{"S":"1"},"a":)", value, "}");
  const std::string values =
      absl::StrCat(R"("ExpressionAttributeValues":{":v":)", value, "}");
  return {
      {"PutItem", absl::StrCat(R"("TableName":"orders","Item":)", item)},
      {"UpdateItem",
       absl::StrCat(R"("TableName":"orders",)", kKey,
                    R"(,"UpdateExpression":"SET a = :v",)", values)},
      {"DeleteItem",
       absl::StrCat(R"("TableName":"orders",)", kKey,
                    R"(,"ConditionExpression":"a = :v",)", values)},
      {"GetItem",
       absl::StrCat(R"("TableName":"orders","Key":{"id":)", value, "}")},
      {"Query", absl::StrCat(R"("TableName":"orders",)",
                             R"("KeyConditionExpression":"id = :v",)", values)},
      {"BatchWriteItem",
       absl::StrCat(R"("RequestItems":{"orders":[{"PutRequest":{"Item":)", item,
                    "}}]}")},
      {"TransactGetItems",
       TransactionOf(
           absl::StrCat(R"({"Get":{"TableName":"orders","Key":{"id":)", value,
                        "}}}"),
           "")},
      {"Scan", absl::StrCat(R"("TableName":"orders",)",
                            R"("FilterExpression":"a = :v",)", values)},
      {"TransactWriteItems",
       TransactionOf(
           absl::StrCat(R"({"Update":{"TableName":"orders",)", kKey,
                        R"(,"UpdateExpression":"SET a = :v",)", values, "}}"),
           "")},
  };
}

// In the newer words and in the older ones.
struct Worded {
  std::string value{};
  std::string newer{};
  std::string older{};
};

TEST_F(WordingTest, AnInvalidValueHasTheWordsOfItsOperation) {
  const std::vector<Worded> cases = {
      {R"({"N":"abc"})", absl::StrCat(kNotNumeric, ": abc"),
       absl::StrCat(kNotNumeric, ": abc")},
      {R"({"N":""})", absl::StrCat(kNotNumeric, ": "),
       std::string(kNotNumeric)},
      {R"({"SS":["b","a","b"]})",
       absl::StrCat(kInvalidValue,
                    R"(Input collection ["a", "b", "b"] contains duplicates.)"),
       absl::StrCat(kInvalidValue,
                    "Input collection [b, a, b] contains duplicates.")},
      {R"({"BS":["/w==","AA==","AA=="]})",
       absl::StrCat(kInvalidValue,
                    R"(Input collection ["AA==","/w==","AA=="]of )",
                    "type BS contains duplicates."),
       absl::StrCat(kInvalidValue,
                    "Input collection [/w==, AA==, AA==]of type BS ",
                    "contains duplicates.")},
      {R"({"NS":["2","1","2"]})",
       absl::StrCat(kInvalidValue, "Input collection contains duplicates."),
       "Input collection contains duplicates"},
  };
  for (const Worded& worded : cases) {
    const std::string plain =
        absl::StrCat("ValidationException: ", worded.newer);
    const std::string counted = absl::StrCat(kOne, worded.newer);
    const std::string older =
        absl::StrCat("ValidationException: ", worded.older);
    const std::string of_key = absl::StrCat(
        "ValidationException: ExpressionAttributeValues contains invalid "
        "value: ",
        worded.older, " for key :v");
    const std::vector<std::string> expected = {
        counted, counted, counted, plain, plain, older, older, of_key, of_key};
    const auto requests = RequestsWith(worded.value);
    for (size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(Error(requests[i].first, requests[i].second), expected[i])
          << requests[i].first;
    }
  }
}

}  // namespace
}  // namespace byoshin::local::dynamodb

// The legacy parameters from before expressions.
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr absl::string_view kInvalid =
    "ValidationException: One or more parameter values were invalid: ";

class LegacyTest : public testing::Test {
 protected:
  LegacyTest() {
    service_.CreateRangeTable("orders");
    service_.Ok("PutItem",
                On(R"("Item":{"id":{"S":"a"},"at":{"N":"1"},"n":{"N":"5"},)"
                   R"("s":{"S":"hello"},"ss":{"SS":["x","y"]},)"
                   R"("l":{"L":[{"N":"1"},{"S":"x"}]},"b":{"B":"AAE="}})"));
  }

  static std::string On(absl::string_view members) {
    return absl::StrCat(R"({"TableName":"orders",)", members, "}");
  }
  static std::string Key() {
    return R"("Key":{"id":{"S":"a"},"at":{"N":"1"}})";
  }

  // Whether the item fulfils `expected`.
  bool Holds(absl::string_view expected, absl::string_view more = "") {
    const std::string request =
        On(absl::StrCat(Key(), R"(,"Expected":{)", expected, "}", more));
    const std::string answer =
        service_.client().Execute("UpdateItem", request).status().ToString();
    EXPECT_TRUE(answer == "OK" ||
                absl::StrContains(answer, "The conditional request failed"))
        << request << answer;
    return answer == "OK";
  }
  // The condition of a filter, too.
  static std::string Condition(absl::string_view name, absl::string_view op,
                               absl::string_view values) {
    return absl::StrCat("\"", name, R"(":{"ComparisonOperator":")", op,
                        R"(","AttributeValueList":[)", values, "]}");
  }
  std::string ExpectedError(absl::string_view expected,
                            absl::string_view more = "") {
    return service_.Error(
        "UpdateItem",
        On(absl::StrCat(Key(), R"(,"Expected":{)", expected, "}", more)));
  }
  std::string Update(absl::string_view updates) {
    return service_.Ok(
        "UpdateItem",
        On(absl::StrCat(Key(), R"(,"AttributeUpdates":{)", updates,
                        R"(},"ReturnValues":"UPDATED_NEW")")));
  }
  std::string UpdateError(absl::string_view updates) {
    return service_.Error(
        "UpdateItem",
        On(absl::StrCat(Key(), R"(,"AttributeUpdates":{)", updates, "}")));
  }

  TestService service_;
};

TEST_F(LegacyTest, ExpectedComparesWithEveryOperator) {
  struct Case {
    absl::string_view name, op, values;
    bool holds;
  };
  const std::vector<Case> cases = {
      {"n", "EQ", R"({"N":"5.0"})", true},
      {"n", "EQ", R"({"S":"5"})", false},
      {"ss", "EQ", R"({"SS":["y","x"]})", true},
      {"none", "EQ", R"({"N":"5"})", false},
      {"n", "NE", R"({"N":"6"})", true},
      {"none", "NE", R"({"N":"6"})", true},
      {"n", "LE", R"({"N":"5"})", true},
      {"n", "LT", R"({"N":"5"})", false},
      {"n", "GE", R"({"N":"6"})", false},
      {"s", "GT", R"({"S":"a"})", true},
      {"s", "GT", R"({"N":"1"})", false},
      {"n", "NOT_NULL", "", true},
      {"none", "NOT_NULL", "", false},
      {"none", "NULL", "", true},
      {"s", "CONTAINS", R"({"S":"ell"})", true},
      {"ss", "CONTAINS", R"({"S":"x"})", true},
      {"l", "CONTAINS", R"({"N":"1"})", true},
      {"n", "CONTAINS", R"({"N":"5"})", false},
      {"s", "NOT_CONTAINS", R"({"S":"xyz"})", true},
      {"s", "NOT_CONTAINS", R"({"N":"1"})", true},
      {"ss", "NOT_CONTAINS", R"({"S":"x"})", false},
      {"none", "NOT_CONTAINS", R"({"S":"x"})", false},
      {"s", "BEGINS_WITH", R"({"S":"he"})", true},
      {"b", "BEGINS_WITH", R"({"B":"AA=="})", true},
      {"n", "BEGINS_WITH", R"({"S":"5"})", false},
      {"n", "IN", R"({"N":"4"},{"N":"5"})", true},
      {"n", "IN", R"({"N":"4"})", false},
      {"n", "BETWEEN", R"({"N":"5"},{"N":"9"})", true},
      {"n", "BETWEEN", R"({"N":"6"},{"N":"9"})", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(Holds(Condition(c.name, c.op, c.values)), c.holds)
        << c.name << " " << c.op << " " << c.values;
  }
}

TEST_F(LegacyTest, ExpectedHasValuesAndExistence) {
  EXPECT_TRUE(Holds(R"("n":{"Value":{"N":"5"}})"));
  EXPECT_FALSE(Holds(R"("n":{"Value":{"N":"6"},"Exists":true})"));
  EXPECT_TRUE(Holds(R"("none":{"Exists":false})"));
  EXPECT_FALSE(Holds(R"("n":{"Exists":false})"));
  EXPECT_TRUE(Holds(R"("n":{"ComparisonOperator":"GT","Value":{"N":"1"}})"));
  // A name is not a path.
  EXPECT_TRUE(Holds(R"("l[0]":{"Exists":false})"));
  EXPECT_TRUE(Holds(""));
}

TEST_F(LegacyTest, ConditionalOperatorJoinsConditions) {
  const std::string one_holds =
      R"("n":{"Value":{"N":"5"}},"none":{"Value":{"N":"5"}})";
  EXPECT_FALSE(Holds(one_holds));
  EXPECT_FALSE(Holds(one_holds, R"(,"ConditionalOperator":"AND")"));
  EXPECT_TRUE(Holds(one_holds, R"(,"ConditionalOperator":"OR")"));
  EXPECT_TRUE(absl::EndsWith(
      ExpectedError("", R"(,"ConditionalOperator":"OR")"),
      "ConditionalOperator cannot be used without Filter or Expected"));
  EXPECT_TRUE(absl::EndsWith(
      ExpectedError(R"("n":{"Exists":false})",
                    R"(,"ConditionalOperator":"OR")"),
      "ConditionalOperator can only be used when Filter or Expected has two or "
      "more elements"));
}

TEST_F(LegacyTest, RefusesExpectationsThatAreInconsistent) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {R"("n":{"AttributeValueList":[],"Value":{"N":"1"}})",
       "Value and AttributeValueList cannot be used together for Attribute: n"},
      {R"("n":{"ComparisonOperator":"EQ","Exists":true})",
       "Exists and ComparisonOperator cannot be used together for Attribute: "
       "n"},
      {R"("n":{"ComparisonOperator":"EQ"})",
       "Value or AttributeValueList must be used with ComparisonOperator: EQ "
       "for Attribute: n"},
      {R"("n":{"AttributeValueList":[{"N":"1"}]})",
       "AttributeValueList can only be used with a ComparisonOperator for "
       "Attribute: n"},
      {R"("n":{})",
       "Value must be provided when Exists is null for Attribute: n"},
      {R"("n":{"Exists":true})",
       "Value must be provided when Exists is true for Attribute: n"},
      {R"("n":{"Exists":false,"Value":{"N":"1"}})",
       "Value cannot be used when Exists is false for Attribute: n"},
      {Condition("n", "EQ", R"({"N":"1"},{"N":"2"})"),
       "Invalid number of argument(s) for the EQ ComparisonOperator"},
      {Condition("n", "NULL", R"({"N":"1"})"),
       "Invalid number of argument(s) for the NULL ComparisonOperator"},
      {Condition("n", "IN", ""),
       "Invalid number of argument(s) for the IN ComparisonOperator"},
      {Condition("n", "IN", R"({"N":"1"},{"S":"1"})"),
       "AttributeValues inside AttributeValueList must be of same type"},
      {Condition("n", "LT", R"({"L":[]})"),
       "ComparisonOperator LT is not valid for L AttributeValue type"},
      {Condition("n", "BEGINS_WITH", R"({"N":"1"})"),
       "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"},
  };
  for (const auto& [expected, message] : cases) {
    const std::string error = ExpectedError(expected);
    EXPECT_TRUE(absl::EndsWith(error, message)) << expected << error;
  }
  EXPECT_TRUE(absl::EndsWith(
      ExpectedError(Condition("n", "BETWEEN", R"({"N":"2"},{"N":"1"})")),
      "The BETWEEN condition was provided a range where the lower bound is "
      "greater than the upper bound"));
  EXPECT_TRUE(absl::StrContains(
      ExpectedError(Condition("n", "eq", R"({"N":"1"})")),
      "Value 'eq' at 'expected.n.member.comparisonOperator' failed to satisfy "
      "constraint: Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, "
      "NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]"));
}

TEST_F(LegacyTest, ExpectedGuardsPutAndDelete) {
  const std::string put =
      R"("Item":{"id":{"S":"a"},"at":{"N":"1"},"n":{"N":"6"}},)";
  EXPECT_TRUE(absl::StrContains(
      service_.Error("PutItem",
                     On(put + R"("Expected":{"n":{"Value":{"N":"1"}}})")),
      "ConditionalCheckFailedException"));
  service_.Ok("PutItem", On(put + R"("Expected":{"n":{"Value":{"N":"5"}}})"));
  EXPECT_TRUE(absl::StrContains(
      service_.Error("DeleteItem",
                     On(Key() + R"(,"Expected":{"n":{"Exists":false}})")),
      "ConditionalCheckFailedException"));
  service_.Ok("DeleteItem",
              On(Key() + R"(,"Expected":{"n":{"Value":{"N":"6"}}})"));
  EXPECT_EQ(service_.Ok("GetItem", On(Key())), "{}");
}

TEST_F(LegacyTest, AttributeUpdatesPutAddAndDelete) {
  EXPECT_EQ(Update(R"("n":{"Value":{"N":"1"},"Action":"ADD"})"),
            R"({"Attributes":{"n":{"N":"6"}}})");
  EXPECT_EQ(Update(R"("n":{"Value":{"S":"text"}},"c":{"Value":{"N":"2"},)"
                   R"("Action":"ADD"})"),
            R"({"Attributes":{"c":{"N":"2"},"n":{"S":"text"}}})");
  EXPECT_EQ(Update(R"("ss":{"Value":{"SS":["y","z"]},"Action":"ADD"})"),
            R"({"Attributes":{"ss":{"SS":["x","y","z"]}}})");
  EXPECT_EQ(Update(R"("ss":{"Value":{"SS":["x","z"]},"Action":"DELETE"})"),
            R"({"Attributes":{"ss":{"SS":["y"]}}})");
  EXPECT_EQ(Update(R"("l":{"Value":{"L":[{"N":"2"}]},"Action":"ADD"})"),
            R"({"Attributes":{"l":{"L":[{"N":"1"},{"S":"x"},{"N":"2"}]}}})");
  EXPECT_EQ(Update(R"("ss":{"Value":{"SS":["y"]},"Action":"DELETE"},)"
                   R"("b":{"Action":"DELETE"},"none":{"Action":"DELETE"})"),
            "{}");
  // A name is not a path.
  EXPECT_EQ(Update(R"("x.y[0]":{"Value":{"N":"1"},"Action":"PUT"})"),
            R"({"Attributes":{"x.y[0]":{"N":"1"}}})");
  EXPECT_EQ(Update(""), "{}");
  EXPECT_EQ(service_.Ok("GetItem", On(Key())),
            R"({"Item":{"at":{"N":"1"},"c":{"N":"2"},"id":{"S":"a"},)"
            R"("l":{"L":[{"N":"1"},{"S":"x"},{"N":"2"}]},"n":{"S":"text"},)"
            R"("s":{"S":"hello"},"x.y[0]":{"N":"1"}}})");
}

TEST_F(LegacyTest, AttributeUpdatesMakeAnItemUnlessTheyOnlyDelete) {
  const std::string key = R"("Key":{"id":{"S":"new"},"at":{"N":"1"}})";
  service_.Ok("UpdateItem",
              On(key + R"(,"AttributeUpdates":{"a":{"Action":"DELETE"}})"));
  EXPECT_EQ(service_.Ok("GetItem", On(key)), "{}");
  service_.Ok("UpdateItem",
              On(key + R"(,"AttributeUpdates":{"a":{"Action":"ADD",)"
                       R"("Value":{"L":[{"N":"1"}]}}})"));
  EXPECT_EQ(service_.Ok("GetItem", On(key)),
            R"({"Item":{"a":{"L":[{"N":"1"}]},"at":{"N":"1"},)"
            R"("id":{"S":"new"}}})");
}

TEST_F(LegacyTest, RefusesUpdatesThatMakeNoSense) {
  EXPECT_TRUE(absl::EndsWith(UpdateError(R"("n":{"Action":"PUT"})"),
                             "Only DELETE action is allowed when no attribute "
                             "value is specified"));
  EXPECT_TRUE(absl::EndsWith(
      UpdateError(R"("n":{"Action":"DELETE","Value":{"N":"1"}})"),
      "DELETE action with value is not supported for the type N"));
  EXPECT_TRUE(
      absl::EndsWith(UpdateError(R"("n":{"Action":"ADD","Value":{"S":"1"}})"),
                     "ADD action is not supported for the type S"));
  EXPECT_EQ(UpdateError(R"("s":{"Action":"ADD","Value":{"N":"1"}})"),
            "ValidationException: Type mismatch for attribute to update");
  EXPECT_EQ(UpdateError(R"("s":{"Action":"DELETE","Value":{"SS":["1"]}})"),
            "ValidationException: Type mismatch for attribute to update");
  EXPECT_EQ(UpdateError(R"("at":{"Value":{"N":"1"}})"),
            absl::StrCat(kInvalid,
                         "Cannot update attribute at. This attribute "
                         "is part of the key"));
}

class LegacyReadsTest : public LegacyTest {
 protected:
  LegacyReadsTest() {
    for (int at = 2; at <= 6; ++at) {
      service_.Ok("PutItem",
                  On(absl::StrCat(R"("Item":{"id":{"S":"a"},"at":{"N":")", at,
                                  R"("},"n":{"N":")", at % 3, R"("}})")));
    }
  }

  static std::string HashIs(absl::string_view id) {
    return Condition("id", "EQ", absl::StrCat(R"({"S":")", id, R"("})"));
  }
  static std::string Query(absl::string_view conditions,
                           absl::string_view more = "") {
    return On(absl::StrCat(R"("KeyConditions":{)", conditions, "}", more));
  }
  // The range keys of the items found.
  std::string Found(absl::string_view operation, const std::string& request) {
    const std::string answer = service_.Ok(operation, request);
    std::string found;
    for (size_t at = answer.find(R"("at":{"N":")"); at != std::string::npos;
         at = answer.find(R"("at":{"N":")", at + 1)) {
      found += answer[at + 11];
    }
    return found;
  }
};

TEST_F(LegacyReadsTest, KeyConditionsSelectARange) {
  const std::string both = HashIs("a") + ",";
  EXPECT_EQ(Found("Query", Query(HashIs("a"))), "123456");
  EXPECT_EQ(Found("Query", Query(both + Condition("at", "EQ", R"({"N":"3"})"))),
            "3");
  EXPECT_EQ(Found("Query", Query(both + Condition("at", "LE", R"({"N":"3"})"))),
            "123");
  EXPECT_EQ(Found("Query", Query(both + Condition("at", "GT", R"({"N":"3"})"),
                                 R"(,"ScanIndexForward":false)")),
            "654");
  EXPECT_EQ(Found("Query", Query(both + Condition("at", "BETWEEN",
                                                  R"({"N":"2"},{"N":"4"})"))),
            "234");
}

TEST_F(LegacyReadsTest, RefusesKeyConditionsThatSelectNoRange) {
  const std::string both = HashIs("a") + ",";
  const auto error = [&](const std::string& conditions) {
    return service_.Error("Query", Query(conditions));
  };
  EXPECT_TRUE(absl::EndsWith(error(""),
                             "Conditions can be of length 1 or 2 "
                             "only"));
  EXPECT_EQ(error(Condition("at", "EQ", R"({"N":"3"})")),
            "ValidationException: Query condition missed key schema element: "
            "id");
  EXPECT_EQ(error(Condition("id", "GT", R"({"S":"a"})")),
            "ValidationException: Query key condition not supported");
  EXPECT_EQ(error(both + Condition("at", "NE", R"({"N":"3"})")),
            "ValidationException: Attempted conditional constraint is not an "
            "indexable operation");
  EXPECT_EQ(error(both + Condition("at", "EQ", R"({"S":"3"})")),
            absl::StrCat(kInvalid,
                         "Condition parameter type does not match "
                         "schema type"));
  EXPECT_EQ(error(both + Condition("n", "EQ", R"({"N":"3"})")),
            "ValidationException: Query condition missed key schema element: "
            "at");
  EXPECT_TRUE(absl::EndsWith(
      error(both + Condition("at", "BEGINS_WITH", R"({"N":"3"})")),
      "ComparisonOperator BEGINS_WITH is not valid for N AttributeValue type"));
}

TEST_F(LegacyReadsTest, FiltersQueriesAndScans) {
  const std::string is_one = Condition("n", "EQ", R"({"N":"1"})");
  EXPECT_EQ(
      Found("Query", Query(HashIs("a"),
                           absl::StrCat(R"(,"QueryFilter":{)", is_one, "}"))),
      "4");
  EXPECT_EQ(Found("Scan", On(absl::StrCat(R"("ScanFilter":{)", is_one, "}"))),
            "4");
  EXPECT_EQ(
      Found("Scan",
            On(absl::StrCat(R"("ConditionalOperator":"OR","ScanFilter":{)",
                            is_one, ",", Condition("s", "NOT_NULL", ""), "}"))),
      "14");
  // A scan may be filtered by key, a query not.
  EXPECT_EQ(Found("Scan",
                  On(absl::StrCat(R"("ScanFilter":{)",
                                  Condition("at", "GE", R"({"N":"5"})"), "}"))),
            "56");
  EXPECT_EQ(
      service_.Error(
          "Query",
          Query(HashIs("a"),
                absl::StrCat(R"(,"QueryFilter":{)",
                             Condition("at", "GE", R"({"N":"5"})"), "}"))),
      "ValidationException: QueryFilter can only contain non-primary key "
      "attributes: Primary key attribute: at");
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("Scan", On(R"("ConditionalOperator":"AND")")),
      "ConditionalOperator cannot be used without Filter or Expected"));
}

TEST_F(LegacyReadsTest, KeyConditionsMayStandBesideAFilterExpression) {
  const std::string more =
      R"(,"FilterExpression":"n = :n","ExpressionAttributeValues":)"
      R"({":n":{"N":"1"}})";
  EXPECT_EQ(Found("Query", Query(HashIs("a"), more)), "4");
  EXPECT_TRUE(absl::EndsWith(
      service_.Error(
          "Query", Query(HashIs("a"), R"(,"AttributesToGet":["n"],)"
                                      R"("ProjectionExpression":"n",)"
                                      R"("KeyConditionExpression":"id = :i")")),
      "Can not use both expression and non-expression parameters in the same "
      "request: Non-expression parameters: {AttributesToGet, KeyConditions} "
      "Expression parameters: {ProjectionExpression, "
      "KeyConditionExpression}"));
}

TEST_F(LegacyReadsTest, AttributesToGetAreReturned) {
  const std::string attributes = R"("AttributesToGet":["n","none","l[0]"])";
  EXPECT_EQ(service_.Ok("GetItem", On(Key() + "," + attributes)),
            R"({"Item":{"n":{"N":"5"}}})");
  EXPECT_EQ(service_.Ok("BatchGetItem",
                        absl::StrCat(R"({"RequestItems":{"orders":{"Keys":[)",
                                     Key().substr(6), "],", attributes, "}}}")),
            R"({"Responses":{"orders":[{"n":{"N":"5"}}]},)"
            R"("UnprocessedKeys":{}})");
  EXPECT_EQ(
      service_.Ok("Query", Query(HashIs("a"), R"(,"Limit":1,"AttributesToGet":)"
                                              R"(["s"],"Select":)"
                                              R"("SPECIFIC_ATTRIBUTES")")),
      R"({"Items":[{"s":{"S":"hello"}}],"Count":1,"ScannedCount":1,)"
      R"("LastEvaluatedKey":{"at":{"N":"1"},"id":{"S":"a"}}})");
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("GetItem", On(Key() + R"(,"AttributesToGet":["a","a"])")),
      "Duplicate value in attribute name: a"));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("Scan", On(R"("AttributesToGet":["a"],"Select":"COUNT")")),
      "Cannot specify the AttributesToGet when choosing to get only the "
      "Count"));
  EXPECT_TRUE(absl::EndsWith(
      service_.Error("GetItem", On(Key() + R"(,"AttributesToGet":[])")),
      "at 'attributesToGet' failed to satisfy constraint: Member must have "
      "length greater than or equal to 1"));
}

}  // namespace
}  // namespace byoshin::local::dynamodb

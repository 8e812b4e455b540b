// Query and Scan, over tables and indexes.
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {
namespace {

// Table "events": hash key id (S), range key at (N); local index "by-size" on
// size (N) with keys only; global index "by-kind" on kind (S) and at, with
// "note".
class ReadsTest : public ::testing::Test {
 protected:
  ReadsTest() {
    service_.Ok("CreateTable",
                R"({"TableName":"events","BillingMode":"PAY_PER_REQUEST",
            "AttributeDefinitions":[
              {"AttributeName":"id","AttributeType":"S"},
              {"AttributeName":"at","AttributeType":"N"},
              {"AttributeName":"size","AttributeType":"N"},
              {"AttributeName":"kind","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"id","KeyType":"HASH"},
                         {"AttributeName":"at","KeyType":"RANGE"}],
            "LocalSecondaryIndexes":[{"IndexName":"by-size",
              "KeySchema":[{"AttributeName":"id","KeyType":"HASH"},
                           {"AttributeName":"size","KeyType":"RANGE"}],
              "Projection":{"ProjectionType":"KEYS_ONLY"}}],
            "GlobalSecondaryIndexes":[{"IndexName":"by-kind",
              "KeySchema":[{"AttributeName":"kind","KeyType":"HASH"},
                           {"AttributeName":"at","KeyType":"RANGE"}],
              "Projection":{"ProjectionType":"INCLUDE",
                            "NonKeyAttributes":["note"]}}]})");
  }

  void Put(absl::string_view id, int at, absl::string_view more) {
    service_.Ok("PutItem",
                absl::StrCat(R"({"TableName":"events","Item":{"id":{"S":")", id,
                             R"("},"at":{"N":")", at, "\"}", more, "}}"));
  }

  std::string Query(absl::string_view condition, absl::string_view more) {
    return service_.Ok("Query", QueryRequest(condition, more));
  }
  std::string QueryError(absl::string_view condition, absl::string_view more) {
    return service_.Error("Query", QueryRequest(condition, more));
  }

  static std::string QueryRequest(absl::string_view condition,
                                  absl::string_view more) {
    return absl::StrCat(
        R"({"TableName":"events","KeyConditionExpression":")", condition,
        R"(","ExpressionAttributeValues":{":a":{"S":"a"})", more, "}");
  }

  TestService service_;
};

TEST_F(ReadsTest, QueriesInTheOrderOfTheRangeKey) {
  for (const int at : {10, -1, 9, 100}) Put("a", at, "");
  Put("b", 5, "");
  const std::string projection = R"(},"ProjectionExpression":"#t",)"
                                 R"("ExpressionAttributeNames":{"#t":"at"})";
  EXPECT_EQ(Query("id = :a", projection),
            R"({"Items":[{"at":{"N":"-1"}},{"at":{"N":"9"}},{"at":{"N":"10"}},)"
            R"({"at":{"N":"100"}}],"Count":4,"ScannedCount":4})");
  EXPECT_EQ(Query("id = :a AND #t > :n",
                  absl::StrCat(R"(,":n":{"N":"9"})", projection,
                               R"(,"ScanIndexForward":false)")),
            R"({"Items":[{"at":{"N":"100"}},{"at":{"N":"10"}}],"Count":2,)"
            R"("ScannedCount":2})");
}

TEST_F(ReadsTest, PagesForwardAndBackward) {
  for (const int at : {1, 2, 3}) Put("a", at, "");
  EXPECT_EQ(Query("id = :a", R"(},"Limit":2,"Select":"COUNT")"),
            R"({"Count":2,"ScannedCount":2,"LastEvaluatedKey":)"
            R"({"at":{"N":"2"},"id":{"S":"a"}}})");
  const std::string start =
      R"(},"ExclusiveStartKey":{"id":{"S":"a"},"at":{"N":"2"}})";
  EXPECT_EQ(Query("id = :a", start),
            R"({"Items":[{"at":{"N":"3"},"id":{"S":"a"}}],"Count":1,)"
            R"("ScannedCount":1})");
  EXPECT_EQ(Query("id = :a", start + R"(,"ScanIndexForward":false)"),
            R"({"Items":[{"at":{"N":"1"},"id":{"S":"a"}}],"Count":1,)"
            R"("ScannedCount":1})");
}

TEST_F(ReadsTest, FiltersAfterTheLimit) {
  for (const int at : {1, 2, 3}) {
    Put("a", at, absl::StrCat(R"(,"n":{"N":")", at, "\"}"));
  }
  EXPECT_EQ(Query("id = :a",
                  R"(,":n":{"N":"2"}},"FilterExpression":"n >= :n","Limit":2,)"
                  R"("Select":"COUNT")"),
            R"({"Count":1,"ScannedCount":2,"LastEvaluatedKey":)"
            R"({"at":{"N":"2"},"id":{"S":"a"}}})");
}

TEST_F(ReadsTest, EndsAPageAtOneMegabyte) {
  const std::string big =
      absl::StrCat(R"(,"x":{"S":")", std::string(300 * 1024, 'x'), "\"}");
  for (const int at : {1, 2, 3, 4, 5}) Put("a", at, big);
  EXPECT_EQ(Query("id = :a", R"(},"Select":"COUNT",)"
                             R"("ReturnConsumedCapacity":"TOTAL")"),
            R"({"Count":4,"ScannedCount":4,"LastEvaluatedKey":)"
            R"({"at":{"N":"4"},"id":{"S":"a"}},"ConsumedCapacity":)"
            R"({"TableName":"events","CapacityUnits":150.5}})");
}

TEST_F(ReadsTest, ReadsIndexesAndFetchesForLocalOnes) {
  Put("a", 1, R"(,"size":{"N":"30"},"note":{"S":"x"})");
  Put("a", 2, R"(,"size":{"N":"4"},"note":{"S":"y"})");
  Put("a", 3, "");
  const std::string by_size = R"(},"IndexName":"by-size")";
  EXPECT_EQ(Query("id = :a", by_size),
            R"({"Items":[{"at":{"N":"2"},"id":{"S":"a"},"size":{"N":"4"}},)"
            R"({"at":{"N":"1"},"id":{"S":"a"},"size":{"N":"30"}}],"Count":2,)"
            R"("ScannedCount":2})");
  EXPECT_EQ(Query("id = :a", by_size + R"(,"ProjectionExpression":"note")"),
            R"({"Items":[{"note":{"S":"y"}},{"note":{"S":"x"}}],"Count":2,)"
            R"("ScannedCount":2})");
  EXPECT_EQ(Query("id = :a", by_size + R"(,"Limit":1,"Select":"COUNT",)"
                                       R"("ConsistentRead":true)"),
            R"({"Count":1,"ScannedCount":1,"LastEvaluatedKey":)"
            R"({"at":{"N":"2"},"id":{"S":"a"},"size":{"N":"4"}}})");
}

TEST_F(ReadsTest, PagesOverEqualIndexKeys) {
  for (const absl::string_view id : {"p", "q", "r"}) {
    Put(id, 7, R"(,"kind":{"S":"a"})");
  }
  std::set<std::string> seen;
  std::string start;
  for (int page = 0; page < 4; ++page) {
    const std::string answer = Query(
        "kind = :a", absl::StrCat(R"(},"IndexName":"by-kind","Limit":1,)",
                                  R"("ProjectionExpression":"id")", start));
    const size_t key = answer.find("\"LastEvaluatedKey\":");
    seen.insert(answer.substr(0, answer.find(']')));
    if (key == std::string::npos) break;
    start = absl::StrCat(R"(,"ExclusiveStartKey":)",
                         answer.substr(key + 19, answer.size() - key - 20));
  }
  // Three items, and the empty last page.
  EXPECT_EQ(seen.size(), 4u);
}

TEST_F(ReadsTest, RefusesReadsThatIndexesCannotDo) {
  EXPECT_EQ(QueryError("kind = :a",
                       R"(},"IndexName":"by-kind","ConsistentRead":true)"),
            "ValidationException: Consistent reads are not supported on global "
            "secondary indexes");
  EXPECT_EQ(QueryError("kind = :a",
                       R"(},"IndexName":"by-kind","Select":"ALL_ATTRIBUTES")"),
            "ValidationException: One or more parameter values were invalid: "
            "Select type ALL_ATTRIBUTES is not supported for global secondary "
            "index by-kind because its projection type is not ALL");
  EXPECT_EQ(QueryError("kind = :a", R"(},"IndexName":"by-kind",)"
                                    R"("ProjectionExpression":"extra")"),
            "ValidationException: One or more parameter values were invalid: "
            "Global secondary index by-kind does not project [extra]");
  EXPECT_EQ(QueryError("id = :a", R"(},"IndexName":"none")"),
            "ValidationException: The table does not have the specified index: "
            "none");
}

TEST_F(ReadsTest, RefusesStartKeysThatDoNotFit) {
  EXPECT_EQ(QueryError("id = :a", R"(},"ExclusiveStartKey":{"id":{"S":"a"}})"),
            "ValidationException: The provided starting key is invalid");
  EXPECT_EQ(QueryError("id = :a", R"(},"ExclusiveStartKey":{"id":{"S":"b"},)"
                                  R"("at":{"N":"1"}})"),
            "ValidationException: The provided starting key is outside query "
            "boundaries based on provided conditions");
  EXPECT_EQ(
      service_.Error("Scan",
                     R"({"TableName":"events","ExclusiveStartKey":{}})"),
      "ValidationException: The provided starting key is invalid: The provided "
      "key element does not match the schema");
}

TEST_F(ReadsTest, RefusesFiltersOnTheKey) {
  EXPECT_EQ(QueryError("id = :a", R"(},"FilterExpression":"id = :a")"),
            "ValidationException: Filter Expression can only contain "
            "non-primary key attributes: Primary key attribute: id");
  EXPECT_EQ(service_.Error("Query", R"({"TableName":"events"})"),
            "ValidationException: Either the KeyConditions or "
            "KeyConditionExpression parameter must be specified in the "
            "request.");
}

TEST_F(ReadsTest, NoticesUnusedValuesBeforeTheFormOfAKeyCondition) {
  EXPECT_EQ(QueryError("id = foo", "}"),
            "ValidationException: Value provided in ExpressionAttributeValues "
            "unused in expressions: keys: {:a}");
  EXPECT_EQ(QueryError("id = foo AND kind = :a", "}"),
            "ValidationException: Invalid condition in "
            "KeyConditionExpression: Multiple attribute names used in one "
            "condition");
}

TEST_F(ReadsTest, RefusesASelectThatDoesNotFitTheRequest) {
  const auto expect = [&](absl::string_view more, absl::string_view message) {
    // AWS words them differently.
    EXPECT_EQ(QueryError("id = :a", absl::StrCat("},", more)),
              absl::StrCat("ValidationException: 1 validation error detected: ",
                           message));
    EXPECT_EQ(service_.Error(
                  "Scan", absl::StrCat(R"({"TableName":"events",)", more, "}")),
              absl::StrCat("ValidationException: ", message));
  };
  expect(R"("Select":"SPECIFIC_ATTRIBUTES")",
         "Must specify the AttributesToGet or ProjectionExpression when "
         "choosing to get SPECIFIC_ATTRIBUTES");
  expect(R"("Select":"ALL_PROJECTED_ATTRIBUTES")",
         "ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
         "IndexName");
  expect(R"("Select":"COUNT","ProjectionExpression":"id")",
         "Cannot specify the ProjectionExpression when choosing to get only "
         "the Count");
  expect(R"("Select":"ALL_ATTRIBUTES","ProjectionExpression":"id")",
         "Cannot specify the ProjectionExpression when choosing to get "
         "ALL_ATTRIBUTES");
  // There is no index either.
  expect(R"("Select":"ALL_PROJECTED_ATTRIBUTES","ProjectionExpression":"id")",
         "Cannot specify the ProjectionExpression when choosing to get "
         "ALL_PROJECTED_ATTRIBUTES");
}

TEST_F(ReadsTest, IgnoresParametersThatAnOperationDoesNotHave) {
  EXPECT_EQ(service_.Ok("GetItem",
                        R"({"TableName":"events",
                            "Key":{"id":{"S":"a"},"at":{"N":"1"}},
                            "ExpressionAttributeValues":
                              {":a-b":{"S":"a"}}})"),
            "{}");
}

TEST_F(ReadsTest, ScansEachItemInOneSegment) {
  for (int i = 0; i < 40; ++i) Put(absl::StrCat("id", i), i, "");
  int total = 0;
  for (int segment = 0; segment < 3; ++segment) {
    const std::string answer = service_.Ok(
        "Scan", absl::StrCat(R"({"TableName":"events","Select":"COUNT",)",
                             R"("TotalSegments":3,"Segment":)", segment, "}"));
    int count = 0;
    ASSERT_EQ(sscanf(answer.c_str(), "{\"Count\":%d", &count), 1) << answer;
    EXPECT_GT(count, 0);
    total += count;
  }
  EXPECT_EQ(total, 40);
  EXPECT_EQ(service_.Error("Scan", R"({"TableName":"events","Segment":0})"),
            "ValidationException: The TotalSegments parameter is required but "
            "was not present in the request when Segment parameter is present");
  EXPECT_EQ(service_.Error("Scan", R"({"TableName":"events","Segment":3,)"
                                   R"("TotalSegments":3})"),
            "ValidationException: The Segment parameter is zero-based and must "
            "be less than parameter TotalSegments: Segment: 3 is not less than "
            "TotalSegments: 3");
}

TEST_F(ReadsTest, RefusesIndexKeysOfTheWrongType) {
  const auto put = [&](absl::string_view more) {
    return service_.Error(
        "PutItem",
        absl::StrCat(R"({"TableName":"events","Item":)",
                     R"({"id":{"S":"a"},"at":{"N":"1"},)", more, "}}"));
  };
  EXPECT_EQ(put(R"("kind":{"N":"1"})"),
            "ValidationException: One or more parameter values were invalid: "
            "Type mismatch for Index Key kind Expected: S Actual: N IndexName: "
            "by-kind");
  EXPECT_EQ(put(R"("kind":{"S":""})"),
            "ValidationException: One or more parameter values are not valid. "
            "A value specified for a secondary index key is not supported. The "
            "AttributeValue for a key attribute cannot contain an empty string "
            "value. IndexName: by-kind, IndexKey: kind");
}

TEST_F(ReadsTest, CountsTheCapacityOfIndexWrites) {
  const auto put = [&](absl::string_view more) {
    return service_.Ok(
        "PutItem", absl::StrCat(R"({"TableName":"events","Item":{"id":{"S":)",
                                R"("a"},"at":{"N":"1"})", more,
                                R"(},"ReturnConsumedCapacity":"INDEXES"})"));
  };
  EXPECT_EQ(put(R"(,"kind":{"S":"k"})"),
            R"({"ConsumedCapacity":{"TableName":"events","CapacityUnits":2.0,)"
            R"("Table":{"CapacityUnits":1.0},"GlobalSecondaryIndexes":)"
            R"({"by-kind":{"CapacityUnits":1.0}}}})");
  // Nothing that the index has changes.
  EXPECT_TRUE(absl::StrContains(put(R"(,"kind":{"S":"k"},"z":{"S":"z"})"),
                                R"("CapacityUnits":1.0,"Table")"));
  // Out of one place and into another.
  EXPECT_TRUE(absl::StrContains(put(R"(,"kind":{"S":"l"})"),
                                R"("by-kind":{"CapacityUnits":2.0})"));
}

TEST_F(ReadsTest, ReportsItemCollections) {
  EXPECT_EQ(
      service_.Ok("PutItem", R"({"TableName":"events","Item":{"id":{"S":"a"},)"
                             R"("at":{"N":"1"}},)"
                             R"("ReturnItemCollectionMetrics":"SIZE"})"),
      R"({"ItemCollectionMetrics":{"ItemCollectionKey":)"
      R"({"id":{"S":"a"}},"SizeEstimateRangeGB":[0,1]}})");
}

TEST_F(ReadsTest, AnswersCodeInTheSameProcess) {
  for (const int at : {1, 2, 3}) {
    Item item;
    item.Set("id", AttributeValue::String("a"));
    item.Set("at", AttributeValue(Number(at)));
    ASSERT_TRUE(service_.client().PutItem("events", item).ok());
  }
  absl::StatusOr<std::vector<Item>> items =
      service_.client().Query({.table_name = "events",
                               .hash = AttributeValue::String("a"),
                               .from = AttributeValue(Number(2))});
  ASSERT_TRUE(items.ok()) << items.status();
  EXPECT_EQ(items->size(), 2u);
  EXPECT_EQ(*service_.client().Count("events"), 3);
  EXPECT_FALSE(service_.client().Count("none").ok());
}

}  // namespace
}  // namespace byoshin::local::dynamodb

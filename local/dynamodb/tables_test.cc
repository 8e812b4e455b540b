// Operations on tables: what they are, their settings, and that both last.
#include <cstdint>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "gtest/gtest.h"
#include "local/dynamodb/testing/service.h"
#include "local/gateway/service.h"

namespace byoshin::local::dynamodb {
namespace {

// CreateTable with one hash key, and what `more` adds.
std::string Definition(absl::string_view more) {
  return absl::StrCat(
      R"({"TableName":"orders","KeySchema":[{"AttributeName":"id",)",
      R"("KeyType":"HASH"}])", more, "}");
}

constexpr absl::string_view kIdOnly =
    R"(,"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"}])";
constexpr absl::string_view kIdAndOwner =
    R"(,"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},)"
    R"({"AttributeName":"owner","AttributeType":"S"}])";
constexpr absl::string_view kByRequest = R"(,"BillingMode":"PAY_PER_REQUEST")";
constexpr absl::string_view kOwnerIndex =
    R"("IndexName":"by-owner","KeySchema":[{"AttributeName":"owner",)"
    R"("KeyType":"HASH"}])";

std::string OwnerIndex(absl::string_view more) {
  return absl::StrCat(R"(,"GlobalSecondaryIndexes":[{)", kOwnerIndex, more,
                      "}]");
}

TEST(CreateTable, DescribesAnActiveTable) {
  TestService service;
  const std::string created = service.Ok(
      "CreateTable",
      Definition(absl::StrCat(
          kIdAndOwner, kByRequest,
          OwnerIndex(R"(,"Projection":{"ProjectionType":"ALL"})"),
          R"(,"DeletionProtectionEnabled":true,"TableClass":"STANDARD")")));
  const std::string described =
      service.Ok("DescribeTable", R"({"TableName":"orders"})");
  // Of what was just created, AWS describes less.
  EXPECT_FALSE(absl::StrContains(created, "WarmThroughput")) << created;
  EXPECT_TRUE(absl::StrContains(
      created, R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})"));
  EXPECT_TRUE(absl::StrContains(
      described, R"("LastUpdateToPayPerRequestDateTime":1764670980.000})"));
  for (
      const absl::string_view part :
      {R"("TableStatus":"ACTIVE")", R"("ItemCount":0)",
       R"("CreationDateTime":1764670980.000)",
       R"("BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST",)",
       R"("IndexStatus":"ACTIVE")", R"("DeletionProtectionEnabled":true)",
       R"("TableClassSummary":{"TableClass":"STANDARD"})",
       R"(:table/orders/index/by-owner")",
       R"("TableArn":"arn:aws:dynamodb:eu-central-1:000000000000:table/orders")"}) {
    EXPECT_TRUE(absl::StrContains(described, part)) << part << described;
  }
}

TEST(CreateTable, RefusesATableThatIsThere) {
  TestService service;
  service.CreateSimpleTable("orders");
  EXPECT_EQ(service.Error("CreateTable",
                          Definition(absl::StrCat(kIdOnly, kByRequest))),
            "ResourceInUseException: Table already exists: orders");
}

TEST(CreateTable, RefusesWhatMakesNoTable) {
  TestService service;
  const auto error = [&](absl::string_view more) {
    return service.Error("CreateTable", Definition(more));
  };
  EXPECT_EQ(service.Error("CreateTable", "{}"),
            "ValidationException: The parameter 'TableName' is required but "
            "was not present in the request");
  EXPECT_EQ(service.Error("CreateTable",
                          R"({"TableName":"ab","AttributeDefinitions":[],)"
                          R"("KeySchema":[{"AttributeName":"id",)"
                          R"("KeyType":"HASH"}]})"),
            "ValidationException: 1 validation error detected: Value 'ab' at "
            "'tableName' failed to satisfy constraint: Member must have length "
            "greater than or equal to 3");
  EXPECT_EQ(error(kIdOnly),
            "ValidationException: One or more parameter values were invalid: "
            "ReadCapacityUnits and WriteCapacityUnits must both be specified "
            "when BillingMode is PROVISIONED");
  EXPECT_EQ(error(absl::StrCat(kIdAndOwner, kByRequest)),
            "ValidationException: One or more parameter values were invalid: "
            "Number of attributes in KeySchema does not exactly match number "
            "of attributes defined in AttributeDefinitions");
  EXPECT_EQ(
      error(absl::StrCat(kIdOnly, kByRequest,
                         OwnerIndex(R"(,"Projection":{"ProjectionType":)"
                                    R"("ALL"})"))),
      "ValidationException: One or more parameter values were invalid: Some "
      "index key attributes are not defined in AttributeDefinitions. Keys: "
      "[owner], AttributeDefinitions: [id]");
  EXPECT_EQ(
      error(absl::StrCat(kIdAndOwner, kByRequest,
                         OwnerIndex(R"(,"Projection":{"ProjectionType":"ALL",)"
                                    R"("NonKeyAttributes":["a"]})"))),
      "ValidationException: One or more parameter values were invalid: "
      "ProjectionType is ALL, but NonKeyAttributes is specified");
  EXPECT_EQ(error(absl::StrCat(kIdOnly, kByRequest,
                               R"(,"LocalSecondaryIndexes":[])")),
            "ValidationException: One or more parameter values were invalid: "
            "List of LocalSecondaryIndexes is empty");
}

// `count` different names of `length` characters: ["aaa","aab"].
std::string Names(int count, int length) {
  std::vector<std::string> names;
  for (int i = 0; i < count; ++i) {
    std::string name(length, 'a');
    if (length > 1) name[length - 2] = static_cast<char>('a' + i / 26);
    if (length > 0) name[length - 1] = static_cast<char>('a' + i % 26);
    names.push_back(absl::StrCat("\"", name, "\""));
  }
  return absl::StrCat("[", absl::StrJoin(names, ","), "]");
}

// An index on the owner that has `names` besides.
std::string Including(int number, absl::string_view names) {
  return absl::StrCat(R"({"IndexName":"index-)", number,
                      R"(","KeySchema":[{"AttributeName":"owner",)",
                      R"("KeyType":"HASH"}],"Projection":{"ProjectionType":)",
                      R"("INCLUDE","NonKeyAttributes":)", names, "}}");
}

std::string IncludingTwenty(int indexes) {
  std::vector<std::string> all;
  for (int i = 0; i < indexes; ++i) all.push_back(Including(i, Names(20, 3)));
  return absl::StrCat(kIdAndOwner, kByRequest, R"(,"GlobalSecondaryIndexes":[)",
                      absl::StrJoin(all, ","), "]");
}

TEST(CreateTable, LimitsWhatIndexesProject) {
  TestService service;
  const auto error = [&](absl::string_view names) {
    return service.Error(
        "CreateTable", Definition(absl::StrCat(kIdAndOwner, kByRequest,
                                               R"(,"GlobalSecondaryIndexes":[)",
                                               Including(1, names), "]")));
  };
  EXPECT_TRUE(absl::EndsWith(
      error(Names(21, 3)),
      "at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed "
      "to satisfy constraint: Member must have length less than or equal to "
      "20"));
  const absl::string_view too_long_or_short =
      "at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed "
      "to satisfy constraint: Member must satisfy constraint: [Member must "
      "have length less than or equal to 255, Member must have length greater "
      "than or equal to 1]";
  EXPECT_TRUE(absl::EndsWith(error(Names(1, 256)), too_long_or_short));
  EXPECT_TRUE(absl::EndsWith(error(Names(1, 0)), too_long_or_short));
  EXPECT_EQ(service.Error("CreateTable", Definition(IncludingTwenty(6))),
            "ValidationException: One or more parameter values were invalid: "
            "Number of NonKeyAttributes of all indexes together, 120, exceeds "
            "the per-table limit of 100");
  service.Ok("CreateTable", Definition(IncludingTwenty(5)));
}

TEST(UpdateTable, LimitsWhatIndexesProject) {
  TestService service;
  service.Ok("CreateTable", Definition(IncludingTwenty(5)));
  const auto create = [&](absl::string_view names) {
    return absl::StrCat(R"({"TableName":"orders")", kIdAndOwner,
                        R"(,"GlobalSecondaryIndexUpdates":[{"Create":)",
                        Including(5, names), "}]}");
  };
  EXPECT_EQ(service.Error("UpdateTable", create(Names(1, 3))),
            "ValidationException: One or more parameter values were invalid: "
            "Number of NonKeyAttributes of all indexes together, 101, exceeds "
            "the per-table limit of 100");
  service.Ok("UpdateTable",
             R"({"TableName":"orders","GlobalSecondaryIndexUpdates":[)"
             R"({"Delete":{"IndexName":"index-0"}}]})");
  service.Ok("UpdateTable", create(Names(20, 255)));
}

TEST(Tables, RefuseAnAttributeThatIsDefinedTwice) {
  TestService service;
  const absl::string_view twice =
      R"(,"AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},)"
      R"({"AttributeName":"id","AttributeType":"N"}])";
  const absl::string_view error =
      "ValidationException: Attribute Name is duplicated: id";
  EXPECT_EQ(
      service.Error("CreateTable", Definition(absl::StrCat(twice, kByRequest))),
      error);
  service.CreateSimpleTable("orders");
  EXPECT_EQ(service.Error("UpdateTable",
                          absl::StrCat(R"({"TableName":"orders",)",
                                       R"("DeletionProtectionEnabled":true)",
                                       twice, "}")),
            error);
}

// As AWS does, whatever they are. The names are those that the store uses for
// what it adds to a definition, and those that others than the local index
// have.
TEST(CreateTable, IgnoresMembersItDoesNotKnow) {
  TestService service;
  service.Ok(
      "CreateTable",
      R"({"TableName":"orders","Id":"x","Created":{},"TimeToLive":7,)"
      R"("AttributeDefinitions":[{"AttributeName":"id","AttributeType":"S"},)"
      R"({"AttributeName":"at","AttributeType":"N"}],)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
      R"({"AttributeName":"at","KeyType":"RANGE"}],)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":1,)"
      R"("WriteCapacityUnits":1,"LastIncrease":[],"DecreasesToday":"x"},)"
      R"("LocalSecondaryIndexes":[{"IndexName":"local","Id":{},)"
      R"("KeySchema":[{"AttributeName":"id","KeyType":"HASH"},)"
      R"({"AttributeName":"at","KeyType":"RANGE"}],)"
      R"("Projection":{"ProjectionType":"ALL"},)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":"x"},)"
      R"("OnDemandThroughput":"x"}]})");
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeTable", R"({"TableName":"orders"})"),
      R"("NumberOfDecreasesToday":0)"));
}

TEST(CreateTable, RefusesStreamsAndSaysSo) {
  TestService service;
  EXPECT_EQ(service.Error("CreateTable",
                          Definition(absl::StrCat(
                              kIdOnly, kByRequest,
                              R"(,"StreamSpecification":{"StreamEnabled":true,)"
                              R"("StreamViewType":"NEW_IMAGE"})"))),
            "ValidationException: DynamoDB Streams (StreamSpecification) are "
            "not supported by the local cloud");
}

TEST(ListTables, PagesInTheOrderOfNames) {
  TestService service;
  for (const absl::string_view name : {"ccc", "aaa", "bbb"}) {
    service.CreateSimpleTable(name);
  }
  EXPECT_EQ(service.Ok("ListTables", "{}"),
            R"({"TableNames":["aaa","bbb","ccc"]})");
  EXPECT_EQ(service.Ok("ListTables", R"({"Limit":2})"),
            R"({"TableNames":["aaa","bbb"],"LastEvaluatedTableName":"bbb"})");
  EXPECT_EQ(service.Ok("ListTables", R"({"ExclusiveStartTableName":"bbb"})"),
            R"({"TableNames":["ccc"]})");
}

TEST(DeleteTable, RemovesTheTableAndItsItems) {
  TestService service;
  service.CreateSimpleTable("orders");
  service.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"1"}}})");
  EXPECT_TRUE(
      absl::StrContains(service.Ok("DeleteTable", R"({"TableName":"orders"})"),
                        R"("TableStatus":"DELETING")"));
  EXPECT_EQ(service.Error("DescribeTable", R"({"TableName":"orders"})"),
            "ResourceNotFoundException: Requested resource not found: Table: "
            "orders not found");
  service.CreateSimpleTable("orders");
  EXPECT_EQ(service.Ok("Scan", R"({"TableName":"orders"})"),
            R"({"Items":[],"Count":0,"ScannedCount":0})");
}

TEST(DeleteTable, AnswersWithoutTheSchema) {
  TestService service;
  service.Ok("CreateTable",
             Definition(absl::StrCat(
                 kIdAndOwner, kByRequest, R"(,"GlobalSecondaryIndexes":[{)",
                 kOwnerIndex, R"(,"Projection":{"ProjectionType":"ALL"}}])")));
  const std::string answer =
      service.Ok("DeleteTable", R"({"TableName":"orders"})");
  for (const absl::string_view name :
       {"KeySchema", "AttributeDefinitions", "CreationDateTime", "Indexes",
        "WarmThroughput"}) {
    EXPECT_FALSE(absl::StrContains(answer, name)) << answer;
  }
  for (const absl::string_view part :
       {R"("TableName":"orders")", R"("TableStatus":"DELETING")",
        R"("BillingModeSummary":{)", R"("ItemCount":0)", R"("TableId":")"}) {
    EXPECT_TRUE(absl::StrContains(answer, part)) << answer;
  }
}

TEST(DeleteTable, KeepsAProtectedTable) {
  TestService service;
  service.CreateSimpleTable("orders");
  service.Ok("UpdateTable",
             R"({"TableName":"orders","DeletionProtectionEnabled":true})");
  EXPECT_EQ(service.Error("DeleteTable", R"({"TableName":"orders"})"),
            "ValidationException: Resource cannot be deleted as it is "
            "currently protected against deletion. Disable deletion protection "
            "first.");
}

TEST(UpdateTable, FillsANewIndexAndRemovesIt) {
  TestService service;
  service.CreateSimpleTable("orders");
  service.Ok(
      "PutItem",
      R"({"TableName":"orders","Item":{"id":{"S":"1"},"owner":{"S":"o"},)"
      R"("x":{"N":"1"}}})");
  service.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"2"}}})");
  // Of another type than the index wants: left out, as AWS does.
  service.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"3"},)"
                        R"("owner":{"N":"7"}}})");
  service.Ok("UpdateTable",
             absl::StrCat(
                 R"({"TableName":"orders")", kIdAndOwner,
                 R"(,"GlobalSecondaryIndexUpdates":[{"Create":{)", kOwnerIndex,
                 R"(,"Projection":{"ProjectionType":"KEYS_ONLY"})", "}}]}"));
  const std::string query =
      R"({"TableName":"orders","IndexName":"by-owner",)"
      R"("KeyConditionExpression":"#o = :o","ExpressionAttributeNames":)"
      R"({"#o":"owner"},"ExpressionAttributeValues":{":o":{"S":"o"}}})";
  EXPECT_EQ(service.Ok("Query", query),
            R"({"Items":[{"id":{"S":"1"},"owner":{"S":"o"}}],"Count":1,)"
            R"("ScannedCount":1})");
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeTable", R"({"TableName":"orders"})"),
      R"("IndexSizeBytes":9,"ItemCount":1)"));

  service.Ok("UpdateTable",
             R"({"TableName":"orders","GlobalSecondaryIndexUpdates":[)"
             R"({"Delete":{"IndexName":"by-owner"}}]})");
  EXPECT_EQ(service.Error("Query", query),
            "ValidationException: The table does not have the specified index: "
            "by-owner");
  EXPECT_FALSE(absl::StrContains(
      service.Ok("DescribeTable", R"({"TableName":"orders"})"), "owner"));
}

TEST(UpdateTable, IgnoresMembersItDoesNotKnow) {
  TestService service;
  service.Ok("CreateTable",
             Definition(absl::StrCat(
                 kIdOnly, R"(,"ProvisionedThroughput":{"ReadCapacityUnits":1,)",
                 R"("WriteCapacityUnits":1})")));
  service.Ok("UpdateTable",
             absl::StrCat(
                 R"({"TableName":"orders")", kIdAndOwner,
                 R"(,"GlobalSecondaryIndexUpdates":[{"Create":{)", kOwnerIndex,
                 R"(,"Projection":{"ProjectionType":"ALL"},"Id":"x",)",
                 R"("ProvisionedThroughput":{"ReadCapacityUnits":1,)",
                 R"("WriteCapacityUnits":1,"DecreasesToday":[]}}}]})"));
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeTable", R"({"TableName":"orders"})"),
      R"("IndexName":"by-owner")"));
}

TEST(UpdateTable, ChangesBillingAndThroughput) {
  TestService service;
  service.CreateSimpleTable("orders");
  EXPECT_EQ(service.Error("UpdateTable", R"({"TableName":"orders"})"),
            "ValidationException: At least one of ProvisionedThroughput, "
            "BillingMode, UpdateStreamEnabled, GlobalSecondaryIndexUpdates, "
            "SSESpecification, ReplicaUpdates, MultiAccountReplicaReady, "
            "ReplicaTransitRoleArn, MultiRegionConsistency, "
            "DeletionProtectionEnabled, OnDemandThroughput, WarmThroughput or "
            "TableClass is required");
  const std::string provisioned =
      R"({"TableName":"orders","BillingMode":"PROVISIONED",)"
      R"("ProvisionedThroughput":{"ReadCapacityUnits":5,)"
      R"("WriteCapacityUnits":6}})";
  EXPECT_TRUE(
      absl::StrContains(service.Ok("UpdateTable", provisioned),
                        R"("ReadCapacityUnits":5,"WriteCapacityUnits":6)"));
  EXPECT_TRUE(absl::StartsWith(
      service.Error("UpdateTable", provisioned),
      "ValidationException: The provisioned throughput for the table will not "
      "change."));
}

TEST(UpdateTable, CountsDecreasesOfTheDay) {
  TestService service;
  service.Ok("CreateTable",
             Definition(absl::StrCat(
                 kIdOnly, R"(,"ProvisionedThroughput":{"ReadCapacityUnits":9,)",
                 R"("WriteCapacityUnits":9})")));
  const auto decrease_to = [&](int units) {
    service.Ok("UpdateTable",
               absl::StrCat(R"({"TableName":"orders","ProvisionedThroughput":)",
                            R"({"ReadCapacityUnits":)", units,
                            R"(,"WriteCapacityUnits":9}})"));
  };
  const auto counts = [&](int decreases) {
    return absl::StrContains(
        service.Ok("DescribeTable", R"({"TableName":"orders"})"),
        absl::StrCat(R"("NumberOfDecreasesToday":)", decreases, ","));
  };
  decrease_to(8);
  decrease_to(7);
  EXPECT_TRUE(counts(2));
  service.Reopen();
  EXPECT_TRUE(counts(2));
  service.clock().RunUntil(absl::FromUnixSeconds(1764719999));
  EXPECT_TRUE(counts(2));
  service.clock().RunUntil(absl::FromUnixSeconds(1764720000));  // midnight, UTC
  EXPECT_TRUE(counts(0));
  decrease_to(6);
  EXPECT_TRUE(counts(1));
}

std::string Warm(int64_t read, int64_t write) {
  return absl::StrCat(R"("WarmThroughput":{"ReadUnitsPerSecond":)", read,
                      R"(,"WriteUnitsPerSecond":)", write);
}

TEST(WarmThroughput, IsKeptAndDescribed) {
  TestService service;
  service.Ok(
      "CreateTable",
      Definition(absl::StrCat(
          kIdAndOwner, kByRequest, ",", Warm(13000, 4000), "}",
          OwnerIndex(absl::StrCat(R"(,"Projection":{"ProjectionType":"ALL"},)",
                                  Warm(12000, 5000), "}")))));
  const auto described = [&](absl::string_view part) {
    const std::string answer =
        service.Ok("DescribeTable", R"({"TableName":"orders"})");
    return absl::StrContains(answer, part);
  };
  EXPECT_TRUE(described(
      R"("WarmThroughput":{"ReadUnitsPerSecond":13000,"Status":"ACTIVE",)"
      R"("WriteUnitsPerSecond":4000})"));
  EXPECT_TRUE(described(
      R"("WarmThroughput":{"ReadUnitsPerSecond":12000,"Status":"ACTIVE",)"
      R"("WriteUnitsPerSecond":5000})"));
  service.Ok("UpdateTable", R"({"TableName":"orders","WarmThroughput":)"
                            R"({"WriteUnitsPerSecond":6000}})");
  service.Reopen();
  EXPECT_TRUE(described(
      R"("WarmThroughput":{"ReadUnitsPerSecond":13000,"Status":"ACTIVE",)"
      R"("WriteUnitsPerSecond":6000})"));
  EXPECT_EQ(
      service.Error("UpdateTable", R"({"TableName":"orders","WarmThroughput":)"
                                   R"({"WriteUnitsPerSecond":5000}})"),
      "ValidationException: One or more parameter values were invalid: "
      "Requested WriteUnitsPerSecond for WarmThroughput for table is "
      "lower than current WarmThroughput, decreasing WarmThroughput is "
      "not supported");
}

TEST(WarmThroughput, IsAtLeastWhatTheBillingImplies) {
  TestService service;
  EXPECT_EQ(service.Error("CreateTable",
                          Definition(absl::StrCat(kIdOnly, kByRequest, ",",
                                                  Warm(11999, 4000), "}"))),
            "ValidationException: One or more parameter values were invalid: "
            "Requested ReadUnitsPerSecond for WarmThroughput for table is "
            "lower than initial throughput for OnDemand");
  service.Ok("CreateTable",
             Definition(absl::StrCat(
                 kIdOnly, R"(,"ProvisionedThroughput":{"ReadCapacityUnits":9,)",
                 R"("WriteCapacityUnits":8})")));
  service.Ok("UpdateTable",
             R"({"TableName":"orders","ProvisionedThroughput":)"
             R"({"ReadCapacityUnits":5,"WriteCapacityUnits":10}})");
  EXPECT_TRUE(absl::StrContains(
      service.Ok("DescribeTable", R"({"TableName":"orders"})"),
      R"("WarmThroughput":{"ReadUnitsPerSecond":9,"Status":"ACTIVE",)"
      R"("WriteUnitsPerSecond":10})"));
}

TEST(CreateTable, DescribesAKeyForEncryptionOnlyIfThereIsOne) {
  TestService service;
  const std::string answer = service.Ok(
      "CreateTable",
      Definition(absl::StrCat(kIdOnly, kByRequest,
                              R"(,"SSESpecification":{"Enabled":true})")));
  EXPECT_TRUE(absl::StrContains(
      answer, R"("SSEDescription":{"SSEType":"KMS","Status":"ENABLED"})"))
      << answer;
}

TEST(UpdateTable, RefusesIndexesThatAreNotThereOrThereAlready) {
  TestService service;
  service.Ok("CreateTable",
             Definition(absl::StrCat(
                 kIdAndOwner, kByRequest,
                 OwnerIndex(R"(,"Projection":{"ProjectionType":"ALL"})"))));
  EXPECT_EQ(
      service.Error("UpdateTable", R"({"TableName":"orders",)"
                                   R"("GlobalSecondaryIndexUpdates":[)"
                                   R"({"Delete":{"IndexName":"none"}}]})"),
      "ResourceNotFoundException: Requested resource not found");
  EXPECT_EQ(
      service.Error(
          "UpdateTable",
          absl::StrCat(R"({"TableName":"orders")", kIdAndOwner,
                       R"(,"GlobalSecondaryIndexUpdates":[{"Create":{)",
                       kOwnerIndex, R"(,"Projection":{"ProjectionType":"ALL"})",
                       "}}]}")),
      "ValidationException: Attempting to create an index which already "
      "exists");
}

TEST(Service, TellsItsLimitsAndAddress) {
  TestService service;
  EXPECT_TRUE(absl::StrContains(service.Ok("DescribeLimits", "{}"),
                                R"("AccountMaxReadCapacityUnits":80000)"));
  EXPECT_EQ(service.Handle("DescribeEndpoints", "{}").body,
            R"({"Endpoints":[{"Address":"127.0.0.1:4566",)"
            R"("CachePeriodInMinutes":1440}]})");
}

TEST(Service, WritesErrorsAsAwsDoes) {
  TestService service;
  const Answer missing =
      service.Handle("GetItem", R"({"TableName":"abc","Key":{}})");
  EXPECT_EQ(missing.status, 400);
  EXPECT_EQ(missing.body, R"({"__type":"com.amazonaws.dynamodb.v20120810#)"
                          R"(ResourceNotFoundException","message":)"
                          R"("Requested resource not found"})");
  EXPECT_TRUE(absl::StrContains(
      service.Handle("GetItem", "{}").body,
      R"("__type":"com.amazon.coral.validate#ValidationException")"));
  EXPECT_TRUE(absl::StartsWith(
      service.Handle("GetItem", "{").body,
      R"({"__type":"com.amazon.coral.service#SerializationException",)"
      R"("Message":)"));
  EXPECT_TRUE(absl::StartsWith(
      service
          .Handle("TagResource",
                  R"({"ResourceArn":"arn:aws:dynamodb:us-east-1:1:table/t"})")
          .body,
      R"({"__type":"com.amazon.coral.service#AccessDeniedException",)"
      R"("Message":)"));
  EXPECT_TRUE(absl::StrContains(
      service.Handle("MakeCoffee", "{}").body,
      R"("__type":"com.amazon.coral.service#UnknownOperationException")"));
  EXPECT_TRUE(absl::StrContains(service.Handle("ExecuteStatement", "{}").body,
                                "PartiQL is not supported"));
}

TEST(Service, KeepsTablesItemsAndCountersWhenReopened) {
  TestService service;
  service.CreateRangeTable("orders");
  service.Ok("PutItem", R"({"TableName":"orders","Item":{"id":{"S":"1"},)"
                        R"("at":{"N":"5"}}})");
  const std::string before =
      service.Ok("DescribeTable", R"({"TableName":"orders"})");
  service.Reopen();
  EXPECT_EQ(service.Ok("DescribeTable", R"({"TableName":"orders"})"), before);
  EXPECT_EQ(service.Ok("Scan", R"({"TableName":"orders"})"),
            R"({"Items":[{"at":{"N":"5"},"id":{"S":"1"}}],"Count":1,)"
            R"("ScannedCount":1})");
}

}  // namespace
}  // namespace byoshin::local::dynamodb

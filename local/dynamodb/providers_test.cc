#include "local/dynamodb/providers.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/provider.h"
#include "local/cloudformation/registry.h"
#include "local/dynamodb/dynamodb.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"
#include "local/store/forwarding_store.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::dynamodb {
namespace {

using cloudformation::ResourceRequest;
using cloudformation::ResourceState;

class TableProviderTest : public testing::Test {
 protected:
  // The scheduler's table, with `more` members.
  static Json::Value Properties(absl::string_view more) {
    return *json::ParseValue(absl::StrCat(
        R"({"TableName":"metrics",
            "AttributeDefinitions":[
              {"AttributeName":"n","AttributeType":"S"},
              {"AttributeName":"t","AttributeType":"S"}],
            "KeySchema":[{"AttributeName":"n","KeyType":"HASH"},
                         {"AttributeName":"t","KeyType":"RANGE"}],
            "BillingMode":"PAY_PER_REQUEST")",
        more, "}"));
  }
  ResourceRequest Request(const Json::Value& properties,
                          absl::string_view physical_id = "") {
    return {.stack = stack_,
            .logical_id = "Table",
            .physical_id = std::string(physical_id),
            .name_suffix = "ABCDEFGHIJKL",
            .properties = properties};
  }
  Json::Value Ask(absl::string_view operation, absl::string_view body) {
    const absl::StatusOr<Json::Value> answer = CallInProcess(
        *dynamodb_,
        {.operation = std::string(operation), .region = "us-east-1"},
        *json::ParseValue(body));
    EXPECT_TRUE(answer.ok()) << answer.status();
    return answer.ok() ? *answer : Json::Value();
  }
  Json::Value Table() {
    return Ask("DescribeTable", R"({"TableName":"metrics"})")["Table"];
  }

  const cloudformation::StackContext stack_{.stack_name = "demo"};
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  std::unique_ptr<DynamoDb> dynamodb_ = *DynamoDb::Open(*store_, clock_, {});
  std::unique_ptr<cloudformation::ResourceProvider> provider_ =
      NewTableProvider(*dynamodb_);
};

TEST_F(TableProviderTest, MakesATableAsTheTemplateSays) {
  const Json::Value properties = Properties(
      R"(,"DeletionProtectionEnabled":"true",
          "SSESpecification":{"SSEEnabled":true,"SSEType":"KMS"},
          "PointInTimeRecoverySpecification":
            {"PointInTimeRecoveryEnabled":true},
          "TimeToLiveSpecification":{"AttributeName":"x","Enabled":true},
          "Tags":[{"Key":"a","Value":"b"}])");
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(made->physical_id, "metrics");
  EXPECT_EQ(made->attributes.at("Arn"),
            "arn:aws:dynamodb:us-east-1:000000000000:table/metrics");
  EXPECT_EQ(Table()["DeletionProtectionEnabled"], true);
  EXPECT_EQ(Table()["BillingModeSummary"]["BillingMode"], "PAY_PER_REQUEST");
  EXPECT_EQ(Ask("DescribeTimeToLive",
                R"({"TableName":"metrics"})")["TimeToLiveDescription"]
                                             ["AttributeName"],
            "x");
  EXPECT_EQ(Ask("DescribeContinuousBackups",
                R"({"TableName":"metrics"})")["ContinuousBackupsDescription"]
                                             ["PointInTimeRecoveryDescription"]
                                             ["PointInTimeRecoveryStatus"],
            "ENABLED");
}

TEST_F(TableProviderTest, MakesIndexesWithKeysOfSeveralAttributes) {
  const Json::Value properties = *json::ParseValue(
      R"({"TableName":"metrics","BillingMode":"PAY_PER_REQUEST",
          "AttributeDefinitions":[
            {"AttributeName":"id","AttributeType":"S"},
            {"AttributeName":"a","AttributeType":"S"},
            {"AttributeName":"b","AttributeType":"N"},
            {"AttributeName":"c","AttributeType":"S"}],
          "KeySchema":[{"AttributeName":"id","KeyType":"HASH"}],
          "GlobalSecondaryIndexes":[{"IndexName":"by-abc","KeySchema":[
            {"AttributeName":"a","KeyType":"HASH"},
            {"AttributeName":"b","KeyType":"HASH"},
            {"AttributeName":"c","KeyType":"RANGE"}],
            "Projection":{"ProjectionType":"ALL"}}]})");
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  EXPECT_EQ(Table()["GlobalSecondaryIndexes"][0]["KeySchema"],
            properties["GlobalSecondaryIndexes"][0]["KeySchema"]);
  const absl::Status taken_up = provider_->CheckTakeUp(Request(properties));
  EXPECT_TRUE(taken_up.ok()) << taken_up;
}

TEST_F(TableProviderTest, ChangesSettingsAndLeavesTheData) {
  const Json::Value before = Properties(
      R"(,"DeletionProtectionEnabled":true,
          "Tags":[{"Key":"a","Value":"b"}])");
  const Json::Value after = Properties(
      R"(,"Tags":[{"Key":"c","Value":"d"}],
          "TimeToLiveSpecification":{"AttributeName":"x","Enabled":true})");
  ASSERT_TRUE(provider_->Create(Request(before)).ok());
  Ask("PutItem", R"({"TableName":"metrics",
                     "Item":{"n":{"S":"a"},"t":{"S":"b"}}})");
  const absl::StatusOr<ResourceState> changed =
      provider_->Update(Request(after, "metrics"), before);
  ASSERT_TRUE(changed.ok()) << changed.status();
  EXPECT_EQ(Table()["DeletionProtectionEnabled"], false);
  EXPECT_EQ(Table()["ItemCount"], 1);
  const Json::Value tags = Ask("ListTagsOfResource",
                               R"({"ResourceArn":
          "arn:aws:dynamodb:us-east-1:000000000000:table/metrics"})")["Tags"];
  EXPECT_EQ(json::WriteValue(tags), R"([{"Key":"c","Value":"d"}])");
  // And back again, as after a deployment that failed.
  EXPECT_TRUE(provider_->Update(Request(before, "metrics"), after).ok());
  EXPECT_EQ(Table()["DeletionProtectionEnabled"], true);
}

TEST_F(TableProviderTest, DeletesANewTableAlthoughProtectedUnlessItHasItems) {
  const Json::Value properties =
      Properties(R"(,"DeletionProtectionEnabled":true)");
  const ResourceRequest made = Request(properties, "metrics");
  ASSERT_TRUE(provider_->Create(Request(properties)).ok());
  EXPECT_EQ(*provider_->DescribeData(made), "");
  EXPECT_FALSE(provider_->Delete(made).ok());
  Ask("PutItem", R"({"TableName":"metrics",
                     "Item":{"n":{"S":"a"},"t":{"S":"b"}}})");
  EXPECT_EQ(*provider_->DescribeData(made), "1 item");
  EXPECT_FALSE(provider_->DeleteNew(made).ok());
  EXPECT_EQ(Table()["DeletionProtectionEnabled"], true);
  Ask("DeleteItem", R"({"TableName":"metrics",
                        "Key":{"n":{"S":"a"},"t":{"S":"b"}}})");
  EXPECT_EQ(provider_->DeleteNew(made), absl::OkStatus());
  EXPECT_EQ(*provider_->IsMissing(made), true);
  EXPECT_EQ(*provider_->DescribeData(made), "");
}

TEST_F(TableProviderTest, FindsTheTableThatItWouldMake) {
  const Json::Value properties = Properties("");
  EXPECT_EQ(provider_->Find(Request(properties))->has_value(), false);
  const absl::StatusOr<ResourceState> made =
      provider_->Create(Request(properties));
  ASSERT_TRUE(made.ok()) << made.status();
  const auto found = provider_->Find(Request(properties));
  ASSERT_TRUE(found.ok() && found->has_value()) << found.status();
  EXPECT_EQ((*found)->physical_id, made->physical_id);
  EXPECT_EQ((*found)->attributes, made->attributes);
}

TEST_F(TableProviderTest, FinishesWhatAKillHasCutOff) {
  const Json::Value plain = Properties("");
  const Json::Value properties = Properties(
      R"(,"TimeToLiveSpecification":{"AttributeName":"x","Enabled":true},
          "PointInTimeRecoverySpecification":
            {"PointInTimeRecoveryEnabled":true})");
  // All that CreateTable is told is the same.
  ASSERT_TRUE(provider_->Create(Request(plain)).ok());
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<ResourceState> finished =
        provider_->Update(Request(properties, "metrics"), properties);
    ASSERT_TRUE(finished.ok()) << finished.status();
    EXPECT_EQ(Ask("DescribeTimeToLive",
                  R"({"TableName":"metrics"})")["TimeToLiveDescription"]
                                               ["AttributeName"],
              "x");
  }
}

TEST_F(TableProviderTest, RepeatsAnUpdateThatAKillHasCutOff) {
  const Json::Value before = Properties("");
  Json::Value after = Properties(
      R"(,"TimeToLiveSpecification":{"AttributeName":"x","Enabled":true},
          "ProvisionedThroughput":
            {"ReadCapacityUnits":5,"WriteCapacityUnits":6})");
  after["BillingMode"] = "PROVISIONED";
  ASSERT_TRUE(provider_->Create(Request(before)).ok());
  for (int i = 0; i < 2; ++i) {
    const absl::StatusOr<ResourceState> updated =
        provider_->Update(Request(after, "metrics"), before);
    ASSERT_TRUE(updated.ok()) << updated.status();
    EXPECT_EQ(Table()["ProvisionedThroughput"]["WriteCapacityUnits"], 6);
  }
}

// A service, and a store of somebody who uses it, that do nothing any more once
// the service has done `last`: as if the process had been killed then.
class MortalService final : public ForwardingService {
 public:
  MortalService(Service& service, std::string last)
      : ForwardingService(service), last_(std::move(last)) {}

  bool dead() const { return dead_; }
  void Handle(Call call, AnswerFunction answer) override {
    if (dead_) return answer({.status = 500, .body = "{}"});
    service().Handle(call, [this, call, answer](const Answer& given) {
      dead_ = call.operation == last_;
      answer(given);
    });
  }

 private:
  const std::string last_;
  std::atomic<bool> dead_ = false;
};

class MortalStore final : public ForwardingStore {
 public:
  MortalStore(Store& store, const MortalService& service)
      : ForwardingStore(store), service_(service) {}

  absl::Status Commit() override {
    if (!service_.dead()) return ForwardingStore::Commit();
    Rollback();
    return absl::UnavailableError("dead");
  }

 private:
  const MortalService& service_;
};

TEST_F(TableProviderTest, TakesOverTheTableOfADeploymentThatWasKilled) {
  const Json::Value properties = Properties(
      R"(,"DeletionProtectionEnabled":true,
          "TimeToLiveSpecification":{"AttributeName":"x","Enabled":true})");
  const cloudformation::DeployRequest request{
      .stack_name = "demo",
      .template_text = absl::StrCat(
          R"({"Resources":{"T":{"Type":"AWS::DynamoDB::Table","Properties":)",
          json::WriteValue(properties), "}}}")};
  const auto deploy = [&](Service& service, Store& stacks) {
    cloudformation::ProviderRegistry registry;
    registry.Add(NewTableProvider(service));
    const auto deployer =
        *cloudformation::Deployer::Open(stacks, clock_, registry, {});
    return deployer->Deploy(request).status();
  };
  for (const char* last :
       {"CreateTable", "UpdateTimeToLive", "UpdateContinuousBackups"}) {
    dynamodb_.reset();
    store_ = *OpenSqliteStore({});
    dynamodb_ = *DynamoDb::Open(*store_, clock_, {});
    const std::unique_ptr<Store> stacks = *OpenSqliteStore({});
    MortalService mortal(*dynamodb_, last);
    MortalStore mortal_stacks(*stacks, mortal);
    EXPECT_FALSE(deploy(mortal, mortal_stacks).ok()) << last;
    EXPECT_TRUE(mortal.dead()) << last;

    const absl::Status carried_on = deploy(*dynamodb_, *stacks);
    EXPECT_TRUE(carried_on.ok()) << last << ": " << carried_on;
    EXPECT_EQ(Table()["DeletionProtectionEnabled"], true) << last;
    EXPECT_EQ(Ask("DescribeTimeToLive",
                  R"({"TableName":"metrics"})")["TimeToLiveDescription"]
                                               ["TimeToLiveStatus"],
              "ENABLED")
        << last;
    // Another stack, which has begun nothing, is refused.
    const std::unique_ptr<Store> others = *OpenSqliteStore({});
    for (int i = 0; i < 2; ++i) {
      EXPECT_TRUE(absl::StrContains(deploy(*dynamodb_, *others).message(),
                                    "already exists"))
          << last;
    }
    EXPECT_EQ(Table()["TableStatus"], "ACTIVE") << last;
  }
}

TEST_F(TableProviderTest, DoesNotDeleteATableThatIsProtected) {
  const Json::Value properties =
      Properties(R"(,"DeletionProtectionEnabled":true)");
  ASSERT_TRUE(provider_->Create(Request(properties)).ok());
  EXPECT_FALSE(provider_->Delete(Request(properties, "metrics")).ok());
}

TEST_F(TableProviderTest, DeletesATableOnceAndIsContentWithNone) {
  const Json::Value properties = Properties("");
  ASSERT_TRUE(provider_->Create(Request(properties)).ok());
  EXPECT_TRUE(provider_->Delete(Request(properties, "metrics")).ok());
  EXPECT_TRUE(provider_->Delete(Request(properties, "metrics")).ok());
}

TEST_F(TableProviderTest, TellsWhetherATableIsThereAndCanBeTakenUp) {
  const Json::Value properties = Properties(
      R"(,"GlobalSecondaryIndexes":[{"IndexName":"byTime",
            "KeySchema":[{"AttributeName":"t","KeyType":"HASH"}],
            "Projection":{"ProjectionType":"ALL"}}])");
  EXPECT_EQ(*provider_->IsMissing(Request(properties, "metrics")), true);
  ASSERT_TRUE(provider_->Create(Request(properties)).ok());
  EXPECT_EQ(*provider_->IsMissing(Request(properties, "metrics")), false);
  EXPECT_EQ(provider_->CheckTakeUp(Request(properties)), absl::OkStatus());

  EXPECT_EQ(provider_->CheckTakeUp(Request(Properties(""))),
            absl::FailedPreconditionError("its GlobalSecondaryIndexes differ"));
  Json::Value reversed = properties;
  std::swap(reversed["KeySchema"][0]["AttributeName"],
            reversed["KeySchema"][1]["AttributeName"]);
  EXPECT_EQ(provider_->CheckTakeUp(Request(reversed)),
            absl::FailedPreconditionError("its KeySchema differs"));
}

TEST_F(TableProviderTest, TakesUpATableOfWhichNothingIsKnown) {
  for (const char* before : {"", R"(,"DeletionProtectionEnabled":true)"}) {
    for (const char* after :
         {"", R"(,"DeletionProtectionEnabled":true)",
          R"(,"Tags":[{"Key":"a","Value":"b"}])",
          R"(,"TimeToLiveSpecification":{"AttributeName":"x",
                                         "Enabled":true})"}) {
      const Json::Value properties = Properties(after);
      dynamodb_ = nullptr;
      store_ = *OpenSqliteStore({});
      dynamodb_ = *DynamoDb::Open(*store_, clock_, {});
      provider_ = NewTableProvider(*dynamodb_);
      ASSERT_TRUE(provider_->Create(Request(Properties(before))).ok());
      const absl::StatusOr<ResourceState> taken = provider_->Update(
          Request(properties, "metrics"), Json::Value(Json::objectValue));
      EXPECT_TRUE(taken.ok()) << taken.status();
      EXPECT_EQ(Table()["DeletionProtectionEnabled"],
                properties["DeletionProtectionEnabled"].asBool());
    }
  }
}

TEST_F(TableProviderTest, FindsTheNewestTableOfALostStackThatFits) {
  Json::Value properties = Properties("");
  properties.removeMember("TableName");
  const auto request = [&](const char* suffix) {
    ResourceRequest asked = Request(properties);
    return ResourceRequest{.stack = asked.stack,
                           .logical_id = asked.logical_id,
                           .physical_id = "",
                           .name_suffix = suffix,
                           .properties = properties};
  };
  EXPECT_EQ(*provider_->FindSuffix(request("NEWNEWNEWNEW")), std::nullopt);
  for (const char* suffix : {"BBBBBBBBBBBB", "AAAAAAAAAAAA"}) {
    ASSERT_TRUE(provider_->Create(request(suffix)).ok());
    clock_.RunUntil(clock_.Now() + absl::Seconds(1));
  }
  const Json::Value fits = properties;
  std::swap(properties["KeySchema"][0]["AttributeName"],
            properties["KeySchema"][1]["AttributeName"]);
  ASSERT_TRUE(provider_->Create(request("CCCCCCCCCCCC")).ok());
  properties = fits;
  Ask("CreateTable", R"({"TableName":"demo-Table-CUSTOM",
      "BillingMode":"PAY_PER_REQUEST",
      "AttributeDefinitions":[{"AttributeName":"n","AttributeType":"S"}],
      "KeySchema":[{"AttributeName":"n","KeyType":"HASH"}]})");
  EXPECT_EQ(*provider_->FindSuffix(request("NEWNEWNEWNEW")), "AAAAAAAAAAAA");
}

}  // namespace
}  // namespace byoshin::local::dynamodb

// RDS's API, asked about what templates have created.

#include "local/rds/service.h"

#include <json/json.h>

#include <cstddef>
#include <future>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/service.h"
#include "local/rds/backend.h"
#include "local/rds/clusters.h"
#include "local/rds/providers.h"
#include "local/rds/rds.h"
#include "local/rds/record.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::rds {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr char kOrdersArn[] =
    "arn:aws:rds:us-east-1:000000000000:cluster:orders";

// Remembers what it was told.
class FakeBackend final : public Backend {
 public:
  absl::Status Create(const Record&, absl::string_view) override {
    return failure;
  }
  absl::Status SetMasterPassword(const Record&,
                                 absl::string_view password) override {
    if (failure.ok()) master_password = std::string(password);
    return failure;
  }
  absl::StatusOr<bool> Exists(const Record&) override { return true; }
  absl::Status Delete(const Record&) override { return failure; }
  absl::Status EnsureRunning(const Record&) override { return failure; }
  absl::Status Stop(const Record&) override { return failure; }
  absl::StatusOr<Keywords> KeywordsFor(const Record&, const Login&) override {
    return Keywords();
  }
  absl::StatusOr<Keywords> AdministratorKeywords(const Record&) override {
    return Keywords();
  }

  std::string master_password;
  absl::Status failure;
};

class RdsServiceTest : public ::testing::Test {
 protected:
  RdsServiceTest() {
    Create(*NewClusterProvider(*rds_), R"({
      "DBClusterIdentifier": "orders", "Engine": "aurora-postgresql",
      "EngineVersion": "16.4", "MasterUsername": "app",
      "MasterUserPassword": "first-password", "DatabaseName": "shop",
      "StorageEncrypted": true, "BackupRetentionPeriod": 7,
      "VpcSecurityGroupIds": ["sg-1"], "DBSubnetGroupName": "inner",
      "ServerlessV2ScalingConfiguration": {"MinCapacity": 0.5,
                                           "MaxCapacity": 4},
      "Tags": [{"Key": "team", "Value": "a&b"}]})");
    std::vector<std::unique_ptr<cloudformation::ResourceProvider>> others =
        NewDescriptiveProviders(*rds_);
    Create(*others[0], R"({"DBInstanceIdentifier": "Orders-1",
      "DBClusterIdentifier": "orders", "DBInstanceClass": "db.serverless",
      "Engine": "aurora-postgresql"})");
    Create(*others[1], R"({"DBSubnetGroupName": "Inner",
      "DBSubnetGroupDescription": "private", "SubnetIds": ["s-1", "s-2"]})");
    Create(*others[2], R"({"Description": "d", "Family":
      "aurora-postgresql16", "Parameters": {"timezone": "UTC"}})");
  }

  static void Create(cloudformation::ResourceProvider& provider,
                     const char* text) {
    const Json::Value properties = *json::ParseValue(text);
    const cloudformation::StackContext stack{.stack_name = "demo"};
    const absl::Status created = provider
                                     .Create({.stack = stack,
                                              .logical_id = "It",
                                              .physical_id = "",
                                              .name_suffix = "ABCDEFGHIJKL",
                                              .properties = properties})
                                     .status();
    EXPECT_TRUE(created.ok()) << created;
  }
  static Call CallOf(const std::string& operation,
                     const std::string& parameters) {
    return {.operation = operation,
            .protocol = WireProtocol::kQuery,
            .body = absl::StrCat("Action=", operation, "&Version=2014-10-31&",
                                 parameters),
            .region = "us-east-1",
            .caller = {.account_id = "000000000000"}};
  }
  Answer Ask(const std::string& operation, const std::string& parameters = "") {
    std::promise<Answer> answer;
    service_.Handle(CallOf(operation, parameters),
                    [&](Answer got) { answer.set_value(std::move(got)); });
    return answer.get_future().get();
  }

  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  FakeBackend backend_;
  std::unique_ptr<Rds> rds_ =
      *Rds::Open(*store_, clock_, {.backend = backend_});
  RdsService service_{*rds_};
};

TEST_F(RdsServiceTest, DescribesClusters) {
  const Answer answer = Ask("DescribeDBClusters");
  EXPECT_EQ(answer.status, 200);
  for (const char* part :
       {"<DBClusterIdentifier>orders</DBClusterIdentifier>",
        "<Status>available</Status>", "<Engine>aurora-postgresql</Engine>",
        "<EngineVersion>16.4</EngineVersion>",
        "<DatabaseName>shop</DatabaseName>",
        "<HttpEndpointEnabled>false</HttpEndpointEnabled>",
        "<StorageEncrypted>true</StorageEncrypted>",
        "<BackupRetentionPeriod>7</BackupRetentionPeriod>",
        "<MinCapacity>0.5</MinCapacity>", "<MaxCapacity>4</MaxCapacity>",
        "<DBInstanceIdentifier>orders-1</DBInstanceIdentifier>",
        "<IsClusterWriter>true</IsClusterWriter>",
        "<VpcSecurityGroupId>sg-1</VpcSecurityGroupId>",
        "<Key>team</Key><Value>a&amp;b</Value>",
        "<ClusterCreateTime>2025-12-02T10:23:20"}) {
    EXPECT_THAT(answer.body, HasSubstr(part));
  }
  EXPECT_THAT(answer.body, Not(HasSubstr("first-password")));
}

TEST_F(RdsServiceTest, SelectsByNameArnAndFilter) {
  EXPECT_THAT(Ask("DescribeDBClusters", "DBClusterIdentifier=ORDERS").body,
              HasSubstr("<DBCluster>"));
  EXPECT_THAT(Ask("DescribeDBClusters",
                  absl::StrCat("DBClusterIdentifier=", kOrdersArn))
                  .body,
              HasSubstr("<DBCluster>"));
  const std::string filter =
      "Filters.Filter.1.Name=engine&Filters.Filter.1.Values.Value.1=";
  EXPECT_THAT(Ask("DescribeDBClusters", filter + "aurora-postgresql").body,
              HasSubstr("<DBCluster>"));
  EXPECT_THAT(Ask("DescribeDBClusters", filter + "aurora-mysql").body,
              Not(HasSubstr("<DBCluster>")));
  EXPECT_THAT(Ask("DescribeDBClusters", "Filters.Filter.1.Name=colour").body,
              HasSubstr("Unrecognized filter name: colour"));
  const Answer missing = Ask("DescribeDBClusters", "DBClusterIdentifier=bills");
  EXPECT_EQ(missing.status, 404);
  EXPECT_THAT(missing.body, HasSubstr("<Code>DBClusterNotFoundFault</Code>"));
  EXPECT_THAT(Ask("DescribeDBClusters", "MaxRecords=19").body,
              HasSubstr("InvalidParameterValue"));
}

TEST_F(RdsServiceTest, DescribesInstancesAndSubnetGroups) {
  EXPECT_THAT(Ask("DescribeDBInstances").body,
              AllOf(HasSubstr("<DBInstanceClass>db.serverless<"),
                    HasSubstr("<DBClusterIdentifier>orders<"),
                    HasSubstr("<DBInstanceStatus>available<"),
                    HasSubstr("<Port>5432<")));
  EXPECT_EQ(Ask("DescribeDBInstances", "DBInstanceIdentifier=x").status, 404);
  EXPECT_THAT(Ask("DescribeDBSubnetGroups").body,
              AllOf(HasSubstr("<DBSubnetGroupName>inner<"),
                    HasSubstr("<SubnetIdentifier>s-2<")));
  EXPECT_THAT(Ask("DescribeDBSubnetGroups", "DBSubnetGroupName=x").body,
              HasSubstr("DBSubnetGroupNotFoundFault"));
}

TEST_F(RdsServiceTest, ListsTags) {
  EXPECT_THAT(
      Ask("ListTagsForResource", absl::StrCat("ResourceName=", kOrdersArn))
          .body,
      HasSubstr("<TagList><Tag><Key>team</Key>"));
  EXPECT_EQ(Ask("ListTagsForResource", "ResourceName=arn:x").status, 404);
}

TEST_F(RdsServiceTest, ModifiesClusters) {
  const Answer answer =
      Ask("ModifyDBCluster",
          "DBClusterIdentifier=orders&MasterUserPassword=second-password&"
          "ServerlessV2ScalingConfiguration.MaxCapacity=8&ApplyImmediately="
          "true&EnableHttpEndpoint=true");
  EXPECT_EQ(answer.status, 200) << answer.body;
  EXPECT_EQ(backend_.master_password, "second-password");
  EXPECT_THAT(answer.body, AllOf(HasSubstr("<MinCapacity>0.5<"),
                                 HasSubstr("<MaxCapacity>8<"),
                                 HasSubstr("<HttpEndpointEnabled>true<")));
  EXPECT_TRUE(rds_->Find(kOrdersArn)->data_api_enabled);
  const Answer invalid = Ask(
      "ModifyDBCluster", "DBClusterIdentifier=orders&MasterUserPassword=short");
  EXPECT_EQ(invalid.status, 400);
  EXPECT_THAT(invalid.body, HasSubstr("shorter than 8"));
  EXPECT_EQ(backend_.master_password, "second-password");
  EXPECT_THAT(Ask("ModifyDBCluster",
                  "DBClusterIdentifier=orders&NewDBClusterIdentifier=x")
                  .body,
              HasSubstr("NewDBClusterIdentifier"));
  EXPECT_EQ(Ask("ModifyDBCluster", "DBClusterIdentifier=x").status, 404);
}

TEST_F(RdsServiceTest, TurnsTheDataApiOnAndOff) {
  const std::string arn = absl::StrCat("ResourceArn=", kOrdersArn);
  EXPECT_THAT(Ask("EnableHttpEndpoint", arn).body,
              HasSubstr("<HttpEndpointEnabled>true<"));
  EXPECT_TRUE(rds_->Find(kOrdersArn)->data_api_enabled);
  EXPECT_THAT(Ask("DisableHttpEndpoint", arn).body,
              HasSubstr("<HttpEndpointEnabled>false<"));
  EXPECT_FALSE(rds_->Find(kOrdersArn)->data_api_enabled);
  EXPECT_THAT(Ask("EnableHttpEndpoint", "ResourceArn=arn:x").body,
              HasSubstr("ResourceNotFoundFault"));
}

TEST_F(RdsServiceTest, StopsAndStartsClusters) {
  const std::string name = "DBClusterIdentifier=orders";
  EXPECT_THAT(Ask("StartDBCluster", name).body,
              HasSubstr("InvalidDBClusterStateFault"));
  EXPECT_THAT(Ask("StopDBCluster", name).body, HasSubstr("<Status>stopped<"));
  EXPECT_THAT(Ask("DescribeDBInstances").body,
              HasSubstr("<DBInstanceStatus>stopped<"));
  EXPECT_THAT(Ask("StopDBCluster", name).body,
              HasSubstr("InvalidDBClusterStateFault"));
  backend_.failure = absl::UnavailableError("no room");
  EXPECT_THAT(Ask("StartDBCluster", name).body, HasSubstr("no room"));
  backend_.failure = absl::OkStatus();
  EXPECT_THAT(Ask("StartDBCluster", name).body,
              HasSubstr("<Status>available<"));
}

TEST_F(RdsServiceTest, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(Ask("CreateDBCluster").status, 400);
  EXPECT_EQ(Ask("StopDBCluster").status, 400);
}

TEST_F(RdsServiceTest, NeedsPermissionForTheResource) {
  const auto needed = [&](const std::string& operation,
                          const std::string& parameters) {
    return service_.PermissionsFor(CallOf(operation, parameters));
  };
  EXPECT_THAT(needed("DescribeDBClusters", ""),
              ElementsAre(NeededPermission{
                  "rds:DescribeDBClusters",
                  "arn:aws:rds:us-east-1:000000000000:cluster:*"}));
  EXPECT_THAT(needed("StopDBCluster", "DBClusterIdentifier=Orders"),
              ElementsAre(NeededPermission{"rds:StopDBCluster", kOrdersArn}));
  EXPECT_THAT(
      needed("DescribeDBInstances", "DBInstanceIdentifier=a"),
      ElementsAre(NeededPermission{"rds:DescribeDBInstances",
                                   "arn:aws:rds:us-east-1:000000000000:db:a"}));
  EXPECT_THAT(
      needed("EnableHttpEndpoint", absl::StrCat("ResourceArn=", kOrdersArn)),
      ElementsAre(NeededPermission{"rds:EnableHttpEndpoint", kOrdersArn}));
}

TEST_F(RdsServiceTest, HasNoInstanceWithoutItsCluster) {
  std::vector<std::unique_ptr<cloudformation::ResourceProvider>> others =
      NewDescriptiveProviders(*rds_);
  const cloudformation::StackContext stack{.stack_name = "demo"};
  for (const char* text :
       {R"({"DBInstanceClass": "db.t3.micro", "Engine": "postgres"})",
        R"({"DBInstanceClass": "db.serverless", "Engine": "aurora-postgresql",
            "DBClusterIdentifier": "bills"})",
        R"({"DBInstanceClass": "db.serverless", "Engine": "aurora-mysql",
            "DBClusterIdentifier": "orders"})"}) {
    const Json::Value properties = *json::ParseValue(text);
    EXPECT_FALSE(others[0]
                     ->Create({.stack = stack,
                               .logical_id = "It",
                               .physical_id = "",
                               .name_suffix = "ABCDEFGHIJKL",
                               .properties = properties})
                     .ok())
        << text;
  }
}

}  // namespace
}  // namespace byoshin::local::rds

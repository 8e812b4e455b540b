// Clusters of templates on servers of the cloud's own.

#include "local/rds/clusters.h"

#include <json/json.h>

#include <filesystem>
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
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/cloudformation/provider.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/prepared.h"
#include "local/postgres/server.h"
#include "local/postgres_client/connection.h"
#include "local/rds/own_servers.h"
#include "local/rds/providers.h"
#include "local/rds/rds.h"
#include "local/rds/record.h"
#include "local/rds/testing/fake_secrets.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::rds {
namespace {

using cloudformation::ResourceRequest;
using cloudformation::ResourceState;
using postgres_client::Connection;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kArn[] = "arn:aws:rds:us-east-1:000000000000:cluster:orders";
constexpr char kProperties[] = R"({
  "DBClusterIdentifier": "Orders", "Engine": "aurora-postgresql",
  "EngineVersion": "16.4", "DatabaseName": "shop", "MasterUsername": "app",
  "MasterUserPassword": "first-password", "EnableHttpEndpoint": "true",
  "ServerlessV2ScalingConfiguration": {"MinCapacity": 0.5, "MaxCapacity": 2}})";

class ClustersTest : public ::testing::Test {
 protected:
  void Open(postgres::Keep keep = postgres::Keep::kNothing) {
    provider_.reset();
    rds_.reset();
    servers_ = std::make_unique<OwnServers>(
        OwnServersOptions{.folder = folder_.path(), .keep = keep});
    rds_ = *Rds::Open(
        *store_, clock_,
        {.backend = *servers_,
         .secrets = &secrets_,
         .on_note = [this](const std::string& note) { note_ = note; }});
    provider_ = NewClusterProvider(*rds_);
  }
  ClustersTest() { Open(); }

  ResourceRequest Request(absl::string_view physical_id = "") {
    return {.stack = stack_,
            .logical_id = "Cluster",
            .physical_id = std::string(physical_id),
            .name_suffix = "ABCDEFGHIJKL",
            .properties = properties_};
  }
  // The answer of a statement in the cluster's default database.
  std::string Ask(const Login& login, const std::string& sql) {
    const absl::StatusOr<Keywords> keywords = rds_->Connectable(kArn, login);
    if (!keywords.ok()) return keywords.status().ToString();
    const absl::StatusOr<std::unique_ptr<Connection>> connection =
        Connection::Connect({.keywords = *keywords});
    if (!connection.ok()) return connection.status().ToString();
    const absl::StatusOr<postgres_client::Result> result =
        (*connection)->Execute(sql);
    if (!result.ok()) return result.status().ToString();
    return std::string(result->rows() == 0 ? result->command()
                                           : result->Text(0, 0));
  }
  std::string AskAsMaster(const std::string& sql) {
    return Ask({.user = "app", .password = "first-password"}, sql);
  }

  const TestFolder folder_;
  const cloudformation::StackContext stack_{.stack_name = "demo"};
  time::SimulatedClock clock_{absl::FromUnixSeconds(1'764'671'000)};
  std::unique_ptr<Store> store_ = *OpenSqliteStore({});
  FakeSecrets secrets_;
  std::string note_;
  Json::Value properties_ = *json::ParseValue(kProperties);
  std::unique_ptr<OwnServers> servers_;
  std::unique_ptr<Rds> rds_;
  std::unique_ptr<cloudformation::ResourceProvider> provider_;
};

TEST_F(ClustersTest, AreFoundByTheirArn) {
  const absl::StatusOr<ResourceState> state = provider_->Create(Request());
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->physical_id, "orders");
  EXPECT_EQ(state->attributes.at("DBClusterArn"), kArn);
  EXPECT_EQ(state->attributes.at("Endpoint.Port"), "5432");
  const absl::StatusOr<Cluster> cluster = rds_->Find(kArn);
  ASSERT_TRUE(cluster.ok()) << cluster.status();
  EXPECT_EQ(cluster->identifier, "orders");
  EXPECT_EQ(cluster->engine, "aurora-postgresql");
  EXPECT_EQ(cluster->engine_version, "16.4");
  EXPECT_EQ(cluster->default_database, "shop");
  EXPECT_EQ(cluster->master_user, "app");
  EXPECT_EQ(cluster->status, "available");
  EXPECT_TRUE(cluster->data_api_enabled);
  EXPECT_TRUE(absl::IsNotFound(rds_->Find(absl::StrCat(kArn, "x")).status()));
  EXPECT_TRUE(absl::IsNotFound(rds_->EnsureRunning("arn:aws:rds")));
}

TEST_F(ClustersTest, GiveTheMasterUserWhatRdsGives) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("SELECT current_database()"), "shop");
  EXPECT_EQ(AskAsMaster("CREATE TABLE t (x int)"), "CREATE TABLE");
  EXPECT_EQ(AskAsMaster("CREATE EXTENSION pgcrypto"), "CREATE EXTENSION");
  EXPECT_EQ(AskAsMaster("CREATE ROLE reader LOGIN PASSWORD 'read-only'"),
            "CREATE ROLE");
  EXPECT_EQ(AskAsMaster("CREATE DATABASE other"), "CREATE DATABASE");
  EXPECT_EQ(
      Ask({.user = "app", .password = "first-password", .database = "postgres"},
          "CREATE TABLE t (x int)"),
      "CREATE TABLE");
  EXPECT_EQ(AskAsMaster("SHOW is_superuser"), "off");
  EXPECT_EQ(AskAsMaster("SELECT pg_has_role('rds_superuser', 'member')"), "t");
  EXPECT_THAT(AskAsMaster("COPY t FROM PROGRAM 'echo 1'"),
              HasSubstr("permission denied"));
  EXPECT_EQ(
      Ask({.user = "reader", .password = "read-only"}, "SELECT current_user"),
      "reader");
}

TEST_F(ClustersTest, WantEveryonesPassword) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  for (const Login& login :
       {Login{.user = "app", .password = "wrong-password"},
        Login{.user = "app", .password = ""},
        Login{.user = postgres::kSuperuser, .password = ""},
        Login{.user = postgres::kSuperuser, .password = "first-password"},
        Login{.user = postgres::kSuperuser,
        .password = postgres::kPreparedPassword},
        Login{.user = "nobody", .password = "first-password"}}) {
    EXPECT_THAT(Ask(login, "SELECT 1"), HasSubstr("UNAUTHENTICATED"))
        << login.user;
  }
}

TEST_F(ClustersTest, ChangeThePasswordOfTheMasterUser) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  const Json::Value before = properties_;
  properties_["MasterUserPassword"] = "second-password";
  ASSERT_TRUE(provider_->Update(Request("orders"), before).ok());
  EXPECT_THAT(AskAsMaster("SELECT 1"), HasSubstr("UNAUTHENTICATED"));
  EXPECT_EQ(Ask({.user = "app", .password = "second-password"}, "SELECT 1"),
            "1");
}

TEST_F(ClustersTest, KeepAManagedPasswordInASecret) {
  properties_.removeMember("MasterUserPassword");
  properties_["ManageMasterUserPassword"] = true;
  const absl::StatusOr<ResourceState> state = provider_->Create(Request());
  ASSERT_TRUE(state.ok()) << state.status();
  ASSERT_THAT(secrets_.values, SizeIs(1));
  const auto& [arn, value] = *secrets_.values.begin();
  EXPECT_EQ(state->attributes.at("MasterUserSecret.SecretArn"), arn);
  EXPECT_THAT(arn, HasSubstr(":secret:rds!cluster-"));
  const Json::Value secret = *json::ParseValue(value);
  EXPECT_EQ(secret["username"], "app");
  EXPECT_EQ(Ask({.user = "app", .password = secret["password"].asString()},
                "SELECT 1"),
            "1");
  // It stays the same until the template says otherwise.
  ASSERT_TRUE(provider_->Update(Request("orders"), properties_).ok());
  EXPECT_THAT(secrets_.values, SizeIs(1));
  properties_["ManageMasterUserPassword"] = false;
  EXPECT_TRUE(absl::IsInvalidArgument(
      provider_->Update(Request("orders"), properties_).status()));
  properties_["MasterUserPassword"] = "first-password";
  ASSERT_TRUE(provider_->Update(Request("orders"), properties_).ok());
  EXPECT_THAT(secrets_.values, IsEmpty());
  EXPECT_EQ(AskAsMaster("SELECT 1"), "1");
}

TEST_F(ClustersTest, HaveALostSecretCreatedAgain) {
  Open(postgres::Keep::kData);
  properties_.removeMember("MasterUserPassword");
  properties_["ManageMasterUserPassword"] = true;
  ASSERT_TRUE(provider_->Create(Request()).ok());
  ASSERT_THAT(secrets_.values, SizeIs(1));
  const auto before = *secrets_.values.begin();
  ASSERT_TRUE(
      rds_->Run([](Rds& rds) { return rds.StopCluster("orders"); }).ok());
  Open(postgres::Keep::kData);
  EXPECT_EQ(note_, "");

  secrets_.values.clear();
  secrets_.failure = absl::InternalError("no secrets today");
  Open(postgres::Keep::kData);
  EXPECT_THAT(note_, HasSubstr("could not be created again; the next start "
                               "tries again: no secrets today"));
  secrets_.failure = absl::OkStatus();
  Open(postgres::Keep::kData);
  EXPECT_EQ(note_,
            "the secret with the master user's password of the cluster orders "
            "was missing and has been created again, with a new password");
  ASSERT_THAT(secrets_.values, SizeIs(1));
  const auto& [arn, value] = *secrets_.values.begin();
  EXPECT_EQ(arn, before.first);
  EXPECT_NE(value, before.second);
  EXPECT_EQ(rds_->Find(kArn)->status, "stopped");
  ASSERT_TRUE(
      rds_->Run([](Rds& rds) { return rds.StartCluster("orders"); }).ok());
  EXPECT_EQ(Ask({.user = "app",
                 .password = (*json::ParseValue(value))["password"].asString()},
                "SELECT 1"),
            "1");
}

TEST_F(ClustersTest, AreNotSaidToHaveTheirSecretAgainIfTheyAreLostToo) {
  Open(postgres::Keep::kData);
  properties_.removeMember("MasterUserPassword");
  properties_["ManageMasterUserPassword"] = true;
  ASSERT_TRUE(provider_->Create(Request()).ok());
  ASSERT_TRUE(
      rds_->Run([](Rds& rds) { return rds.StopCluster("orders"); }).ok());
  secrets_.values.clear();
  for (const auto& entry :
       std::filesystem::directory_iterator(folder_.path())) {
    std::filesystem::remove_all(entry);
  }
  Open(postgres::Keep::kData);
  EXPECT_EQ(note_, "");
  EXPECT_THAT(secrets_.values, IsEmpty());
}

TEST_F(ClustersTest, LeaveNothingIfTheyCannotBeCreated) {
  properties_.removeMember("MasterUserPassword");
  properties_["ManageMasterUserPassword"] = true;
  secrets_.failure = absl::InternalError("no secrets today");
  EXPECT_THAT(provider_->Create(Request()).status().ToString(),
              HasSubstr("no secrets today"));
  EXPECT_TRUE(absl::IsNotFound(rds_->Find(kArn).status()));
  secrets_.failure = absl::OkStatus();
  EXPECT_TRUE(provider_->Create(Request()).ok());
}

TEST_F(ClustersTest, AreProtectedAgainstDeletion) {
  properties_["DeletionProtection"] = true;
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_THAT(provider_->Delete(Request("orders")).ToString(),
              HasSubstr("Cannot delete protected Cluster"));
  EXPECT_EQ(AskAsMaster("SELECT 1"), "1");
  properties_["DeletionProtection"] = false;
  ASSERT_TRUE(provider_->Update(Request("orders"), properties_).ok());
  EXPECT_TRUE(provider_->Delete(Request("orders")).ok());
  EXPECT_TRUE(absl::IsNotFound(rds_->EnsureRunning(kArn)));
  // A missing one is not an error.
  EXPECT_TRUE(provider_->Delete(Request("orders")).ok());
}

TEST_F(ClustersTest, DeleteTheirDataWithThem) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(*provider_->DescribeData(Request("orders")), "");
  EXPECT_EQ(AskAsMaster("CREATE TABLE t (x int)"), "CREATE TABLE");
  EXPECT_EQ(*provider_->DescribeData(Request("orders")), "1 table");
  EXPECT_EQ(AskAsMaster("CREATE TABLE u (x int)"), "CREATE TABLE");
  EXPECT_EQ(*provider_->DescribeData(Request("orders")), "2 tables");
  ASSERT_TRUE(provider_->Delete(Request("orders")).ok());
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(*provider_->DescribeData(Request("orders")), "");
}

TEST_F(ClustersTest, AreThereAgainAfterARestart) {
  Open(postgres::Keep::kData);
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("CREATE TABLE t AS SELECT 7 AS x"), "SELECT 1");
  Open(postgres::Keep::kData);
  EXPECT_EQ(AskAsMaster("SELECT x FROM t"), "7");
  EXPECT_FALSE(*provider_->IsMissing(Request("orders")));
  EXPECT_TRUE((*provider_->Find(Request())).has_value());
}

TEST_F(ClustersTest, KeepTheDataOfAnInterruptedCreation) {
  Open(postgres::Keep::kData);
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("CREATE TABLE t AS SELECT 7 AS x"), "SELECT 1");
  // The folder is there, the record is not.
  std::unique_ptr<Store> empty = *OpenSqliteStore({});
  std::swap(store_, empty);
  Open(postgres::Keep::kData);
  EXPECT_TRUE(absl::IsNotFound(rds_->Find(kArn).status()));
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("SELECT x FROM t"), "7");
}

TEST_F(ClustersTest, AreMissingIfTheirDataIsGone) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  ASSERT_TRUE(
      servers_->Delete(*rds_->catalog().Find(kClusterKind, "orders")).ok());
  EXPECT_TRUE(*provider_->IsMissing(Request("orders")));
}

TEST_F(ClustersTest, DoNotSeeEachOther) {
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("CREATE ROLE helper"), "CREATE ROLE");
  properties_["DBClusterIdentifier"] = "bills";
  ASSERT_TRUE(provider_->Create(Request()).ok());
  const absl::StatusOr<Keywords> keywords =
      rds_->Connectable("arn:aws:rds:us-east-1:000000000000:cluster:bills",
                        {.user = "app", .password = "first-password"});
  ASSERT_TRUE(keywords.ok()) << keywords.status();
  const absl::StatusOr<std::unique_ptr<Connection>> connection =
      Connection::Connect({.keywords = *keywords});
  ASSERT_TRUE(connection.ok()) << connection.status();
  EXPECT_TRUE((*connection)->Execute("CREATE ROLE helper").ok());
}

TEST_F(ClustersTest, AreTakenUpByTheStackThatMadeThem) {
  properties_.removeMember("DBClusterIdentifier");
  const absl::StatusOr<ResourceState> state = provider_->Create(Request());
  ASSERT_TRUE(state.ok()) << state.status();
  EXPECT_EQ(state->physical_id, "demo-cluster-abcdefghijkl");
  EXPECT_EQ(*provider_->FindSuffix(Request()), "ABCDEFGHIJKL");
  properties_["DatabaseName"] = "another";
  EXPECT_EQ(*provider_->FindSuffix(Request()), std::nullopt);
}

TEST_F(ClustersTest, StopAndStart) {
  Open(postgres::Keep::kData);
  ASSERT_TRUE(provider_->Create(Request()).ok());
  EXPECT_EQ(AskAsMaster("CREATE TABLE t AS SELECT 7 AS x"), "SELECT 1");
  ASSERT_TRUE(
      rds_->Run([](Rds& rds) { return rds.StopCluster("orders"); }).ok());
  EXPECT_EQ(rds_->Find(kArn)->status, "stopped");
  EXPECT_TRUE(absl::IsFailedPrecondition(rds_->EnsureRunning(kArn)));
  EXPECT_THAT(AskAsMaster("SELECT 1"), HasSubstr("is in stopped state"));
  EXPECT_TRUE(absl::IsFailedPrecondition(
      provider_->Update(Request("orders"), properties_).status()));
  ASSERT_TRUE(
      rds_->Run([](Rds& rds) { return rds.StartCluster("orders"); }).ok());
  EXPECT_EQ(AskAsMaster("SELECT x FROM t"), "7");
}

}  // namespace
}  // namespace byoshin::local::rds

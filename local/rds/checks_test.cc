#include <json/json.h>

#include <string>

#include "absl/status/status.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/rds/cluster_checks.h"
#include "local/rds/password.h"

namespace byoshin::local::rds {
namespace {

using ::testing::HasSubstr;

absl::Status Check(const Json::Value& properties) {
  return CheckCluster(properties, MasterPassword::kNeeded);
}

Json::Value With(const char* name, const Json::Value& value) {
  Json::Value properties = *json::ParseValue(
      R"({"Engine":"aurora-postgresql","MasterUsername":"app",
          "MasterUserPassword":"a-password"})");
  if (value.isNull()) {
    properties.removeMember(name);
  } else {
    properties[name] = value;
  }
  return properties;
}

TEST(CheckCluster, AcceptsWhatIsComplete) {
  EXPECT_TRUE(Check(With("DatabaseName", "shop")).ok());
  EXPECT_TRUE(Check(With("BackupRetentionPeriod", "35")).ok());
  EXPECT_TRUE(Check(With("Engine", "postgres")).ok());
}

TEST(CheckCluster, SaysWhatIsWrong) {
  struct Case {
    const char* name;
    Json::Value value;
    const char* error;
  };
  const Json::Value scaling =
      *json::ParseValue(R"({"MinCapacity":2,"MaxCapacity":1})");
  const Json::Value odd =
      *json::ParseValue(R"({"MinCapacity":0.7,"MaxCapacity":1})");
  for (const Case& one : {
           Case{"Engine", "aurora-mysql", "has PostgreSQL only"},
           Case{"Engine", "", "has PostgreSQL only"},
           Case{"MasterUsername", Json::Value(), "must be provided"},
           Case{"MasterUsername", "rdsadmin", "reserved word"},
           Case{"MasterUsername", "pg_app", "reserved word"},
           Case{"MasterUsername", "1st", "must begin with a letter"},
           Case{"MasterUserPassword", Json::Value(), "must be provided"},
           Case{"MasterUserPassword", "short", "shorter than 8"},
           Case{"MasterUserPassword", "with space", "printable ASCII"},
           Case{"MasterUserPassword", std::string(129, 'x'), "longer than 128"},
           Case{"ManageMasterUserPassword", true, "can't specify"},
           Case{"DatabaseName", "a-b", "must begin with a letter"},
           Case{"DatabaseName", "template1", "reserved word"},
           Case{"BackupRetentionPeriod", 36, "between 1 and 35"},
           Case{"EnableHttpEndpoint", "maybe", "EnableHttpEndpoint"},
           Case{"ServerlessV2ScalingConfiguration", scaling, "MaxCapacity"},
           Case{"ServerlessV2ScalingConfiguration", odd, "steps of 0.5"},
       }) {
    const absl::Status status = Check(With(one.name, one.value));
    EXPECT_TRUE(absl::IsInvalidArgument(status)) << one.name << status;
    EXPECT_THAT(std::string(status.message()), HasSubstr(one.error));
  }
}

TEST(CheckCluster, NeedsNoPasswordOfAClusterThatHasOne) {
  EXPECT_TRUE(CheckCluster(With("MasterUserPassword", Json::Value()),
                           MasterPassword::kSet)
                  .ok());
  EXPECT_FALSE(
      CheckCluster(With("MasterUserPassword", "short"), MasterPassword::kSet)
          .ok());
}

TEST(CheckIdentifier, FollowsTheRulesOfRds) {
  for (const char* good : {"a", "orders", "Orders-2", "a-b-c"}) {
    EXPECT_TRUE(CheckIdentifier("DBClusterIdentifier", good).ok()) << good;
  }
  for (const std::string bad :
       {"", "1st", "-a", "a-", "a--b", "a_b", "a/b", "..", "é"}) {
    EXPECT_FALSE(CheckIdentifier("DBClusterIdentifier", bad).ok()) << bad;
  }
  EXPECT_TRUE(CheckIdentifier("X", std::string(63, 'a')).ok());
  EXPECT_FALSE(CheckIdentifier("X", std::string(64, 'a')).ok());
}

TEST(NewPassword, IsAllowedAndDiffersEachTime) {
  const std::string one = *NewPassword();
  EXPECT_TRUE(CheckMasterPassword(one).ok());
  EXPECT_NE(one, *NewPassword());
  EXPECT_GE(one.size(), 32);
}

}  // namespace
}  // namespace byoshin::local::rds

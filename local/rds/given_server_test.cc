// Clusters on a server that is there already.

#include "local/rds/given_server.h"

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/binaries.h"
#include "local/postgres/prepared.h"
#include "local/postgres/server.h"
#include "local/postgres_client/connection.h"
#include "local/rds/record.h"

namespace byoshin::local::rds {
namespace {

using postgres_client::Connection;
using ::testing::AllOf;
using ::testing::HasSubstr;

Record NamedCluster(const std::string& identifier) {
  return {.kind = kClusterKind,
          .identifier = identifier,
          .arn = absl::StrCat("arn:aws:rds:us-east-1:000000000000:cluster:",
                              identifier),
          .resource_id = "cluster-A",
          .properties = *json::ParseValue(
              R"({"DatabaseName":"shop","MasterUsername":"app"})")};
}

class GivenServerTest : public ::testing::Test {
 protected:
  GivenServerTest()
      : server_({.binaries = *postgres::FindBinaries(),
                 .folder = absl::StrCat(folder_.path(), "/server"),
                 .prepared = postgres::FindPrepared(*postgres::FindBinaries()),
                 .keep = postgres::Keep::kNothing}) {}

  std::string UrlOf(absl::string_view user, absl::string_view password) {
    const absl::StatusOr<postgres::ServerAddress> address =
        server_.EnsureRunning();
    if (!address.ok()) return address.status().ToString();
    return absl::StrCat("postgresql://", user, ":", password,
                        "@/postgres?host=", address->socket_folder);
  }
  std::unique_ptr<GivenServer> Open() {
    return *GivenServer::Open(
        UrlOf(postgres::kSuperuser, postgres::kPreparedPassword));
  }
  static std::string Ask(const absl::StatusOr<Keywords>& keywords,
                         const std::string& sql) {
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
  std::string AskAsSuperuser(const std::string& sql) {
    return Ask(Open()->AdministratorKeywords({}), sql);
  }

  const TestFolder folder_;
  postgres::Server server_;
  const Record orders_ = NamedCluster("orders");
  const Record bills_ = NamedCluster("bills");
};

TEST_F(GivenServerTest, HasADatabaseAndARoleForEachCluster) {
  const std::unique_ptr<GivenServer> given = Open();
  for (const Record& cluster : {orders_, bills_}) {
    const absl::Status created = given->Create(cluster, cluster.identifier);
    ASSERT_TRUE(created.ok()) << created;
    EXPECT_TRUE(*given->Exists(cluster));
    EXPECT_EQ(Ask(given->KeywordsFor(
                      cluster, {.user = "app", .password = cluster.identifier}),
                  "CREATE TABLE t (x int)"),
              "CREATE TABLE");
  }
  EXPECT_THAT(
      Ask(given->KeywordsFor(orders_, {.user = "app", .password = "bills"}),
          "SELECT 1"),
      HasSubstr("UNAUTHENTICATED"));
  EXPECT_EQ(AskAsSuperuser("SELECT string_agg(datname, ' ' ORDER BY datname) "
                           "FROM pg_database WHERE datname LIKE 'byoshin%'"),
            "byoshin_bills byoshin_orders");
  EXPECT_THAT(Ask(given->KeywordsFor(orders_, {.database = "other"}), ""),
              HasSubstr("database \"other\" does not exist"));
}

TEST_F(GivenServerTest, KeepsTheDataOfAnEarlierRun) {
  const Login login{.user = "app", .password = "second"};
  ASSERT_TRUE(Open()->Create(orders_, "first").ok());
  ASSERT_TRUE(Open()->SetMasterPassword(orders_, "second").ok());
  EXPECT_EQ(Ask(Open()->KeywordsFor(orders_, login),
                "CREATE TABLE t AS SELECT 7 AS x"),
            "SELECT 1");
  ASSERT_TRUE(Open()->Create(orders_, "second").ok());
  EXPECT_EQ(Ask(Open()->KeywordsFor(orders_, login), "SELECT x FROM t"), "7");
}

TEST_F(GivenServerTest, LeavesNothingOfADeletedCluster) {
  const std::unique_ptr<GivenServer> given = Open();
  ASSERT_TRUE(given->Create(orders_, "password").ok());
  // A client that is connected does not prevent it.
  const absl::StatusOr<std::unique_ptr<Connection>> client =
      Connection::Connect(
          {.keywords = *given->KeywordsFor(
               orders_, {.user = "app", .password = "password"})});
  ASSERT_TRUE(client.ok()) << client.status();
  const absl::Status deleted = given->Delete(orders_);
  EXPECT_TRUE(deleted.ok()) << deleted;
  EXPECT_FALSE(*given->Exists(orders_));
  EXPECT_EQ(AskAsSuperuser("SELECT count(*) FROM pg_roles WHERE rolname LIKE "
                           "'byoshin%'"),
            "0");
  EXPECT_TRUE(given->Delete(orders_).ok());
}

TEST_F(GivenServerTest, DoesNotTouchADatabaseOfOthers) {
  const std::unique_ptr<GivenServer> given = Open();
  EXPECT_EQ(AskAsSuperuser("CREATE DATABASE byoshin_orders"),
            "CREATE DATABASE");
  const absl::Status created = given->Create(orders_, "password");
  EXPECT_TRUE(absl::IsAlreadyExists(created));
  EXPECT_THAT(std::string(created.message()),
              HasSubstr("byoshin_orders that does not belong"));
  EXPECT_TRUE(given->Delete(orders_).ok());
  EXPECT_EQ(AskAsSuperuser("SELECT count(*) FROM pg_database WHERE datname = "
                           "'byoshin_orders'"),
            "1");
}

TEST_F(GivenServerTest, WorksWithAUserThatMayCreateRolesAndDatabases) {
  EXPECT_EQ(AskAsSuperuser("CREATE ROLE dev LOGIN CREATEDB CREATEROLE "
                           "PASSWORD 'dev'"),
            "CREATE ROLE");
  const std::unique_ptr<GivenServer> given =
      *GivenServer::Open(UrlOf("dev", "dev"));
  const absl::Status created = given->Create(orders_, "password");
  EXPECT_TRUE(created.ok()) << created;
  EXPECT_EQ(
      Ask(given->KeywordsFor(orders_, {.user = "app", .password = "password"}),
          "SELECT current_database()"),
      "byoshin_orders");
  const absl::Status deleted = given->Delete(orders_);
  EXPECT_TRUE(deleted.ok()) << deleted;
}

TEST_F(GivenServerTest, SaysWhatTheUserLacks) {
  EXPECT_EQ(AskAsSuperuser("CREATE ROLE dev LOGIN CREATEDB PASSWORD 'dev'"),
            "CREATE ROLE");
  const absl::Status roles =
      (*GivenServer::Open(UrlOf("dev", "dev")))->Create(orders_, "password");
  EXPECT_THAT(std::string(roles.message()),
              AllOf(HasSubstr("may not create roles;"),
                    HasSubstr("ALTER ROLE \"dev\" CREATEROLE")));
  EXPECT_EQ(AskAsSuperuser("ALTER ROLE dev NOCREATEDB"), "ALTER ROLE");
  const absl::Status both =
      (*GivenServer::Open(UrlOf("dev", "dev")))->Create(orders_, "password");
  EXPECT_THAT(std::string(both.message()),
              HasSubstr("may not create databases and roles"));
}

TEST_F(GivenServerTest, SaysWhyItCannotBeUsed) {
  const absl::Status password =
      (*GivenServer::Open(UrlOf(postgres::kSuperuser, "wrong")))
          ->Create(orders_, "password");
  EXPECT_THAT(std::string(password.message()),
              AllOf(HasSubstr("--postgres"), HasSubstr("authentication")));
  const absl::Status gone =
      (*GivenServer::Open("postgresql:///postgres?host=/no/such/folder"))
          ->Create(orders_, "password");
  EXPECT_TRUE(absl::IsUnavailable(gone));
  const absl::Status wrong = GivenServer::Open("mysql://x").status();
  EXPECT_TRUE(absl::IsInvalidArgument(wrong));
  EXPECT_THAT(std::string(wrong.message()), HasSubstr("--postgres"));
}

TEST(OnServer, HasNamesThatPostgreSqlAccepts) {
  Record cluster = NamedCluster("my-orders");
  EXPECT_EQ(DatabaseOnServer(cluster), "byoshin_my_orders");
  EXPECT_EQ(MasterUserOnServer(cluster), "byoshin_my_orders_app");
  cluster.identifier = std::string(63, 'a');
  const std::string one = DatabaseOnServer(cluster);
  cluster.identifier.back() = 'b';
  EXPECT_EQ(one.size(), 63);
  EXPECT_NE(one, DatabaseOnServer(cluster));
}

}  // namespace
}  // namespace byoshin::local::rds

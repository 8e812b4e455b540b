// Transactions, time-outs, secrets and the loss of the server.

#include <json/json.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <future>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/rdsdata/limits.h"
#include "local/rdsdata/testing/data_api_fixture.h"

namespace byoshin::local::rdsdata {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

class TransactionsTest : public DataApiTest {
 protected:
  TransactionsTest() {
    Execute("DROP TABLE IF EXISTS kept");
    Execute("CREATE TABLE kept (n int)");
  }
  std::string Kept() { return Records("SELECT n FROM kept ORDER BY n"); }

  // Returns once the server runs a statement with this text, which no other
  // test has.
  void AwaitRunning(const std::string& text) {
    while (Records(absl::StrCat(
               "SELECT 1 FROM pg_stat_activity WHERE state = 'active' "
               "AND pid <> pg_backend_pid() AND query LIKE '%",
               text, "%'")) == "[]") {
    }
  }
  void AwaitNotRunning(const std::string& text) {
    while (Records(absl::StrCat(
               "SELECT 1 FROM pg_stat_activity WHERE state = 'active' "
               "AND pid <> pg_backend_pid() AND query LIKE '%",
               text, "%'")) != "[]") {
    }
  }

  // Kills the server's main process, and the processes of its clients, which
  // would end a little later by themselves. Returns when all have ended.
  void KillServer() {
    std::vector<pid_t> pids = {clusters_->server().pid().value()};
    const Json::Value answer = Execute(
        "SELECT pid FROM pg_stat_activity "
        "WHERE backend_type = 'client backend'");
    for (const Json::Value& row : answer["records"]) {
      pids.push_back(static_cast<pid_t>(row[0]["longValue"].asInt64()));
    }
    for (const pid_t pid : pids) KillAndAwait(pid);
  }

 private:
  static void KillAndAwait(pid_t pid) {
    const int descriptor = static_cast<int>(syscall(SYS_pidfd_open, pid, 0));
    // One that has just ended by itself.
    if (descriptor < 0) return;
    kill(pid, SIGKILL);
    pollfd end = {descriptor, POLLIN, 0};
    EXPECT_EQ(poll(&end, 1, -1), 1);
    close(descriptor);
  }
};

constexpr char kOne[] = R"([[{"longValue":1}]])";

TEST_F(TransactionsTest, CommitsWhatItsStatementsDid) {
  const std::string id = Begin();
  EXPECT_EQ(In(id, "INSERT INTO kept VALUES (1)")["numberOfRecordsUpdated"], 1);
  EXPECT_EQ(Kept(), "[]");
  EXPECT_EQ(json::WriteValue(End("/CommitTransaction", id)),
            R"({"transactionStatus":"Transaction Committed"})");
  EXPECT_EQ(Kept(), kOne);
}

TEST_F(TransactionsTest, RollsBack) {
  const std::string id = Begin();
  In(id, "INSERT INTO kept VALUES (1)");
  EXPECT_EQ(json::WriteValue(End("/RollbackTransaction", id)),
            R"({"transactionStatus":"Rollback Complete"})");
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, AreNotFoundOnceTheyHaveEnded) {
  const std::string id = Begin();
  End("/CommitTransaction", id);
  const std::string error = absl::StrCat(
      "TransactionNotFoundException: Transaction ", id, " is not found");
  EXPECT_EQ(In(id, "SELECT 1"), error);
  EXPECT_EQ(End("/CommitTransaction", id), error);
  EXPECT_EQ(End("/RollbackTransaction", id), error);
}

TEST_F(TransactionsTest, RunABatch) {
  const std::string id = Begin();
  Json::Value request = Request(
      R"json({"sql": "INSERT INTO kept VALUES (:n)", "parameterSets": [
          [{"name": "n", "value": {"longValue": 1}}],
          [{"name": "n", "value": {"longValue": 2}}]]})json");
  request["transactionId"] = id;
  EXPECT_EQ(Call("/BatchExecute", request)["updateResults"].size(), 2);
  EXPECT_EQ(Kept(), "[]");
  End("/RollbackTransaction", id);
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, CanOnlyBeRolledBackAfterAnError) {
  const std::string id = Begin();
  In(id, "INSERT INTO kept VALUES (1)");
  EXPECT_THAT(In(id, "SELECT 1/0").asString(), HasSubstr("SQLState: 22012"));
  EXPECT_THAT(In(id, "SELECT 1").asString(), HasSubstr("SQLState: 25P02"));
  EXPECT_THAT(End("/CommitTransaction", id).asString(),
              HasSubstr("SQLState: 25P02"));
  EXPECT_THAT(End("/CommitTransaction", id).asString(), HasSubstr("not found"));
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, EndWithAStatementThatEndsThem) {
  const std::string id = Begin();
  In(id, "INSERT INTO kept VALUES (1)");
  In(id, "COMMIT");
  EXPECT_EQ(Kept(), kOne);
  EXPECT_THAT(In(id, "SELECT 1").asString(), HasSubstr("not found"));
}

TEST_F(TransactionsTest, BelongToTheirClusterSecretAndDatabase) {
  const std::string id = Begin();
  Execute("DROP ROLE IF EXISTS other");
  Execute("CREATE ROLE other LOGIN PASSWORD 'pw'");
  ASSERT_TRUE(
      secrets_.PutManaged("other", R"({"username":"other","password":"pw"})")
          .ok());
  Json::Value request = Sql("SELECT 1");
  request["transactionId"] = id;
  request["secretArn"] = "other";
  EXPECT_THAT(Call("/Execute", request).asString(),
              StartsWith("TransactionNotFoundException: "));
  request["secretArn"] = kTestSecret;
  request["database"] = "template1";
  EXPECT_EQ(Call("/Execute", request),
            "BadRequestException: Database name is not the same as "
            "transaction");
  request.removeMember("database");
  EXPECT_FALSE(Call("/Execute", request).isString());
  EXPECT_THAT(In("never begun", "SELECT 1").asString(),
              StartsWith("TransactionNotFoundException: "));
}

TEST_F(TransactionsTest, RunOneStatementAtATime) {
  const std::string id = Begin();
  Json::Value request = Sql("SELECT 'one at a time', pg_sleep(60)");
  request["transactionId"] = id;
  std::future<Answer> slow = Send("/Execute", request);
  AwaitRunning("one at a time");
  const std::string busy =
      "DatabaseErrorException: Transaction is still running a query";
  EXPECT_EQ(In(id, "SELECT 1"), busy);
  EXPECT_EQ(End("/CommitTransaction", id), busy);
  Execute(
      "SELECT pg_cancel_backend(pid) FROM pg_stat_activity "
      "WHERE query LIKE '%one at a time%' AND pid <> pg_backend_pid()");
  EXPECT_THAT(Read(slow.get()).asString(),
              HasSubstr("canceling statement due to user request; "
                        "SQLState: 57014"));
  EXPECT_FALSE(End("/RollbackTransaction", id).isString());
}

TEST_F(TransactionsTest, ExpireAfterThreeMinutesWithoutAStatement) {
  const std::string id = Begin();
  In(id, "INSERT INTO kept VALUES (1)");
  clock_.AdvanceBy(absl::Minutes(2));
  clock_.AwaitIdle();
  In(id, "LOCK TABLE kept");
  clock_.AdvanceBy(absl::Minutes(2));
  clock_.AwaitIdle();
  EXPECT_FALSE(In(id, "SELECT 1").isString());
  clock_.AdvanceBy(kTransactionIdleTimeout);
  clock_.AwaitIdle();
  EXPECT_THAT(In(id, "SELECT 1").asString(), HasSubstr("not found"));
  // Waits for the lock of the transaction, which is rolled back.
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, ExpireAfterADay) {
  const std::string id = Begin();
  for (absl::Duration age; age < kTransactionTimeout; age += absl::Minutes(2)) {
    ASSERT_FALSE(In(id, "SELECT 1").isString()) << age;
    clock_.AdvanceBy(absl::Minutes(2));
    clock_.AwaitIdle();
  }
  EXPECT_THAT(In(id, "SELECT 1").asString(), HasSubstr("not found"));
}

TEST_F(TransactionsTest, StatementsAreCanceledAfter45Seconds) {
  std::future<Answer> slow =
      Send("/Execute", Sql("SELECT 'too slow', pg_sleep(600)"));
  AwaitRunning("too slow");
  clock_.AdvanceBy(kStatementTimeout);
  const Answer answer = slow.get();
  EXPECT_EQ(Read(answer), "StatementTimeoutException: Request timed out");
  EXPECT_THAT(answer.body, HasSubstr("\"dbConnectionId\":"));
  AwaitNotRunning("too slow");
}

TEST_F(TransactionsTest, StatementsCanContinueAfter45Seconds) {
  // Waits for a lock, so that the test decides how long it takes.
  const std::string id = Begin();
  In(id, "LOCK TABLE kept");
  Json::Value request = Sql("INSERT INTO kept VALUES (1)");
  request["continueAfterTimeout"] = true;
  std::future<Answer> slow = Send("/Execute", request);
  AwaitRunning("INSERT INTO kept");
  clock_.AdvanceBy(kStatementTimeout);
  EXPECT_EQ(Read(slow.get()), "StatementTimeoutException: Request timed out");
  End("/RollbackTransaction", id);
  AwaitNotRunning("INSERT INTO kept");
  EXPECT_EQ(Kept(), kOne);
  request["transactionId"] = Begin();
  EXPECT_THAT(Call("/Execute", request).asString(),
              StartsWith("BadRequestException: "));
}

TEST_F(TransactionsTest, WaitForAConnectionIfAllAreInUse) {
  Open(1);
  const std::string id = Begin();
  std::future<Answer> statement = Send("/Execute", Sql("SELECT 1"));
  std::future<Answer> begin = Send("/BeginTransaction", Request());
  EXPECT_FALSE(In(id, "SELECT 2").isString());
  clock_.AdvanceBy(kConnectionWait - absl::Seconds(1));
  clock_.AwaitIdle();
  EXPECT_FALSE(End("/CommitTransaction", id).isString());
  EXPECT_FALSE(Read(statement.get()).isString());
  EXPECT_TRUE(Read(begin.get()).isMember("transactionId"));
}

TEST_F(TransactionsTest, WaitForAConnectionOnlySoLong) {
  constexpr int kConnections = 3;
  const std::string error =
      "StatementTimeoutException: Connection is not available, request timed "
      "out";
  Open(kConnections);
  std::vector<std::string> ids;
  for (int i = 0; i < kConnections; ++i) ids.push_back(Begin());
  std::vector<std::future<Answer>> waiting;
  waiting.push_back(Send("/Execute", Sql("SELECT 1")));
  waiting.push_back(Send("/BeginTransaction", Request()));
  waiting.push_back(
      Send("/BatchExecute",
           Request(R"json({"sql": "SELECT :n::int", "parameterSets": [
          [{"name": "n", "value": {"longValue": 1}}]]})json")));
  clock_.AdvanceBy(kConnectionWait - absl::Seconds(1));
  clock_.AwaitIdle();
  std::future<Answer> late = Send("/Execute", Sql("SELECT 1"));
  clock_.AdvanceBy(absl::Seconds(1));
  for (std::future<Answer>& call : waiting) {
    const Answer answer = call.get();
    EXPECT_EQ(Read(answer), error);
    EXPECT_THAT(answer.body, HasSubstr("\"dbConnectionId\":0"));
  }
  // Calls of the transactions need no other connection.
  std::string expected = "[";
  for (int i = 0; i < kConnections; ++i) {
    EXPECT_FALSE(In(ids[i], absl::StrCat("INSERT INTO kept VALUES (", i, ")"))
                     .isString());
    EXPECT_FALSE(End("/CommitTransaction", ids[i]).isString());
    absl::StrAppend(&expected, i == 0 ? "" : ",", "[{\"longValue\":", i, "}]");
  }
  EXPECT_FALSE(Read(late.get()).isString());
  EXPECT_EQ(Kept(), absl::StrCat(expected, "]"));
}

TEST_F(TransactionsTest, AnotherUserTakesThePlaceOfAnIdleConnection) {
  Execute("DROP ROLE IF EXISTS other");
  Execute("CREATE ROLE other LOGIN PASSWORD 'pw'");
  ASSERT_TRUE(
      secrets_.PutManaged("other", R"({"username":"other","password":"pw"})")
          .ok());
  Open(1);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(Records("SELECT current_user"),
              R"([[{"stringValue":"rdsadmin"}]])");
    Json::Value request = Sql("SELECT current_user");
    request["secretArn"] = "other";
    EXPECT_EQ(json::WriteValue(Call("/Execute", request)["records"]),
              R"([[{"stringValue":"other"}]])");
  }
}

TEST_F(TransactionsTest, LogInWithTheSecret) {
  const auto with_secret = [this](const std::string& name,
                                  const std::string& value) {
    EXPECT_TRUE(secrets_.PutManaged(name, value).ok());
    Json::Value request = Sql("SELECT 1");
    request["secretArn"] = name;
    return Call("/Execute", request).asString();
  };
  EXPECT_EQ(with_secret("wrong", R"({"username":"rdsadmin","password":"no"})"),
            "DatabaseErrorException: ERROR: password authentication failed "
            "for user \"rdsadmin\"; SQLState: 28P01");
  EXPECT_THAT(with_secret("text", "hello"),
              StartsWith("InvalidSecretException: "));
  EXPECT_THAT(with_secret("half", R"({"username":"rdsadmin"})"),
              StartsWith("InvalidSecretException: "));
  Json::Value request = Sql("SELECT 1");
  request["secretArn"] = "missing";
  EXPECT_EQ(Call("/Execute", request),
            "SecretsErrorException: Secrets Manager can't find the specified "
            "secret.");
  request = Sql("SELECT 1");
  request["database"] = "missing";
  EXPECT_EQ(Call("/Execute", request),
            "DatabaseErrorException: ERROR: database \"missing\" does not "
            "exist; SQLState: 3D000");
  // As PostgreSQL does, which has no such database here.
  request.removeMember("database");
  EXPECT_EQ(Call("/Execute", request),
            "DatabaseErrorException: ERROR: database \"rdsadmin\" does not "
            "exist; SQLState: 3D000");
}

TEST_F(TransactionsTest, NeedAClusterWithADataApi) {
  const rds::Cluster usual = *clusters_->Find(kTestCluster);
  const std::string not_enabled = absl::StrCat(
      "HttpEndpointNotEnabledException: HttpEndpoint is not enabled for "
      "resource ",
      kTestCluster);
  rds::Cluster cluster = usual;
  cluster.data_api_enabled = false;
  clusters_->Set(cluster);
  EXPECT_EQ(Error("SELECT 1"), not_enabled);
  EXPECT_EQ(Call("/BeginTransaction", Request()), not_enabled);
  cluster = usual;
  cluster.status = "stopped";
  clusters_->Set(cluster);
  EXPECT_THAT(Error("SELECT 1"), StartsWith("InvalidResourceStateException: "));
  clusters_->Set(usual);
  Json::Value request = Sql("SELECT 1");
  request["resourceArn"] = "arn:aws:rds:us-east-1:000000000000:cluster:other";
  EXPECT_THAT(Call("/Execute", request).asString(),
              StartsWith("HttpEndpointNotEnabledException: "));
}

TEST_F(TransactionsTest, RefuseWhatServerlessV2DoesNotSupport) {
  Json::Value request = Sql("SELECT 1");
  request["schema"] = "public";
  EXPECT_EQ(Call("/Execute", request),
            "ValidationException: Schema parameter isn't supported");
  EXPECT_THAT(Call("/ExecuteSql", Request()).asString(),
              StartsWith("BadRequestException: ExecuteSql is deprecated"));
  EXPECT_THAT(Call("/Execute", Request()).asString(),
              StartsWith("ValidationException: "));
  EXPECT_THAT(Error(std::string(65537, ' ')),
              StartsWith("ValidationException: "));
  EXPECT_THAT(Call("/Nothing", Request()).asString(),
              StartsWith("UnknownOperationException: "));
}

TEST_F(TransactionsTest, StatementsRunAgainAfterTheServerWasKilled) {
  // Several idle connections.
  std::vector<std::string> ids = {Begin(), Begin(), Begin()};
  for (const std::string& id : ids) End("/CommitTransaction", id);
  KillServer();
  EXPECT_EQ(Records("SELECT 1"), kOne);
  KillServer();
  const std::string id = Begin();
  EXPECT_FALSE(In(id, "SELECT 1").isString());
  EXPECT_FALSE(End("/CommitTransaction", id).isString());
}

TEST_F(TransactionsTest, AreLostWithTheServer) {
  const std::string id = Begin();
  const std::string other = Begin();
  In(id, "INSERT INTO kept VALUES (1)");
  std::future<Answer> slow =
      Send("/Execute", Sql("SELECT 'killed', pg_sleep(600)"));
  AwaitRunning("killed");
  KillServer();
  EXPECT_THAT(Read(slow.get()).asString(),
              StartsWith("DatabaseUnavailableException: The connection to the "
                         "database was lost while the statement ran"));
  EXPECT_THAT(In(id, "SELECT 1").asString(),
              StartsWith("DatabaseUnavailableException: The connection to the "
                         "database was lost, and the transaction was rolled "
                         "back"));
  EXPECT_THAT(End("/CommitTransaction", other).asString(),
              StartsWith("DatabaseUnavailableException: "));
  EXPECT_THAT(In(id, "SELECT 1").asString(), HasSubstr("not found"));
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, EndWithTheDataApi) {
  const std::string id = Begin();
  In(id, "LOCK TABLE kept");
  std::future<Answer> slow =
      Send("/Execute", Sql("SELECT 'drained', pg_sleep(600)"));
  AwaitRunning("drained");
  api_->Drain(absl::ZeroDuration());
  EXPECT_THAT(Read(slow.get()).asString(), HasSubstr("57014"));
  Open(kMaxConnections);
  // Waits for the lock of the transaction, which is rolled back.
  EXPECT_EQ(Kept(), "[]");
}

TEST_F(TransactionsTest, EndEvenIfAStatementDoesNot) {
  std::future<Answer> slow =
      Send("/Execute", Sql("SELECT 'abandoned', pg_sleep(600)"));
  AwaitRunning("abandoned");
  Open(kMaxConnections);
  EXPECT_THROW(slow.get(), std::future_error);
  EXPECT_EQ(Records("SELECT 1"), kOne);
}

}  // namespace
}  // namespace byoshin::local::rdsdata

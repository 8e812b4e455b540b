#include "local/postgres_client/connection.h"

#include <chrono>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "local/files/testing/test_folder.h"
#include "local/postgres/binaries.h"
#include "local/postgres/server.h"
#include "local/postgres_client/event_loop.h"
#include "local/postgres_client/session.h"

namespace byoshin::local::postgres_client {
namespace {

using ::testing::HasSubstr;

class ConnectionTest : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TestFolder;
    server_ =
        new postgres::Server({.binaries = *postgres::FindBinaries(),
                              .folder = absl::StrCat(folder_->path(), "/s"),
                              .superuser_password = "pw",
                              .keep = postgres::Keep::kNothing});
  }
  static void TearDownTestSuite() {
    delete std::exchange(server_, nullptr);
    delete std::exchange(folder_, nullptr);
  }

  static ConnectOptions Options() {
    const postgres::ServerAddress address = *server_->EnsureRunning();
    return {.keywords = {{"host", address.socket_folder},
                         {"port", absl::StrCat(address.port)},
                         {"user", postgres::kSuperuser},
                         {"password", "pw"},
                         {"dbname", "postgres"}}};
  }
  static std::unique_ptr<Connection> Connect() {
    return *Connection::Connect(Options());
  }

  static inline TestFolder* folder_ = nullptr;
  static inline postgres::Server* server_ = nullptr;
};

TEST_F(ConnectionTest, ReturnsRowsAndColumns) {
  const auto db = Connect();
  const absl::StatusOr<Result> result =
      db->Execute("SELECT $1::int + 1 AS n, $2::text, NULL::numeric(8,2) AS p",
                  {{.value = "7"}, {.value = "é"}});
  ASSERT_TRUE(result.ok()) << result.status();
  EXPECT_EQ(result->rows(), 1);
  EXPECT_EQ(result->columns(), 3);
  EXPECT_EQ(result->Text(0, 0), "8");
  EXPECT_EQ(result->Text(0, 1), "é");
  EXPECT_TRUE(result->IsNull(0, 2));
  EXPECT_EQ(result->column(0).name, "n");
  EXPECT_EQ(result->column(0).type, 23);
  EXPECT_EQ(result->column(2).type_modifier, (8 << 16 | 2) + 4);
  EXPECT_EQ(result->command(), "SELECT 1");
}

TEST_F(ConnectionTest, CountsChangedRows) {
  const auto db = Connect();
  ASSERT_TRUE(db->ExecuteScript("CREATE TEMP TABLE t (n int); "
                                "INSERT INTO t VALUES (1), (2)")
                  .ok());
  EXPECT_EQ(db->Execute("UPDATE t SET n = 0")->affected_rows(), 2);
}

TEST_F(ConnectionTest, RunsPreparedStatements) {
  const auto db = Connect();
  ASSERT_TRUE(db->Prepare("twice", "SELECT 2 * $1", {23}).ok());
  EXPECT_EQ(db->ExecutePrepared("twice", {{.value = "4"}})->Text(0, 0), "8");
  EXPECT_EQ(SqlStateOf(db->ExecutePrepared("missing").status()), "26000");
}

TEST_F(ConnectionTest, ReportsWhatTheServerSays) {
  const auto db = Connect();
  const absl::Status status = db->Execute("SELECT * FROM missing").status();
  EXPECT_TRUE(absl::IsInvalidArgument(status)) << status;
  EXPECT_THAT(
      status.message(),
      HasSubstr("relation \"missing\" does not exist (SQLSTATE 42P01)"));
  const std::optional<ServerError> error = ServerErrorOf(status);
  ASSERT_TRUE(error.has_value());
  EXPECT_EQ(error->severity, "ERROR");
  EXPECT_EQ(error->position, 15);
  EXPECT_FALSE(ServerErrorOf(absl::InternalError("other")).has_value());
  EXPECT_EQ(SqlStateOf(absl::OkStatus()), "");
}

TEST_F(ConnectionTest, TellsWhyItCannotConnect) {
  ConnectOptions options = Options();
  options.keywords["password"] = "wrong";
  EXPECT_TRUE(absl::IsUnauthenticated(Connection::Connect(options).status()));
  options = Options();
  options.keywords["user"] = "nobody_known";
  EXPECT_TRUE(absl::IsUnauthenticated(Connection::Connect(options).status()));
  options = Options();
  options.keywords["dbname"] = "missing";
  EXPECT_TRUE(absl::IsNotFound(Connection::Connect(options).status()));
  options = Options();
  options.keywords["host"] = "/nonexistent";
  EXPECT_TRUE(absl::IsUnavailable(Connection::Connect(options).status()));
}

TEST_F(ConnectionTest, NeverTakesADatabaseForAConnectionString) {
  ConnectOptions options = Options();
  options.keywords["dbname"] = "dbname=postgres host=/nonexistent";
  const absl::Status status = Connection::Connect(options).status();
  EXPECT_TRUE(absl::IsNotFound(status)) << status;
}

TEST_F(ConnectionTest, TakesAUrl) {
  const ConnectOptions keywords = Options();
  const absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Connect(
      {.url = absl::StrCat(
           "postgres:///template1?host=", keywords.keywords.at("host"),
           "&user=", postgres::kSuperuser, "&password=pw")});
  ASSERT_TRUE(db.ok()) << db.status();
  EXPECT_EQ((*db)->Execute("SELECT current_database()")->Text(0, 0),
            "template1");
}

// For the thread sanitizer: libpq must not share anything between connections.
TEST_F(ConnectionTest, ThreadsConnectAtTheSameTime) {
  const ConnectOptions options = Options();
  std::vector<std::future<absl::Status>> threads;
  for (int i = 0; i < 8; ++i) {
    threads.push_back(std::async(std::launch::async, [&options] {
      absl::Status status;
      for (int j = 0; j < 10; ++j) {
        status.Update(Connection::Connect(options).status());
      }
      return status;
    }));
  }
  for (std::future<absl::Status>& thread : threads) {
    EXPECT_TRUE(thread.get().ok());
  }
}

TEST_F(ConnectionTest, QuotesNamesAndTexts) {
  const auto db = Connect();
  EXPECT_EQ(db->QuoteIdentifier("a\"b"), "\"a\"\"b\"");
  EXPECT_EQ(db->QuoteLiteral("it's"), "'it''s'");
}

TEST_F(ConnectionTest, KeepsNotices) {
  const auto db = Connect();
  ASSERT_TRUE(
      db->ExecuteScript("DO $$ BEGIN RAISE NOTICE 'hello'; END $$").ok());
  const std::vector<ServerError> notices = db->TakeNotices();
  ASSERT_EQ(notices.size(), 1);
  EXPECT_EQ(notices[0].message, "hello");
  EXPECT_TRUE(db->TakeNotices().empty());
}

TEST_F(ConnectionTest, SessionsRunAndAreCanceled) {
  const auto loop = *EventLoop::Start();
  const std::shared_ptr<Session> session = Session::Make(*loop, Connect());
  const auto run = [&session](const Statement& statement) {
    auto promise = std::make_shared<std::promise<Outcome>>();
    std::future<Outcome> outcome = promise->get_future();
    session->Execute(statement, [promise](Outcome given) {
      promise->set_value(std::move(given));
    });
    return outcome;
  };
  Outcome outcome = run({.sql = "SELECT $1::int",
                         .sets = {{{.value = "1"}}, {{.value = "2"}}}})
                        .get();
  ASSERT_TRUE(outcome.status.ok()) << outcome.status;
  ASSERT_EQ(outcome.results.size(), 2);
  EXPECT_EQ(outcome.results[1].Text(0, 0), "2");
  std::future<Outcome> slow = run({.sql = "SELECT pg_sleep(600)"});
  // The statement may not have begun when the first request arrives.
  while (slow.wait_for(std::chrono::milliseconds(1)) !=
         std::future_status::ready) {
    EXPECT_TRUE(session->MakeCanceller().Cancel().ok());
  }
  EXPECT_EQ(SqlStateOf(slow.get().status), "57014");
  EXPECT_EQ(run({.sql = "BEGIN"}).get().transaction, TransactionState::kOpen);
  EXPECT_EQ(run({.sql = "SELECT 1/0"}).get().transaction,
            TransactionState::kFailed);
}

TEST_F(ConnectionTest, ASessionTellsThatItsConnectionIsLost) {
  const auto loop = *EventLoop::Start();
  std::promise<void> lost;
  const std::shared_ptr<Session> session =
      Session::Make(*loop, Connect(), [&lost] { lost.set_value(); });
  ASSERT_TRUE(Connect()
                  ->Execute(absl::StrCat("SELECT pg_terminate_backend(",
                                         session->backend_pid(), ")"))
                  .ok());
  lost.get_future().wait();
  EXPECT_TRUE(session->broken());
  std::promise<Outcome> outcome;
  session->Execute({.sql = "SELECT 1"}, [&outcome](Outcome given) {
    outcome.set_value(std::move(given));
  });
  EXPECT_TRUE(outcome.get_future().get().never_run);
}

TEST_F(ConnectionTest, ASessionEndsWithAResultThatIsTooLarge) {
  const auto loop = *EventLoop::Start();
  const std::shared_ptr<Session> session = Session::Make(*loop, Connect());
  std::promise<Outcome> outcome;
  session->Execute(
      {.sql = "SELECT repeat('x', 1000), "
              "generate_series(1, 100000000)",
       .max_received_bytes = 1000000},
      [&outcome](Outcome given) { outcome.set_value(std::move(given)); });
  EXPECT_TRUE(absl::IsResourceExhausted(outcome.get_future().get().status));
  EXPECT_TRUE(session->broken());
}

}  // namespace
}  // namespace byoshin::local::postgres_client

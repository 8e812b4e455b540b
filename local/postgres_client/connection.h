// A connection to PostgreSQL: libpq with owners for what it allocates, and
// absl::Status for what it reports.
//
//   absl::StatusOr<std::unique_ptr<Connection>> db = Connection::Connect(
//       {.keywords = {{"host", socket_folder}, {"user", "postgres"}}});
//   if (!db.ok()) return db.status();
//   const absl::StatusOr<Result> rows = (*db)->Execute(
//       "SELECT name FROM users WHERE id = $1", {{.value = "7"}});
//   if (SqlStateOf(rows.status()) == "42P01") return CreateTables();
//   if (!rows.ok()) return rows.status();
//   for (int row = 0; row < rows->rows(); ++row) Print(rows->Text(row, 0));
//
// Names of roles and databases can't be parameters:
//
//   (*db)->Execute(absl::StrCat("CREATE ROLE ", (*db)->QuoteIdentifier(name)));
#ifndef BYOSHIN_LOCAL_POSTGRES_CLIENT_CONNECTION_H_
#define BYOSHIN_LOCAL_POSTGRES_CLIENT_CONNECTION_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/postgres_client/result.h"

// libpq's own types.
struct pg_cancel;
struct pg_conn;

namespace byoshin::local::postgres_client {

// Keywords and values as in a libpq connection string: {"host", "/run/pg"}.
using Keywords = std::map<std::string, std::string>;

struct ConnectOptions {
  // "postgres://user@host:5432/database", or a connection string of keywords;
  // empty if there is none. `keywords` replace its parts.
  std::string url{};
  Keywords keywords{};
  // For each address that a host name has. libpq counts whole seconds, and two
  // at least.
  absl::Duration timeout = absl::Seconds(10);
};

// A value for $1, $2, ... of a statement.
struct Parameter {
  // NULL if there is none.
  std::optional<std::string> value{};
  // The type's OID; 0 if PostgreSQL should infer it from the statement.
  Oid type = 0;
  enum class Format { kText = 0, kBinary = 1 } format = Format::kText;
};

// Cancels what a connection runs, from any thread. May outlive the connection.
class Canceller {
 public:
  // Connects to the server for this, and blocks until it has received the
  // request. The canceled statement fails with SQLSTATE 57014, unless it
  // was done before. OK does not mean that anything was running.
  absl::Status Cancel() const;

 private:
  friend class Connection;
  struct Free {
    void operator()(pg_cancel* cancel) const;
  };
  explicit Canceller(pg_cancel* cancel) : cancel_(cancel) {}

  std::unique_ptr<pg_cancel, Free> cancel_;
};

// Used by one thread at a time, except where noted.
//
// Errors of the server have a ServerError (local/postgres_client/result.h). A
// connection that was lost is Unavailable and has none; broken() is then true.
class Connection {
 public:
  // Blocks. Unauthenticated if the server refuses the user or the password,
  // NotFound if there is no such database, Unavailable if the server can't be
  // reached or is starting or stopping.
  static absl::StatusOr<std::unique_ptr<Connection>> Connect(
      const ConnectOptions& options);

  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection();

  // Runs one statement and blocks until it is done.
  absl::StatusOr<Result> Execute(const std::string& sql,
                                 const std::vector<Parameter>& parameters = {});

  // Runs one or more statements, separated by semicolons, without parameters.
  // The result is that of the last one.
  absl::StatusOr<Result> ExecuteScript(const std::string& sql);

  // Prepares a statement under a name. Parameters that are not in `types` have
  // the type that PostgreSQL infers.
  absl::Status Prepare(const std::string& name, const std::string& sql,
                       const std::vector<Oid>& types = {});
  // The types of the parameters are those of the prepared statement.
  absl::StatusOr<Result> ExecutePrepared(
      const std::string& name, const std::vector<Parameter>& parameters = {});

  // With quotation marks, safe to insert into SQL text.
  std::string QuoteIdentifier(absl::string_view name) const;
  std::string QuoteLiteral(absl::string_view text) const;

  // For canceling from another thread.
  Canceller MakeCanceller() const;

  // What the server has said besides results, since the last call.
  std::vector<ServerError> TakeNotices() { return std::move(notices_); }

  // The connection is lost and can't be used again.
  bool broken() const;
  // The process on the server, as in pg_stat_activity.
  int backend_pid() const;
  // "17.5": the server's setting of this name, of those that it reports
  // (server_version, TimeZone, client_encoding, ...); empty if it does not.
  std::string Setting(const std::string& name) const;

  // libpq's connection, for what this class lacks.
  pg_conn* handle() const { return connection_; }

 private:
  explicit Connection(pg_conn* connection) : connection_(connection) {}

  // The result that libpq returned, which is null if it could not send.
  absl::StatusOr<Result> Take(pg_result* result) const;

  pg_conn* connection_;
  std::vector<ServerError> notices_;
};

}  // namespace byoshin::local::postgres_client

#endif  // BYOSHIN_LOCAL_POSTGRES_CLIENT_CONNECTION_H_

// The result of a statement, and the server's errors.
#ifndef BYOSHIN_LOCAL_POSTGRES_CLIENT_RESULT_H_
#define BYOSHIN_LOCAL_POSTGRES_CLIENT_RESULT_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

// libpq's own type.
struct pg_result;

namespace byoshin::local::postgres_client {

// The number that PostgreSQL gives to a type or a table.
using Oid = std::uint32_t;

// What the server says of an error or a notice.
// https://www.postgresql.org/docs/17/protocol-error-fields.html
struct ServerError {
  std::string severity{};   // "ERROR", "FATAL", "NOTICE"
  std::string sql_state{};  // "42P01"
  std::string message{};
  std::string detail{};
  std::string hint{};
  // Where in the statement, counted in characters from 1; 0 if not known.
  int position = 0;
};

// The error as a status: its code follows from the SQLSTATE, its message is
// "ERROR: relation \"x\" does not exist (SQLSTATE 42P01)", with detail and
// hint.
absl::Status StatusOf(const ServerError& error);

// What StatusOf() was given; none if the status is not an error of the server.
std::optional<ServerError> ServerErrorOf(const absl::Status& status);

// "42P01"; empty if the status is not an error of the server.
std::string SqlStateOf(const absl::Status& status);

// What the server said in a result of libpq's.
ServerError ErrorOf(const pg_result* result);

// A column of a result.
struct Column {
  std::string name{};
  Oid type = 0;
  // As in pg_attribute.atttypmod: -1 if the type has none.
  int type_modifier = -1;
  // Bytes; negative if the size varies.
  int type_size = 0;
  // The table and the number of its column; 0 if it is an expression.
  Oid table = 0;
  int table_column = 0;
};

// Rows of text in memory. Thread-safe if const.
class Result {
 public:
  // Takes what libpq returned, of which it is the owner. Errors are as those of
  // Connection.
  static absl::StatusOr<Result> From(pg_result* result);

  int rows() const;
  int columns() const;
  Column column(int column) const;

  bool IsNull(int row, int column) const;
  // The value as PostgreSQL prints it; empty if it is NULL. Lives as long as
  // the result.
  absl::string_view Text(int row, int column) const;

  // Of INSERT, UPDATE, DELETE and the like, those changed; of SELECT, those
  // returned; else 0.
  std::int64_t affected_rows() const;
  // "INSERT 0 1", "SELECT 3", "CREATE TABLE".
  absl::string_view command() const;

 private:
  struct Free {
    void operator()(pg_result* result) const;
  };
  explicit Result(pg_result* result) : result_(result) {}

  std::unique_ptr<pg_result, Free> result_;
};

}  // namespace byoshin::local::postgres_client

#endif  // BYOSHIN_LOCAL_POSTGRES_CLIENT_RESULT_H_

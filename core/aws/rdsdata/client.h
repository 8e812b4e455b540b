// The part of the RDS Data API that Byoshin's functions call: SQL over HTTP,
// for Aurora.
//
//   absl::StatusOr<ExecuteStatementResult> result = client.ExecuteStatement(
//       {.database = {.resource_arn = cluster, .secret_arn = secret,
//                     .name = "app"},
//        .sql = "SELECT title FROM goals WHERE id = :id",
//        .parameters = {{.name = "id", .value = id, .hint = TypeHint::kUuid}},
//        .repetition = Repetition::kHarmless},
//       deadline);
//   if (!result.ok()) return result.status();
//   const std::string* title = result->records.at(0).at(0).text();
//
// JsonClient (json_client.h) speaks the wire protocol itself.
#ifndef BYOSHIN_CORE_AWS_RDSDATA_CLIENT_H_
#define BYOSHIN_CORE_AWS_RDSDATA_CLIENT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"

namespace byoshin::aws::rdsdata {

// AWS's limit on one statement, unless it is continued after the timeout.
inline constexpr absl::Duration kStatementTimeout = absl::Seconds(45);
// AWS ends a transaction that had no call for this long.
inline constexpr absl::Duration kTransactionIdleTimeout = absl::Minutes(3);

struct Blob {
  std::string bytes{};

  friend bool operator==(const Blob&, const Blob&) = default;
};

// A value of a column or a parameter. The constructors prevent a string literal
// from becoming a bool and integers from being ambiguous.
class Field {
 public:
  using Array = std::vector<Field>;
  using Value = std::variant<std::monostate, bool, int64_t, double, std::string,
                             Blob, Array>;

  Field() = default;                                      // NULL
  Field(bool value) : value_(value) {}                    // NOLINT: implicit
  Field(int value) : value_(int64_t{value}) {}            // NOLINT: implicit
  Field(int64_t value) : value_(value) {}                 // NOLINT: implicit
  Field(double value) : value_(value) {}                  // NOLINT: implicit
  Field(const char* text) : value_(std::string(text)) {}  // NOLINT: implicit
  Field(absl::string_view text)                           // NOLINT: implicit
      : value_(std::string(text)) {}
  Field(std::string text) : value_(std::move(text)) {}  // NOLINT: implicit
  Field(Blob blob) : value_(std::move(blob)) {}         // NOLINT: implicit
  // Only in results: the Data API does not accept array parameters.
  Field(Array array) : value_(std::move(array)) {}  // NOLINT: implicit

  bool is_null() const {
    return std::holds_alternative<std::monostate>(value_);
  }
  // Each is nullptr if the value has another type.
  const bool* boolean() const { return std::get_if<bool>(&value_); }
  const int64_t* integer() const { return std::get_if<int64_t>(&value_); }
  const double* number() const { return std::get_if<double>(&value_); }
  const std::string* text() const { return std::get_if<std::string>(&value_); }
  const Blob* blob() const { return std::get_if<Blob>(&value_); }
  const Array* array() const { return std::get_if<Array>(&value_); }

  const Value& value() const { return value_; }

  friend bool operator==(const Field&, const Field&) = default;

 private:
  Value value_;
};

// How a parameter that is a text is to be understood.
enum class TypeHint { kNone, kDate, kDecimal, kJson, kTime, kTimestamp, kUuid };

// A named parameter, ":name" in the statement.
struct Parameter {
  std::string name{};
  Field value{};
  TypeHint hint = TypeHint::kNone;
};

// Where a statement runs, and as whom.
struct Database {
  std::string resource_arn{};  // of the cluster
  std::string secret_arn{};    // with user name and password
  // Both may be empty: the cluster's default database, and its search path.
  std::string name{};
  std::string schema{};
};

enum class ResultFormat {
  kRecords,  // ExecuteStatementResult::records
  kJson,     // ExecuteStatementResult::formatted_records
};

struct ExecuteStatementRequest {
  Database database{};
  std::string sql{};
  std::vector<Parameter> parameters{};
  // Empty: the statement is a transaction of its own.
  std::string transaction_id{};
  bool include_result_metadata = false;
  // For DDL: the statement goes on after kStatementTimeout.
  bool continue_after_timeout = false;
  ResultFormat format = ResultFormat::kRecords;
  // kHarmless for reads, and for changes that are the same when made twice.
  Repetition repetition = Repetition::kHarmful;
};

struct Column {
  std::string name{};
  std::string label{};
  std::string type_name{};  // PostgreSQL's: "int8"
  bool nullable = true;
};

struct ExecuteStatementResult {
  std::vector<std::vector<Field>> records{};
  // If metadata were asked for.
  std::vector<Column> columns{};
  int64_t records_updated = 0;
  // A JSON array of objects, for ResultFormat::kJson.
  std::string formatted_records{};
};

struct BatchExecuteStatementRequest {
  Database database{};
  std::string sql{};
  // The statement runs once for each set.
  std::vector<std::vector<Parameter>> parameter_sets{};
  std::string transaction_id{};
  Repetition repetition = Repetition::kHarmful;
};

// The transaction to be ended.
struct EndTransactionRequest {
  std::string resource_arn{};
  std::string secret_arn{};
  std::string transaction_id{};
};

// Calls the Data API. Not thread-safe.
//
// Errors are those of aws::ToStatus(), where an error of the database
// (DatabaseErrorException) has a code that follows from its SQLSTATE; see
// sql_state.h:
//   AlreadyExists       23505: a unique key exists
//   FailedPrecondition  other violated constraints (23...)
//   Aborted             40...: serialization failure or deadlock; the
//                       transaction may succeed when begun again
//   DeadlineExceeded    57014: the statement was cancelled
//   ResourceExhausted   53...: too many connections, disk or memory full
//   Unavailable         08..., 57P...: the database is stopping or starting
//   InvalidArgument     any other: the statement is wrong
// Unavailable, ResourceExhausted, Aborted, DeadlineExceeded and DataLoss are
// worth another try of the whole piece of work, if it may be done twice: after
// Unavailable, DeadlineExceeded and DataLoss it may have been done.
class Client {
 public:
  Client() = default;
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  virtual ~Client() = default;

  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_ExecuteStatement.html
  virtual absl::StatusOr<ExecuteStatementResult> ExecuteStatement(
      const ExecuteStatementRequest& request, absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_BatchExecuteStatement.html
  virtual absl::Status BatchExecuteStatement(
      const BatchExecuteStatementRequest& request, absl::Time deadline) = 0;

  // The transaction's id.
  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_BeginTransaction.html
  virtual absl::StatusOr<std::string> BeginTransaction(const Database& database,
                                                       absl::Time deadline) = 0;

  // After Unavailable, DeadlineExceeded or DataLoss the transaction may be
  // committed or not.
  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_CommitTransaction.html
  virtual absl::Status CommitTransaction(const EndTransactionRequest& request,
                                         absl::Time deadline) = 0;

  // https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_RollbackTransaction.html
  virtual absl::Status RollbackTransaction(const EndTransactionRequest& request,
                                           absl::Time deadline) = 0;
};

}  // namespace byoshin::aws::rdsdata

#endif  // BYOSHIN_CORE_AWS_RDSDATA_CLIENT_H_

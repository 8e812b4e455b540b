// SQL over the RDS Data API, as the stores use it: parameters with types, rows
// with checks, transactions.
//
//   SqlDatabase database(client, {.resource_arn = cluster, …});
//   absl::StatusOr<SqlRows> rows = database.Run(
//       {.sql = "SELECT title FROM goals WHERE id = :id",
//        .parameters = {UuidParameter("id", id)},
//        .repetition = aws::Repetition::kHarmless},
//       deadline);
//
// Values are only ever passed as parameters.
#ifndef BYOSHIN_CORE_GENERATION_SQL_H_
#define BYOSHIN_CORE_GENERATION_SQL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/rdsdata/client.h"

namespace byoshin::generation {

using SqlParameters = std::vector<aws::rdsdata::Parameter>;

aws::rdsdata::Parameter TextParameter(absl::string_view name,
                                      absl::string_view value);
aws::rdsdata::Parameter IntParameter(absl::string_view name,
                                     std::int64_t value);
aws::rdsdata::Parameter UuidParameter(absl::string_view name,
                                      absl::string_view value);
aws::rdsdata::Parameter JsonParameter(absl::string_view name,
                                      absl::string_view json);
// To the millisecond, in UTC.
aws::rdsdata::Parameter TimeParameter(absl::string_view name, absl::Time time);

// Reads the columns of a row from left to right. After a column of another type
// every read returns an empty value, and status() is DataLoss.
class SqlRow {
 public:
  explicit SqlRow(const std::vector<aws::rdsdata::Field>& fields)
      : fields_(fields) {}

  std::string Text();
  // Empty if the column is NULL.
  std::string TextOrEmpty();
  std::int64_t Int();
  bool Bool();
  absl::Time Time();
  std::optional<absl::Time> OptionalTime();

  const absl::Status& status() const { return status_; }
  // For values that the caller could not understand.
  void Refuse(absl::string_view why);

 private:
  // nullptr after an error.
  const aws::rdsdata::Field* Next();

  const std::vector<aws::rdsdata::Field>& fields_;
  std::size_t next_ = 0;
  absl::Status status_;
};

struct SqlStatement {
  std::string sql{};
  SqlParameters parameters{};
  // kHarmless for reads, and for changes that are the same when made twice.
  aws::Repetition repetition = aws::Repetition::kHarmful;
  // Empty: the statement is a transaction of its own.
  std::string transaction_id{};
};

using SqlRows = aws::rdsdata::ExecuteStatementResult;

// Not thread-safe. The client must outlive it.
class SqlDatabase {
 public:
  SqlDatabase(aws::rdsdata::Client& client, aws::rdsdata::Database database)
      : client_(client), database_(std::move(database)) {}

  absl::StatusOr<SqlRows> Run(const SqlStatement& statement,
                              absl::Time deadline);

  // Runs a statement once for each set of parameters.
  absl::Status RunBatch(const std::string& sql,
                        std::vector<SqlParameters> parameter_sets,
                        const std::string& transaction_id, absl::Time deadline);

  // Commits if `work` returns true, rolls back if it returns false or an error;
  // returns what it returned, or why the commit failed.
  absl::StatusOr<bool> InTransaction(
      absl::FunctionRef<absl::StatusOr<bool>(const std::string& id)> work,
      absl::Time deadline);

 private:
  aws::rdsdata::Client& client_;
  const aws::rdsdata::Database database_;
};

}  // namespace byoshin::generation

#endif  // BYOSHIN_CORE_GENERATION_SQL_H_

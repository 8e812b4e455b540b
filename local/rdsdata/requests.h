// The requests of the Data API.
#ifndef BYOSHIN_LOCAL_RDSDATA_REQUESTS_H_
#define BYOSHIN_LOCAL_RDSDATA_REQUESTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/gateway/service.h"
#include "local/postgres_client/session.h"
#include "local/rdsdata/records.h"

namespace byoshin::local::rdsdata {

// What all operations have.
struct Target {
  std::string resource_arn{};
  // An ARN or a name.
  std::string secret_arn{};
  // Empty if the request names none.
  std::string database{};
  // Empty if the request is not part of a transaction.
  std::string transaction_id{};
};

// ExecuteStatement and BatchExecuteStatement.
struct StatementRequest {
  Target target{};
  postgres_client::Statement statement{};
  bool include_metadata = false;
  bool continue_after_timeout = false;
  enum class Format { kFields, kJson } format = Format::kFields;
  RecordOptions records{};
};

// Errors are those of the Data API.

// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_ExecuteStatement.html
absl::StatusOr<StatementRequest> ReadExecute(const Call& call);
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_BatchExecuteStatement.html
absl::StatusOr<StatementRequest> ReadBatch(const Call& call);
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_BeginTransaction.html
absl::StatusOr<Target> ReadBegin(const Call& call);
// CommitTransaction and RollbackTransaction.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_CommitTransaction.html
absl::StatusOr<Target> ReadEnd(const Call& call);

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_REQUESTS_H_

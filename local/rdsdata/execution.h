// A statement that is being executed for a client, from the connection to the
// answer.
#ifndef BYOSHIN_LOCAL_RDSDATA_EXECUTION_H_
#define BYOSHIN_LOCAL_RDSDATA_EXECUTION_H_

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/result.h"
#include "local/postgres_client/session.h"
#include "local/rdsdata/column_type.h"
#include "local/rdsdata/connections.h"
#include "local/rdsdata/data_api.h"
#include "local/rdsdata/deadlines.h"
#include "local/rdsdata/requests.h"

namespace byoshin::local::rdsdata {

// Its steps follow each other, on different threads; only the deadline comes at
// any time. Kept alive by the callback of the current step.
class Execution : public std::enable_shared_from_this<Execution> {
 public:
  enum class Kind { kSingle, kBatch };

  Execution(DataApi& api, Kind kind, StatementRequest request,
            DataApi::Answered answered);
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;
  ~Execution();

  void Start();
  // Cancels what runs on the server. Thread-safe.
  void Cancel();
  // The end of the Data API: lets go of the connection, without an answer.
  void Abandon();

 private:
  // A connection, of the transaction or from the pool.
  void TakeConnection();
  void Taken(absl::StatusOr<LeasePointer> lease);
  void Run();
  void Ran(postgres_client::Outcome outcome);
  // What the answer needs besides the result: the types of its columns, and
  // where they come from.
  void FindTypes();
  void FoundType(Oid type, const postgres_client::Outcome& outcome);
  void FindOrigins();
  void Write(const postgres_client::Result* origins);

  void TimeOut();
  absl::Status ErrorFor(const absl::Status& status);
  void CancelLocked() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // Returns the connection.
  void Release();
  // Only the first answer counts.
  void Answer(absl::StatusOr<std::string> answer);
  void Finish(absl::StatusOr<std::string> answer);

  DataApi& api_;
  const Kind kind_;
  const StatementRequest request_;
  LoginKey key_{};
  LeasePointer lease_{};
  std::vector<postgres_client::Result> results_{};
  std::vector<ColumnType> types_{};
  // Of the session, after the last statement.
  postgres_client::TransactionState state_ =
      postgres_client::TransactionState::kNone;

  sync::Mutex mutex_;
  DataApi::Answered answered_ ABSL_GUARDED_BY(mutex_);
  // Of the lease.
  std::shared_ptr<postgres_client::Session> session_ ABSL_GUARDED_BY(mutex_);
  Deadlines::Id deadline_ ABSL_GUARDED_BY(mutex_) = 0;
  bool timed_out_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_EXECUTION_H_

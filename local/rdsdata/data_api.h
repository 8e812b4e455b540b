// The RDS Data API: SQL statements over HTTP, on the clusters of the cloud.
//
//   absl::StatusOr<std::unique_ptr<DataApi>> api =
//       DataApi::Open({.clusters = clusters, .secrets = secrets}, clock);
//   (*api)->ExecuteStatement(request, [](absl::StatusOr<std::string> answer) {
//     ...  // {"records":[[{"longValue":1}]],"numberOfRecordsUpdated":0}
//   });
#ifndef BYOSHIN_LOCAL_RDSDATA_DATA_API_H_
#define BYOSHIN_LOCAL_RDSDATA_DATA_API_H_

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/async/workers.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/postgres_client/event_loop.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/connections.h"
#include "local/rdsdata/deadlines.h"
#include "local/rdsdata/requests.h"
#include "local/rdsdata/transactions.h"
#include "local/secretsmanager/secrets.h"

namespace byoshin::local::rdsdata {

class Execution;

// Thread-safe. No operation blocks: the answer, as JSON, is given to a
// callback, on any thread. Errors are those of the Data API.
class DataApi {
 public:
  struct Parts {
    // Both must outlive this.
    rds::Clusters& clusters;
    const secretsmanager::Secrets& secrets;
    int max_connections = kMaxConnections;
  };
  using Answered = std::function<void(absl::StatusOr<std::string> json)>;

  static absl::StatusOr<std::unique_ptr<DataApi>> Open(const Parts& parts,
                                                       time::Clock& clock);
  DataApi(const DataApi&) = delete;
  DataApi& operator=(const DataApi&) = delete;
  // There must be no new calls. What still runs is not answered.
  ~DataApi();

  void ExecuteStatement(StatementRequest request, Answered answered);
  void BatchExecuteStatement(StatementRequest request, Answered answered);
  void BeginTransaction(const Target& target, Answered answered);
  void CommitTransaction(const Target& target, Answered answered);
  void RollbackTransaction(const Target& target, Answered answered);

  // Rolls back transactions that nobody uses, and waits at most `limit` for
  // statements that run; then cancels them.
  void Drain(absl::Duration limit);

 private:
  friend class Execution;

  DataApi(const Parts& parts, time::Clock& clock,
          std::unique_ptr<postgres_client::EventLoop> loop);

  // Who calls, by the secret; also checks the cluster.
  absl::StatusOr<LoginKey> FindLogin(const Target& target) const;
  void EndTransaction(const Target& target, const char* sql, Answered answered);
  void Began(const LoginKey& key, absl::StatusOr<LeasePointer> lease,
             Answered answered);
  void Ended(const char* sql, const postgres_client::Outcome& outcome,
             const Answered& answered);

  // Of the executions that are under way.
  void Add(Execution* execution);
  void Remove(Execution* execution);

  const Parts parts_;
  time::Clock& clock_;
  // Before what it calls.
  const std::unique_ptr<postgres_client::EventLoop> loop_;
  async::Workers workers_;
  Deadlines deadlines_;
  Connections connections_;
  Transactions transactions_;
  sync::Mutex mutex_;
  sync::Condition changed_;
  std::set<Execution*> executions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_DATA_API_H_

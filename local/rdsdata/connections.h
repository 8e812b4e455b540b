// Connections to clusters, which are kept for the next statement.
//
//   connections.Take(login, [&](absl::StatusOr<LeasePointer> lease) {
//     if (!lease.ok()) return Answer(lease.status());
//     (*lease)->session->Execute(statement, [&, lease](Outcome outcome) {
//       connections.Return(*lease, outcome.transaction);
//     });
//   });
#ifndef BYOSHIN_LOCAL_RDSDATA_CONNECTIONS_H_
#define BYOSHIN_LOCAL_RDSDATA_CONNECTIONS_H_

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "core/async/workers.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/event_loop.h"
#include "local/postgres_client/session.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/column_type.h"
#include "local/rdsdata/deadlines.h"
#include "local/rdsdata/limits.h"

namespace byoshin::local::rdsdata {

inline constexpr char kRollback[] = "ROLLBACK";

// Who connects to what. Connections are shared only among those who know the
// password.
struct LoginKey {
  std::string cluster_arn{};
  std::string user{};
  std::string password{};
  std::string database{};

  auto operator<=>(const LoginKey&) const = default;
};

// A connection in use. Belongs to one thread at a time.
struct Lease {
  LoginKey key{};
  std::shared_ptr<postgres_client::Session> session{};
  // Types that the database has besides PostgreSQL's own.
  std::map<Oid, ColumnType> types{};
};
using LeasePointer = std::shared_ptr<Lease>;

// Thread-safe.
class Connections {
 public:
  using Taken = std::function<void(absl::StatusOr<LeasePointer> lease)>;

  // All must outlive this.
  struct Parts {
    rds::Clusters& clusters;
    postgres_client::EventLoop& loop;
    async::Workers& workers;
    Deadlines& deadlines;
    time::Clock& clock;
  };

  explicit Connections(const Parts& parts,
                       int max_per_cluster = kMaxConnections)
      : parts_(parts), max_per_cluster_(max_per_cluster) {}
  Connections(const Connections&) = delete;
  Connections& operator=(const Connections&) = delete;

  // Calls `taken` with a connection: with an idle one, on the calling thread;
  // else with a new one, later, on another thread. Beyond the maximum, calls
  // wait for their turn, at most kConnectionWait. Errors are those of the Data
  // API.
  void Take(const LoginKey& key, Taken taken);

  // Takes a connection back, whose transaction is in this state, and resets it:
  // an open transaction is rolled back.
  void Return(LeasePointer lease, postgres_client::TransactionState state);

  // Closes the connections that nobody uses.
  void CloseIdle();

 private:
  struct Waiter {
    std::uint64_t id = 0;
    LoginKey key{};
    Taken taken{};
    Deadlines::Id deadline = 0;
  };
  struct Cluster {
    // In use, idle, or being opened or reset.
    int open = 0;
    // The one that was used last comes last.
    std::list<LeasePointer> idle{};
    // The one that has waited longest comes first.
    std::list<Waiter> waiters{};
  };

  void Wait(const LoginKey& key, Taken taken)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // The waiter whose turn it is. There must be one.
  Waiter NextWaiter(Cluster& cluster) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);
  // It has waited too long.
  void TimeOut(const std::string& cluster_arn, std::uint64_t waiter);
  // Opens a connection, which is counted already.
  void Open(const LoginKey& key, Taken taken);
  absl::StatusOr<LeasePointer> Connect(const LoginKey& key);
  absl::StatusOr<std::unique_ptr<postgres_client::Connection>> TryToConnect(
      const LoginKey& key);
  // Removes it from returning_.
  LeasePointer TakeReturning(const Lease* lease);
  // The connection is as new: for whoever waits, or idle.
  void Keep(LeasePointer lease);
  // The connection is no longer counted.
  void Drop(const std::string& cluster_arn);
  // Called when an idle connection is lost.
  void Forget(const std::string& cluster_arn,
              const postgres_client::Session* session);

  const Parts parts_;
  const int max_per_cluster_;
  sync::Mutex mutex_;
  std::uint64_t last_waiter_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<std::string, Cluster> by_cluster_ ABSL_GUARDED_BY(mutex_);
  // Being reset. Kept here and not by their callbacks, which may never be
  // called at a stop: the session would keep itself.
  std::map<const Lease*, LeasePointer> returning_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_CONNECTIONS_H_

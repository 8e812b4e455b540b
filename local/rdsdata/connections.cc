#include "local/rdsdata/connections.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <list>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/connection.h"
#include "local/postgres_client/session.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/deadlines.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::Connection;
using postgres_client::Outcome;
using postgres_client::Session;
using postgres_client::TransactionState;

// Ends what a statement may have left in the session: settings, temporary
// tables, prepared statements, locks.
// https://www.postgresql.org/docs/17/sql-discard.html
constexpr char kReset[] = "DISCARD ALL";

constexpr char kApplicationName[] = "RDS Data API";

// Between attempts to connect, in real time: one second in all.
constexpr absl::Duration kFirstPause = absl::Milliseconds(5);
constexpr absl::Duration kLastPause = absl::Milliseconds(640);

// The session's settings to which a reset returns. statement_timeout limits
// statements in real time even while the cloud's time is simulated.
std::string SessionOptions() {
  return absl::StrCat(
      "-c TimeZone=UTC -c DateStyle=ISO -c IntervalStyle=postgres "
      "-c bytea_output=hex -c statement_timeout=",
      absl::ToInt64Milliseconds(kStatementTimeout));
}

}  // namespace

void Connections::Take(const LoginKey& key, Taken taken) {
  LeasePointer idle;
  LeasePointer evicted;
  {
    const sync::MutexLock lock(mutex_);
    Cluster& cluster = by_cluster_[key.cluster_arn];
    for (auto i = cluster.idle.rbegin(); i != cluster.idle.rend(); ++i) {
      if ((*i)->key != key) continue;
      idle = *i;
      cluster.idle.erase(std::next(i).base());
      break;
    }
    if (idle == nullptr && cluster.open >= max_per_cluster_) {
      if (cluster.idle.empty()) {
        return Wait(key, std::move(taken));
      }
      // Makes room by closing what was not used for the longest time.
      evicted = std::move(cluster.idle.front());
      cluster.idle.pop_front();
      --cluster.open;
    }
    if (idle == nullptr) ++cluster.open;
  }
  if (idle != nullptr) return taken(std::move(idle));
  Open(key, std::move(taken));
}

void Connections::Wait(const LoginKey& key, Taken taken) {
  const std::uint64_t id = ++last_waiter_;
  const Deadlines::Id deadline = parts_.deadlines.At(
      parts_.clock.Now() + kConnectionWait,
      [this, arn = key.cluster_arn, id] { TimeOut(arn, id); });
  by_cluster_[key.cluster_arn].waiters.push_back(
      {.id = id, .key = key, .taken = std::move(taken), .deadline = deadline});
}

Connections::Waiter Connections::NextWaiter(Cluster& cluster) {
  Waiter waiter = std::move(cluster.waiters.front());
  cluster.waiters.pop_front();
  parts_.deadlines.Cancel(waiter.deadline);
  return waiter;
}

void Connections::TimeOut(const std::string& cluster_arn,
                          std::uint64_t waiter) {
  std::list<Waiter> timed_out;
  {
    const sync::MutexLock lock(mutex_);
    std::list<Waiter>& waiters = by_cluster_[cluster_arn].waiters;
    const auto found =
        std::find_if(waiters.begin(), waiters.end(),
                     [&](const Waiter& other) { return other.id == waiter; });
    // Its turn has come since the deadline was reached.
    if (found == waiters.end()) return;
    timed_out.splice(timed_out.end(), waiters, found);
  }
  timed_out.front().taken(ConnectionTimeout());
}

void Connections::Open(const LoginKey& key, Taken taken) {
  parts_.workers.Do([this, key, taken = std::move(taken)] {
    absl::StatusOr<LeasePointer> lease = Connect(key);
    if (!lease.ok()) Drop(key.cluster_arn);
    taken(std::move(lease));
  });
}

absl::StatusOr<std::unique_ptr<Connection>> Connections::TryToConnect(
    const LoginKey& key) {
  absl::StatusOr<rds::Keywords> keywords = parts_.clusters.Connectable(
      key.cluster_arn,
      {.user = key.user, .password = key.password, .database = key.database});
  if (!keywords.ok()) return keywords.status();
  std::string& options = (*keywords)["options"];
  options = options.empty() ? SessionOptions()
                            : absl::StrCat(options, " ", SessionOptions());
  (*keywords)["application_name"] = kApplicationName;
  (*keywords)["client_encoding"] = "UTF8";
  return Connection::Connect({.keywords = *std::move(keywords)});
}

absl::StatusOr<LeasePointer> Connections::Connect(const LoginKey& key) {
  absl::StatusOr<std::unique_ptr<Connection>> connection = TryToConnect(key);
  // A server that was killed refuses connections for a moment, until that is
  // noticed and it is started again.
  for (absl::Duration pause = kFirstPause;
       absl::IsUnavailable(connection.status()) && pause <= kLastPause;
       pause *= 2) {
    absl::SleepFor(pause);
    connection = TryToConnect(key);
  }
  if (!connection.ok()) return FromConnecting(connection.status());
  auto lease = std::make_shared<Lease>();
  lease->key = key;
  lease->session = Session::Make(
      parts_.loop, *std::move(connection),
      [this, arn = key.cluster_arn, weak = std::weak_ptr<Lease>(lease)] {
        if (const LeasePointer lost = weak.lock()) {
          Forget(arn, lost->session.get());
        }
      });
  return lease;
}

void Connections::Return(LeasePointer lease, TransactionState state) {
  if (state == TransactionState::kUnknown || lease->session->broken()) {
    const std::string arn = lease->key.cluster_arn;
    lease = nullptr;
    return Drop(arn);
  }
  // Held, since the callbacks may end its last owner.
  const std::shared_ptr<Session> session = lease->session;
  const Lease* const returned = lease.get();
  {
    const sync::MutexLock lock(mutex_);
    returning_.emplace(returned, std::move(lease));
  }
  if (state != TransactionState::kNone) {
    session->ExecuteScript(kRollback, [this, returned](const Outcome& outcome) {
      // Another failure would never end: the connection is closed.
      Return(TakeReturning(returned), outcome.status.ok()
                                          ? outcome.transaction
                                          : TransactionState::kUnknown);
    });
    return;
  }
  session->ExecuteScript(kReset, [this, returned](const Outcome& outcome) {
    LeasePointer reset = TakeReturning(returned);
    if (!outcome.status.ok()) return Drop(reset->key.cluster_arn);
    Keep(std::move(reset));
  });
}

LeasePointer Connections::TakeReturning(const Lease* lease) {
  const sync::MutexLock lock(mutex_);
  return std::move(returning_.extract(lease).mapped());
}

void Connections::Keep(LeasePointer lease) {
  Waiter waiter;
  {
    const sync::MutexLock lock(mutex_);
    Cluster& cluster = by_cluster_[lease->key.cluster_arn];
    if (cluster.waiters.empty()) {
      cluster.idle.push_back(std::move(lease));
      return;
    }
    waiter = NextWaiter(cluster);
  }
  if (waiter.key == lease->key) return waiter.taken(std::move(lease));
  // Its place is another's.
  lease = nullptr;
  Open(waiter.key, std::move(waiter.taken));
}

void Connections::Drop(const std::string& cluster_arn) {
  Waiter waiter;
  {
    const sync::MutexLock lock(mutex_);
    Cluster& cluster = by_cluster_[cluster_arn];
    if (cluster.waiters.empty()) {
      --cluster.open;
      return;
    }
    waiter = NextWaiter(cluster);
  }
  Open(waiter.key, std::move(waiter.taken));
}

void Connections::Forget(const std::string& cluster_arn,
                         const Session* session) {
  LeasePointer forgotten;
  const sync::MutexLock lock(mutex_);
  Cluster& cluster = by_cluster_[cluster_arn];
  for (auto i = cluster.idle.begin(); i != cluster.idle.end(); ++i) {
    if ((*i)->session.get() != session) continue;
    forgotten = std::move(*i);
    cluster.idle.erase(i);
    --cluster.open;
    return;
  }
}

void Connections::CloseIdle() {
  std::list<LeasePointer> closed;
  const sync::MutexLock lock(mutex_);
  for (auto& [arn, cluster] : by_cluster_) {
    cluster.open -= static_cast<int>(cluster.idle.size());
    closed.splice(closed.end(), cluster.idle);
  }
}

}  // namespace byoshin::local::rdsdata

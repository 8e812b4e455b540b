#include "local/rdsdata/data_api.h"

#include <json/json.h>

#include <chrono>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/event_loop.h"
#include "local/postgres_client/session.h"
#include "local/rds/clusters.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/execution.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::EventLoop;
using postgres_client::Outcome;
using postgres_client::TransactionState;

// A new connection takes milliseconds, but a server that has to be started, or
// to recover, seconds.
constexpr int kWorkerThreads = 4;
// For statements to end once they are canceled.
constexpr absl::Duration kCancelGrace = absl::Seconds(2);

constexpr char kBegin[] = "BEGIN";
constexpr char kCommit[] = "COMMIT";

constexpr char kCommitted[] = "Transaction Committed";
constexpr char kRolledBack[] = "Rollback Complete";

constexpr char kAvailable[] = "available";

std::string JsonObject(const char* key, const std::string& value) {
  json::Writer json;
  json.Open('{').Key(key).String(value).Close('}');
  return json.Take();
}

}  // namespace

absl::StatusOr<std::unique_ptr<DataApi>> DataApi::Open(const Parts& parts,
                                                       time::Clock& clock) {
  absl::StatusOr<std::unique_ptr<EventLoop>> loop = EventLoop::Start();
  if (!loop.ok()) return loop.status();
  return std::unique_ptr<DataApi>(new DataApi(parts, clock, *std::move(loop)));
}

DataApi::DataApi(const Parts& parts, time::Clock& clock,
                 std::unique_ptr<EventLoop> loop)
    : parts_(parts),
      clock_(clock),
      loop_(std::move(loop)),
      workers_(kWorkerThreads),
      deadlines_(clock),
      connections_({.clusters = parts.clusters,
                    .loop = *loop_,
                    .workers = workers_,
                    .deadlines = deadlines_,
                    .clock = clock},
                   parts.max_connections),
      transactions_(connections_, deadlines_, clock) {}

DataApi::~DataApi() {
  // In this order, each may still use the next; afterwards nothing runs.
  deadlines_.Stop();
  workers_.Drop();
  loop_->Stop();
  std::vector<std::shared_ptr<Execution>> left;
  {
    const sync::MutexLock lock(mutex_);
    for (Execution* execution : executions_) {
      if (auto kept = execution->weak_from_this().lock()) {
        left.push_back(std::move(kept));
      }
    }
  }
  for (const std::shared_ptr<Execution>& execution : left) {
    execution->Abandon();
  }
}

void DataApi::Add(Execution* execution) {
  const sync::MutexLock lock(mutex_);
  executions_.insert(execution);
}

void DataApi::Remove(Execution* execution) {
  const sync::MutexLock lock(mutex_);
  executions_.erase(execution);
  changed_.NotifyAll();
}

absl::StatusOr<LoginKey> DataApi::FindLogin(const Target& target) const {
  const absl::StatusOr<rds::Cluster> cluster =
      parts_.clusters.Find(target.resource_arn);
  if (!cluster.ok() || !cluster->data_api_enabled) {
    return HttpEndpointNotEnabled(target.resource_arn);
  }
  if (!cluster->status.empty() && cluster->status != kAvailable) {
    return InvalidResourceState(absl::StrCat(
        "The DB cluster ", cluster->identifier, " is ", cluster->status));
  }
  const absl::StatusOr<std::string> secret =
      parts_.secrets.CurrentValue(target.secret_arn);
  if (!secret.ok()) return SecretsError(secret.status().message());
  const absl::StatusOr<Json::Value> value = json::ParseValue(*secret);
  const std::string user =
      value.ok() ? json::TextMember(*value, "username") : "";
  const std::string password =
      value.ok() ? json::TextMember(*value, "password") : "";
  if (user.empty() || password.empty()) {
    return InvalidSecret(
        "The secret must be a JSON object with the members username and "
        "password");
  }
  // PostgreSQL's default is the user's name.
  return LoginKey{.cluster_arn = target.resource_arn,
                  .user = user,
                  .password = password,
                  .database = target.database.empty() ? user : target.database};
}

void DataApi::ExecuteStatement(StatementRequest request, Answered answered) {
  std::make_shared<Execution>(*this, Execution::Kind::kSingle,
                              std::move(request), std::move(answered))
      ->Start();
}

void DataApi::BatchExecuteStatement(StatementRequest request,
                                    Answered answered) {
  std::make_shared<Execution>(*this, Execution::Kind::kBatch,
                              std::move(request), std::move(answered))
      ->Start();
}

void DataApi::BeginTransaction(const Target& target, Answered answered) {
  const absl::StatusOr<LoginKey> key = FindLogin(target);
  if (!key.ok()) return answered(key.status());
  connections_.Take(*key, [this, key = *key, answered = std::move(answered)](
                              absl::StatusOr<LeasePointer> lease) {
    Began(key, std::move(lease), answered);
  });
}

void DataApi::Began(const LoginKey& key, absl::StatusOr<LeasePointer> lease,
                    Answered answered) {
  if (!lease.ok()) return answered(lease.status());
  (*lease)->session->ExecuteScript(kBegin, [this, key, lease = *lease,
                                            answered = std::move(answered)](
                                               const Outcome& outcome) {
    if (outcome.status.ok()) {
      return answered(JsonObject("transactionId", transactions_.Add(lease)));
    }
    connections_.Return(lease, outcome.transaction);
    if (!outcome.never_run) return answered(FromPostgres(outcome.status));
    // The server has ended since the connection was used last.
    connections_.Take(
        key, [this, key, answered](absl::StatusOr<LeasePointer> other) {
          Began(key, std::move(other), answered);
        });
  });
}

void DataApi::CommitTransaction(const Target& target, Answered answered) {
  EndTransaction(target, kCommit, std::move(answered));
}

void DataApi::RollbackTransaction(const Target& target, Answered answered) {
  EndTransaction(target, kRollback, std::move(answered));
}

void DataApi::EndTransaction(const Target& target, const char* sql,
                             Answered answered) {
  absl::StatusOr<LoginKey> key = FindLogin(target);
  if (!key.ok()) return answered(key.status());
  key->database = "";
  const absl::StatusOr<LeasePointer> lease =
      transactions_.Take(target.transaction_id, *key);
  if (!lease.ok()) return answered(lease.status());
  (*lease)->session->ExecuteScript(
      sql, [this, sql, id = target.transaction_id,
            answered = std::move(answered)](const Outcome& outcome) {
        // Also a commit that failed has ended it.
        transactions_.Return(id, outcome.transaction);
        Ended(sql, outcome, answered);
      });
}

void DataApi::Ended(const char* sql, const Outcome& outcome,
                    const Answered& answered) {
  const bool commit = sql == kCommit;
  if (!outcome.status.ok()) {
    return answered(outcome.never_run
                        ? DatabaseUnavailable(
                              "The connection to the database was lost, and "
                              "the transaction was rolled back")
                        : FromPostgres(outcome.status));
  }
  // PostgreSQL answers a commit after an error with a rollback.
  if (commit && outcome.results.back().command() != kCommit) {
    return answered(DatabaseError(
        "ERROR: current transaction is aborted, and was rolled back; "
        "SQLState: 25P02"));
  }
  answered(JsonObject("transactionStatus", commit ? kCommitted : kRolledBack));
}

void DataApi::Drain(absl::Duration limit) {
  transactions_.RollBackAll();
  const auto now = std::chrono::steady_clock::now();
  const auto end = now + absl::ToChronoMilliseconds(limit);
  const sync::MutexLock lock(mutex_);
  while (!executions_.empty() &&
         changed_.WaitUntil(mutex_, end) == std::cv_status::no_timeout) {
  }
  for (Execution* execution : executions_) execution->Cancel();
  const auto last = std::chrono::steady_clock::now() +
                    absl::ToChronoMilliseconds(kCancelGrace);
  while (!executions_.empty() &&
         changed_.WaitUntil(mutex_, last) == std::cv_status::no_timeout) {
  }
}

}  // namespace byoshin::local::rdsdata

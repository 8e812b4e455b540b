// The transactions that BeginTransaction has started.
// https://docs.aws.amazon.com/rdsdataservice/latest/APIReference/API_BeginTransaction.html
#ifndef BYOSHIN_LOCAL_RDSDATA_TRANSACTIONS_H_
#define BYOSHIN_LOCAL_RDSDATA_TRANSACTIONS_H_

#include <map>
#include <string>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/postgres_client/session.h"
#include "local/rdsdata/connections.h"
#include "local/rdsdata/deadlines.h"

namespace byoshin::local::rdsdata {

// Thread-safe. A transaction that is not used for three minutes, or is older
// than a day, is rolled back.
class Transactions {
 public:
  // All must outlive this.
  Transactions(Connections& connections, Deadlines& deadlines,
               time::Clock& clock)
      : connections_(connections), deadlines_(deadlines), clock_(clock) {}
  Transactions(const Transactions&) = delete;
  Transactions& operator=(const Transactions&) = delete;

  // Keeps a transaction that has begun on this connection; returns its id.
  std::string Add(LeasePointer lease);

  // The connection of a transaction, which is in use until Return(). `key` is
  // who asks for it; it must be who began it, except that its database may be
  // empty. TransactionNotFoundException, or DatabaseErrorException if it is in
  // use already.
  absl::StatusOr<LeasePointer> Take(const std::string& id, const LoginKey& key);

  // The statement is done, and the session's transaction is in this state. If
  // it has ended, so has the transaction.
  void Return(const std::string& id, postgres_client::TransactionState state);

  // Rolls back all that are not in use.
  void RollBackAll();

 private:
  struct Transaction {
    LeasePointer lease{};
    absl::Time begun{};
    // When it expires, unless it is used before.
    absl::Time due{};
    bool in_use = false;
    Deadlines::Id deadline = 0;
  };

  void Expire(const std::string& id);
  void Watch(const std::string& id, Transaction& transaction)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mutex_);

  Connections& connections_;
  Deadlines& deadlines_;
  time::Clock& clock_;
  sync::Mutex mutex_;
  std::map<std::string, Transaction> transactions_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::rdsdata

#endif  // BYOSHIN_LOCAL_RDSDATA_TRANSACTIONS_H_

#include "local/rdsdata/transactions.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "local/postgres_client/session.h"
#include "local/rdsdata/errors.h"
#include "local/rdsdata/limits.h"

namespace byoshin::local::rdsdata {
namespace {

using postgres_client::TransactionState;

// AWS's ids are as long: 184 characters of base 64.
constexpr int kIdWords = 17;

std::string NewTransactionId() {
  std::string bytes;
  for (int i = 0; i < kIdWords; ++i) {
    std::uint64_t bits = random::Bits();
    for (int byte = 0; byte < 8; ++byte, bits >>= 8) {
      bytes += static_cast<char>(bits & 0xFF);
    }
  }
  return absl::Base64Escape(bytes);
}

}  // namespace

std::string Transactions::Add(LeasePointer lease) {
  std::string id = NewTransactionId();
  const sync::MutexLock lock(mutex_);
  Transaction& transaction = transactions_[id];
  transaction.lease = std::move(lease);
  transaction.begun = clock_.Now();
  Watch(id, transaction);
  return id;
}

void Transactions::Watch(const std::string& id, Transaction& transaction) {
  transaction.due = std::min(clock_.Now() + kTransactionIdleTimeout,
                             transaction.begun + kTransactionTimeout);
  transaction.deadline =
      deadlines_.At(transaction.due, [this, id] { Expire(id); });
}

absl::StatusOr<LeasePointer> Transactions::Take(const std::string& id,
                                                const LoginKey& key) {
  const sync::MutexLock lock(mutex_);
  const auto found = transactions_.find(id);
  if (found == transactions_.end()) return TransactionNotFound(id);
  Transaction& transaction = found->second;
  LoginKey owner = transaction.lease->key;
  const std::string database = std::exchange(owner.database, key.database);
  // Whoever has guessed it learns nothing.
  if (owner != key) return TransactionNotFound(id);
  if (!key.database.empty() && key.database != database) {
    return BadRequest("Database name is not the same as transaction");
  }
  if (transaction.in_use) return TransactionBusy();
  transaction.in_use = true;
  deadlines_.Cancel(transaction.deadline);
  return transaction.lease;
}

void Transactions::Return(const std::string& id, TransactionState state) {
  LeasePointer ended;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = transactions_.find(id);
    if (found == transactions_.end()) return;
    Transaction& transaction = found->second;
    if (state == TransactionState::kOpen ||
        state == TransactionState::kFailed) {
      transaction.in_use = false;
      Watch(id, transaction);
      return;
    }
    ended = std::move(transaction.lease);
    transactions_.erase(found);
  }
  connections_.Return(std::move(ended), state);
}

void Transactions::Expire(const std::string& id) {
  LeasePointer expired;
  {
    const sync::MutexLock lock(mutex_);
    const auto found = transactions_.find(id);
    if (found == transactions_.end() || found->second.in_use) return;
    // It may have been used since the deadline was reached.
    if (clock_.Now() < found->second.due) return;
    expired = std::move(found->second.lease);
    transactions_.erase(found);
  }
  connections_.Return(std::move(expired), TransactionState::kOpen);
}

void Transactions::RollBackAll() {
  std::vector<LeasePointer> ended;
  {
    const sync::MutexLock lock(mutex_);
    for (auto i = transactions_.begin(); i != transactions_.end();) {
      if (i->second.in_use) {
        ++i;
        continue;
      }
      deadlines_.Cancel(i->second.deadline);
      ended.push_back(std::move(i->second.lease));
      i = transactions_.erase(i);
    }
  }
  for (LeasePointer& lease : ended) {
    connections_.Return(std::move(lease), TransactionState::kOpen);
  }
}

}  // namespace byoshin::local::rdsdata

#include "local/bedrock/call_ledger.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/sync/mutex.h"

namespace byoshin::local::bedrock {

void CallLedger::Add(ModelCall call) {
  const sync::MutexLock lock(mutex_);
  ++version_;
  // Ids come from clients; their number is bounded as that of the calls.
  if (totals_.size() < kLedgerSize || totals_.contains(call.model_id)) {
    ModelTotals& totals = totals_[call.model_id];
    ++totals.calls;
    if (!call.error.empty()) ++totals.errors[call.error];
    totals.usage.input_tokens += call.usage.input_tokens;
    totals.usage.output_tokens += call.usage.output_tokens;
  }
  calls_.push_back(std::move(call));
  if (calls_.size() > kLedgerSize) calls_.pop_front();
}

std::vector<ModelCall> CallLedger::Latest() const {
  const sync::MutexLock lock(mutex_);
  return {calls_.begin(), calls_.end()};
}

std::map<std::string, ModelTotals> CallLedger::Totals() const {
  const sync::MutexLock lock(mutex_);
  return totals_;
}

std::uint64_t CallLedger::version() const {
  const sync::MutexLock lock(mutex_);
  return version_;
}

}  // namespace byoshin::local::bedrock

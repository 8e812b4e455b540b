#include "local/bedrock/call_ledger.h"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/sync/mutex.h"

namespace byoshin::local::bedrock {

void CallLedger::Count(const std::string& key, const ModelCall& call,
                       TotalsMap& totals) {
  // Ids come from clients; their number is bounded as that of the calls.
  if (totals.size() >= kLedgerSize && !totals.contains(key)) return;
  ModelTotals& counted = totals[key];
  ++counted.calls;
  if (!call.error.empty()) ++counted.errors[call.error];
  counted.usage.input_tokens += call.usage.input_tokens;
  counted.usage.output_tokens += call.usage.output_tokens;
}

void CallLedger::Add(ModelCall call) {
  const sync::MutexLock lock(mutex_);
  ++version_;
  Count(call.model_id, call, totals_);
  if (!call.role_arn.empty()) Count(call.role_arn, call, totals_by_role_);
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

std::map<std::string, ModelTotals> CallLedger::TotalsByRole() const {
  const sync::MutexLock lock(mutex_);
  return totals_by_role_;
}

std::uint64_t CallLedger::version() const {
  const sync::MutexLock lock(mutex_);
  return version_;
}

}  // namespace byoshin::local::bedrock

#include "local/bedrock/stack_limits.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/bedrock/errors.h"

namespace byoshin::local::bedrock {

void StackLimits::SetStack(const std::string& stack, const ModelQuotas& quotas,
                           std::set<std::string> role_arns) {
  const sync::MutexLock lock(mutex_);
  if (role_arns.empty()) {
    stacks_.erase(stack);
    return;
  }
  Entry& entry = stacks_[stack];
  entry.quotas = quotas;
  entry.role_arns = std::move(role_arns);
}

absl::StatusOr<StackLimits::Ticket> StackLimits::Begin(
    const std::string& role_arn, std::int64_t tokens) {
  const absl::Time now = clock_.Now();
  const sync::MutexLock lock(mutex_);
  for (auto& [name, entry] : stacks_) {
    if (!entry.role_arns.contains(role_arn)) continue;
    std::int64_t used_tokens = 0;
    for (auto use = entry.uses.begin(); use != entry.uses.end();) {
      if (use->second.time + kQuotaSpan <= now) {
        use = entry.uses.erase(use);
        continue;
      }
      used_tokens += use->second.tokens;
      ++use;
    }
    const ModelQuotas& quotas = entry.quotas;
    if (quotas.requests_per_minute > 0 &&
        static_cast<std::int64_t>(entry.uses.size()) >=
            quotas.requests_per_minute) {
      return TooManyRequests();
    }
    if (quotas.tokens_per_minute > 0 &&
        used_tokens + tokens > quotas.tokens_per_minute) {
      return TooManyTokens();
    }
    entry.uses[++last_number_] = {.time = now, .tokens = tokens};
    return Ticket{.stack = name, .number = last_number_};
  }
  return Ticket{};
}

void StackLimits::End(const Ticket& ticket, std::int64_t tokens) {
  if (ticket.number == 0) return;
  const sync::MutexLock lock(mutex_);
  const auto entry = stacks_.find(ticket.stack);
  if (entry == stacks_.end()) return;
  const auto use = entry->second.uses.find(ticket.number);
  if (use != entry->second.uses.end()) use->second.tokens = tokens;
}

}  // namespace byoshin::local::bedrock

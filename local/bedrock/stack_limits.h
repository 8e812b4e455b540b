// How many requests and tokens a minute the functions of each stack may use, as
// the parameters of its template say (core/generation/model_limits.h).
//
//   limits.SetStack("app", {.requests_per_minute = 10}, {role_arn});
//   absl::StatusOr<StackLimits::Ticket> ticket =
//       limits.Begin(role_arn, /*tokens=*/500);
//   if (!ticket.ok()) return ticket.status();  // ThrottlingException
//   ...
//   limits.End(*ticket, /*tokens=*/320);
#ifndef BYOSHIN_LOCAL_BEDROCK_STACK_LIMITS_H_
#define BYOSHIN_LOCAL_BEDROCK_STACK_LIMITS_H_

#include <cstdint>
#include <map>
#include <set>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"

namespace byoshin::local::bedrock {

// The span over which requests and tokens are counted.
inline constexpr absl::Duration kQuotaSpan = absl::Minutes(1);

struct ModelQuotas {
  // 0 means no limit.
  std::int64_t requests_per_minute = 0;
  // Input and output.
  std::int64_t tokens_per_minute = 0;
};

// Thread-safe.
class StackLimits {
 public:
  // `clock` must outlive it.
  explicit StackLimits(time::Clock& clock) : clock_(clock) {}

  // Replaces what was set for the stack. Without roles, the stack is forgotten.
  void SetStack(const std::string& stack, const ModelQuotas& quotas,
                std::set<std::string> role_arns);

  // Identifies a call in progress.
  struct Ticket {
    std::string stack{};
    std::uint64_t number = 0;  // 0: nothing is counted
  };
  // Begins a call by a session of the role. As on AWS, the tokens that it may
  // use at most count until it ends. An error is a ThrottlingException; it
  // counts as no request. A caller that is not a role of a stack has no limits.
  absl::StatusOr<Ticket> Begin(const std::string& role_arn,
                               std::int64_t tokens);
  // `tokens` is what the call has used.
  void End(const Ticket& ticket, std::int64_t tokens);

 private:
  struct Use {
    absl::Time time{};
    std::int64_t tokens = 0;
  };
  struct Entry {
    ModelQuotas quotas{};
    std::set<std::string> role_arns{};
    std::map<std::uint64_t, Use> uses{};  // of the last minute
  };

  time::Clock& clock_;
  sync::Mutex mutex_;
  std::map<std::string, Entry> stacks_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t last_number_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_STACK_LIMITS_H_

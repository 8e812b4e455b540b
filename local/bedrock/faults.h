// Models that fail on command, for tests and demonstrations.
//
//   host.Get<Faults>().Set({.kind = Fault::Kind::kThrottling}, /*calls=*/3);
//
// The id of a model can ask for the same: "byoshin.throttling-v1:0".
#ifndef BYOSHIN_LOCAL_BEDROCK_FAULTS_H_
#define BYOSHIN_LOCAL_BEDROCK_FAULTS_H_

#include <cstdint>
#include <optional>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"

namespace byoshin::local::bedrock {

// How long a slow model takes if nothing else is said.
inline constexpr absl::Duration kDefaultSlowness = absl::Seconds(30);
// A hanging model times out after this.
inline constexpr absl::Duration kHangTimeout = absl::Hours(1);

struct Fault {
  enum class Kind {
    kNone,
    kSlow,          // answers after `delay`
    kHanging,       // ModelTimeoutException after kHangTimeout
    kGarbage,       // an answer that is neither JSON nor to the point
    kThrottling,    // ThrottlingException, 429
    kNotReady,      // ModelNotReadyException, 429
    kTimeout,       // ModelTimeoutException, 408
    kError,         // ModelErrorException, 424
    kUnavailable,   // ServiceUnavailableException, 503
    kInternal,      // InternalServerException, 500
    kAccessDenied,  // AccessDeniedException, 403
  };
  Kind kind = Kind::kNone;
  absl::Duration delay = kDefaultSlowness;

  bool operator==(const Fault&) const = default;
};

// "none", "slow", "slow=5s", "hanging", "garbage", "throttling", "not-ready",
// "timeout", "error", "unavailable", "internal", "access-denied".
absl::StatusOr<Fault> ParseFault(absl::string_view text);
// The names that ParseFault() takes, for help.
std::string FaultNames();

// The fault that the id of a model asks for: "byoshin.slow-v1:0" or
// "byoshin.slow-5s-v1:0"; nullopt for other ids.
std::optional<Fault> FaultOfModel(absl::string_view model);

// The error that the fault stands for; OK if it is not an error.
absl::Status FaultError(const Fault& fault, absl::string_view model_id);

// Thread-safe.
class Faults {
 public:
  // For the next `calls`, or for all from now on; replaces what was set before.
  void Set(const Fault& fault,
           std::optional<std::int64_t> calls = std::nullopt);
  void Clear() { Set({}); }

  // The fault of the next call.
  Fault Take();

 private:
  sync::Mutex mutex_;
  Fault fault_ ABSL_GUARDED_BY(mutex_);
  std::optional<std::int64_t> left_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_FAULTS_H_

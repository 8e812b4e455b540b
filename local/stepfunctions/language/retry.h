// Which errors Retry and Catch apply to, and how long a retry waits.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RETRY_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RETRY_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/language/path.h"
#include "local/stepfunctions/language/random.h"
#include "local/stepfunctions/language/template.h"

namespace byoshin::local::stepfunctions {

inline constexpr int64_t kDefaultIntervalSeconds = 1;
inline constexpr int64_t kDefaultMaxAttempts = 3;
inline constexpr double kDefaultBackoffRate = 2.0;
inline constexpr int64_t kMaxMaxAttempts = 99'999'999;
inline constexpr int64_t kMaxMaxDelaySeconds = 31'622'400;

struct Retrier {
  enum class Jitter { kNone, kFull };
  std::vector<std::string> error_equals;
  int64_t interval_seconds = kDefaultIntervalSeconds;
  int64_t max_attempts = kDefaultMaxAttempts;
  double backoff_rate = kDefaultBackoffRate;
  std::optional<int64_t> max_delay_seconds;
  Jitter jitter = Jitter::kNone;
};

// How a path such as ResultPath is given.
template <typename PathType>
struct PathField {
  enum class Kind { kAbsent, kNull, kPath };
  Kind kind = Kind::kAbsent;
  // For kPath.
  std::optional<PathType> path;
};

struct Catcher {
  std::vector<std::string> error_equals;
  std::string next;
  // JSONPath.
  PathField<ReferencePath> result_path;
  // JSONata.
  std::optional<Template> output;
  std::optional<Template> assign;
};

// True if a Retry or Catch with these ErrorEquals applies to `error`.
// States.ALL applies to every error, States.TaskFailed to every one but
// States.Timeout; neither, nor its own name, applies to States.Runtime.
bool AppliesTo(const std::vector<std::string>& error_equals,
               absl::string_view error);

// The index of the first one that applies to `error`.
std::optional<size_t> FindRetrier(const std::vector<Retrier>& retriers,
                                  absl::string_view error);
std::optional<size_t> FindCatcher(const std::vector<Catcher>& catchers,
                                  absl::string_view error);

// What the retry number `attempt` (0 for the first retry) waits:
// interval * rate^attempt, at most max_delay; with jitter, a random part of it.
absl::Duration RetryDelay(const Retrier& retrier, int64_t attempt,
                          Random& random);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RETRY_H_

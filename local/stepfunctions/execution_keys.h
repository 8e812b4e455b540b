// Where executions are kept in the store.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_KEYS_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_KEYS_H_

#include <cstdint>
#include <limits>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/stepfunctions/kept.pb.h"
#include "local/stepfunctions/keys.h"
#include "local/stepfunctions/limits.h"

namespace byoshin::local::stepfunctions {

inline std::string ExecutionKey(absl::string_view arn) {
  return absl::StrCat(kExecutionPrefix, arn);
}

inline std::string LogKeys(absl::string_view arn) {
  return absl::StrCat(kLogPrefix, arn, "/");
}

inline std::string ListKeys(absl::string_view machine_arn) {
  return absl::StrCat(kListPrefix, machine_arn, "/");
}

// The newest first.
inline std::string ListKey(const kept::Execution& kept) {
  return absl::StrCat(
      ListKeys(kept.machine_arn()),
      absl::StrFormat(
          "%016x", std::numeric_limits<std::int64_t>::max() - kept.start_us()),
      "/", kept.name());
}

inline std::string ExpiryKey(std::int64_t stop_us, absl::string_view arn) {
  return absl::StrCat(
      kExpiryPrefix,
      absl::StrFormat("%016x", stop_us + absl::ToInt64Microseconds(kRetention)),
      "/", arn);
}

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_EXECUTION_KEYS_H_

// What fails in a simulation, and how often: `--faults=api:0.3,sqs:0.05`.
//
//   absl::StatusOr<Faults> faults = ParseFaults("sqs:0.05,crash:0.01");
//   FaultSource source(*faults, /*seed=*/1);
//   if (source.Fails("sqs")) ... answer 503 ...
#ifndef BYOSHIN_LOCAL_CLI_FAULTS_H_
#define BYOSHIN_LOCAL_CLI_FAULTS_H_

#include <cstdint>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::cli {

// A function's process is killed in the middle of an execution.
inline constexpr char kCrashFault[] = "crash";

// Probabilities from 0 to 1, by what fails: kCrashFault, a service of the
// cloud, which then answers 503, or what an application knows by that name.
using Faults = std::map<std::string, double, std::less<>>;

// InvalidArgument says what is wrong.
absl::StatusOr<Faults> ParseFaults(absl::string_view text);

// InvalidArgument if something is to fail that is not among `known`, or
// kCrashFault.
absl::Status CheckFaults(const Faults& faults,
                         const std::vector<std::string>& known);

// Decides what fails, by a seed. Thread-safe.
class FaultSource {
 public:
  FaultSource(Faults faults, std::uint64_t seed)
      : faults_(std::move(faults)), random_(seed) {}

  bool Fails(absl::string_view what);

 private:
  const Faults faults_;
  sync::Mutex mutex_;
  std::mt19937_64 random_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_FAULTS_H_

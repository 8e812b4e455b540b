// What there is to show of asynchronous generation: processes from the stack's
// database, and the calls of the model.
//
//   ProcessSource source({.data = data_api, .calls = ledger, .on_change = …});
//   source.Load(stack);  // for every stack
//   absl::StatusOr<Json::Value> summary = source.Summary();
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_SOURCE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_SOURCE_H_

#include <json/json.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/applications/generation/generation_parts.h"
#include "local/bedrock/call_ledger.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/quantiles.h"
#include "local/rdsdata/data_api.h"

namespace byoshin::local::applications {

// How many processes the summary lists.
inline constexpr int kRecentProcesses = 12;
// A database that takes longer is reported as not answering; real time.
inline constexpr absl::Duration kDatabasePatience = absl::Seconds(3);

// The calls of the model by the functions of the stack, since the cloud
// started.
struct ModelUse {
  bedrock::ModelTotals totals{};
  // Of those of the latest calls that succeeded.
  std::optional<dashboard::Quantiles> duration{};
};

// Thread-safe.
class ProcessSource {
 public:
  // What is referred to outlives it.
  struct World {
    rdsdata::DataApi& data;
    const bedrock::CallLedger& calls;
    // Called after each change. Never null.
    std::function<void()> on_change;
  };
  explicit ProcessSource(World world) : world_(std::move(world)) {}

  // Shows the stack, if it is one of this kind. False if another one is shown
  // already.
  bool Load(const cloudformation::Stack& stack);
  std::optional<GenerationParts> parts() const;

  // Something may have been written to the cluster.
  void NoteWrite(absl::string_view cluster_arn);

  // "counts" by state, "durations" by type, "recent" and "failures": see
  // local/dashboard/api.md. Asks the database only if something has changed.
  // Unavailable if it does not answer. Blocks.
  absl::StatusOr<Json::Value> Summary();

  struct Query {
    // Empty: all.
    std::vector<std::string> statuses{};
    int limit = 0;
  };
  // The newest first. Blocks.
  absl::StatusOr<Json::Value> Processes(const Query& query);

  // Deletes all users with their goals and processes; returns how many
  // processes there were. Blocks.
  absl::StatusOr<std::int64_t> DeleteAll();

  ModelUse GetModelUse() const;

 private:
  // The JSON value that the statement returns as its only field.
  absl::StatusOr<Json::Value> Ask(const std::string& sql,
                                  const Json::Value& parameters);

  const World world_;
  std::atomic<std::uint64_t> version_ = 1;
  mutable sync::Mutex mutex_;
  std::optional<GenerationParts> parts_ ABSL_GUARDED_BY(mutex_);
  // As of `summary_version_`.
  Json::Value summary_ ABSL_GUARDED_BY(mutex_);
  std::uint64_t summary_version_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_PROCESS_SOURCE_H_

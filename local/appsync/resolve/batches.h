// Calls of one function for several values of a list at once.
//
// The executor asks for the fields of a list's values one after another before
// it returns, and values whose batch was answered go on together. What is added
// within such a round is sent at its end:
//
//   const Batches::Round round(batches);
//   batches.Add(step, payload, done);
//   batches.Add(step, other_payload, other_done);
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_

#include <map>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {

// Of a resolver that asks for batches and sets no size.
inline constexpr int kDefaultBatchSize = 5;

// Thread-safe.
class Batches {
 public:
  // `sources` outlives it.
  explicit Batches(DataSources& sources) : sources_(sources) {}

  // A round. Rounds may overlap; the end of the last one counts: it calls the
  // functions for what was added.
  void Begin() ABSL_LOCKS_EXCLUDED(mutex_);
  void End() ABSL_LOCKS_EXCLUDED(mutex_);
  class Round {
   public:
    explicit Round(Batches& batches) : batches_(batches) { batches_.Begin(); }
    Round(const Round&) = delete;
    Round& operator=(const Round&) = delete;
    ~Round() { batches_.End(); }

   private:
    Batches& batches_;
  };

  // Call it within a round. `step` outlives the call. `done` gets the element
  // of the function's result for this payload.
  void Add(const CompiledStep& step, json::Data payload, SourceDone done)
      ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Waiting {
    json::Data payload;
    SourceDone done;
  };

  void SendBatch(const CompiledStep& step, std::vector<Waiting> batch);

  DataSources& sources_;
  sync::Mutex mutex_;
  int rounds_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<const CompiledStep*, std::vector<Waiting>> waiting_
      ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_

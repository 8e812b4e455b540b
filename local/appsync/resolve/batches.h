// Calls of one function for several values of a list at once.
//
// The executor asks for the fields of a list's values one after another before
// it returns, and values whose batch was answered go on together. What is added
// within such a round is sent at its end:
//
//   const Batches::Round round(batches);
//   batches.Add({.step = step, .payload = payload}, done);
//   batches.Add({.step = step, .payload = other_payload}, other_done);
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_

#include <map>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/sources/data_sources.h"
#include "local/appsync/sources/source_result.h"
#include "local/lambda/function_invoker.h"

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

  using Mode = lambda::FunctionInvoker::Mode;
  struct Call {
    // Outlives the call.
    const CompiledStep& step;
    json::Data payload{};
    Mode mode = Mode::kRequestResponse;
  };
  // Call it within a round. `done` gets the element of the function's result
  // for this payload, null if nobody waits for the function.
  void Add(Call call, SourceDone done) ABSL_LOCKS_EXCLUDED(mutex_);

 private:
  struct Waiting {
    json::Data payload;
    SourceDone done;
  };

  // The calls of a step that go together.
  using Key = std::pair<const CompiledStep*, Mode>;

  void SendBatch(const Key& key, std::vector<Waiting> batch);

  DataSources& sources_;
  sync::Mutex mutex_;
  int rounds_ ABSL_GUARDED_BY(mutex_) = 0;
  std::map<Key, std::vector<Waiting>> waiting_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_BATCHES_H_

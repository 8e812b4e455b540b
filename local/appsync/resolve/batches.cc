#include "local/appsync/resolve/batches.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/types/span.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {

using json::Data;

void Batches::Add(Call call, SourceDone done) {
  const sync::MutexLock lock(mutex_);
  waiting_[{&call.step, call.mode}].push_back(
      {std::move(call.payload), std::move(done)});
}

void Batches::Begin() {
  const sync::MutexLock lock(mutex_);
  ++rounds_;
}

void Batches::End() {
  std::map<Key, std::vector<Waiting>> waiting;
  {
    const sync::MutexLock lock(mutex_);
    if (--rounds_ > 0) return;
    waiting.swap(waiting_);
  }
  for (auto& [key, calls] : waiting) {
    const std::int64_t max_size = key.first->max_batch_size;
    const std::size_t size =
        static_cast<std::size_t>(max_size > 0 ? max_size : kDefaultBatchSize);
    for (std::size_t begin = 0; begin < calls.size(); begin += size) {
      const std::size_t end = std::min(begin + size, calls.size());
      SendBatch(key, {std::make_move_iterator(calls.begin() + begin),
                      std::make_move_iterator(calls.begin() + end)});
    }
  }
}

void Batches::SendBatch(const Key& key, std::vector<Waiting> batch) {
  std::vector<Data> payloads;
  for (const Waiting& call : batch) payloads.push_back(call.payload);
  auto shared = std::make_shared<std::vector<Waiting>>(std::move(batch));
  const auto [step, mode] = key;
  sources_.Invoke(
      *step->source, Data::Array(std::move(payloads)).ToJson(), mode,
      // Those that wait keep this alive.
      [this, shared, mode = mode](const SourceResult& result) {
        const Round round(*this);
        const absl::Span<const Data> elements = result.result.elements();
        const bool whole = result.error.has_value() || mode == Mode::kEvent;
        const bool fits = whole || elements.size() == shared->size();
        for (std::size_t i = 0; i < shared->size(); ++i) {
          const SourceDone& done = (*shared)[i].done;
          if (!fits) {
            done(SourceFailure(
                "Lambda:IllegalArgument",
                absl::StrCat("The function must return a list of ",
                             shared->size(), " results, one for each value.")));
          } else if (whole) {
            done(result);
          } else {
            done({.result = elements[i]});
          }
        }
      });
}

}  // namespace byoshin::local::appsync

#include "local/appsync/resolve/trace.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"

namespace byoshin::local::appsync {

void Traces::set_listener(std::function<void()> listener) {
  const sync::MutexLock lock(mutex_);
  listener_ = std::move(listener);
}

void Traces::Add(RequestTrace trace) {
  // Freed after the lock.
  Pointer oldest;
  const sync::MutexLock lock(mutex_);
  trace.number = ++last_number_;
  traces_.push_back(std::make_shared<const RequestTrace>(std::move(trace)));
  if (traces_.size() > limits_.requests) {
    oldest = std::move(traces_.front());
    traces_.pop_front();
  }
  if (listener_) listener_();
}

std::vector<Traces::Pointer> Traces::Newest(absl::string_view api_id,
                                            std::size_t max) const {
  const sync::MutexLock lock(mutex_);
  std::vector<Pointer> newest;
  for (auto it = traces_.rbegin(); it != traces_.rend() && newest.size() < max;
       ++it) {
    if (api_id.empty() || (*it)->api_id == api_id) newest.push_back(*it);
  }
  return newest;
}

}  // namespace byoshin::local::appsync

// Those who want to know what is deployed.
//
//   const int subscription = deployer.Subscribe([](const Stack& stack) { ...
//   });
//   ...
//   deployer.Unsubscribe(subscription);
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_STACK_LISTENERS_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_STACK_LISTENERS_H_

#include <functional>
#include <map>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "core/sync/mutex.h"
#include "local/cloudformation/stack.h"

namespace byoshin::local::cloudformation {

// Thread-safe.
class StackListeners {
 public:
  // Called with a stack that has been created, changed or deleted: then it has
  // no resources. Must not deploy.
  using Listener = std::function<void(const Stack& stack)>;

  int Add(Listener listener) {
    const sync::MutexLock lock(mutex_);
    listeners_[++last_id_] = std::move(listener);
    return last_id_;
  }

  // Once this returns, the listener is not called any more.
  void Remove(int id) {
    const sync::MutexLock lock(mutex_);
    listeners_.erase(id);
  }

  void Tell(const Stack& stack) {
    const sync::MutexLock lock(mutex_);
    for (const auto& [id, listener] : listeners_) listener(stack);
  }

 private:
  sync::Mutex mutex_;
  std::map<int, Listener> listeners_ ABSL_GUARDED_BY(mutex_);
  int last_id_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_STACK_LISTENERS_H_

// Stacks in a Store, so that they outlive the process, and in memory, so that
// they can be read during a deployment.
//
//   StackStore stacks(store, clock);
//   stacks.Load();
//   stacks.Change("byoshin", [](Stack& stack) { stack.status = …; });
//   stacks.Commit();
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_STACK_STORE_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_STACK_STORE_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/cloudformation/stack.h"
#include "local/store/store.h"

namespace byoshin::local::cloudformation {

// The number of events kept for each stack.
inline constexpr std::size_t kMaxEvents = 1000;

// Find() and Names() are thread-safe; the rest is only for the thread that
// deploys.
class StackStore {
 public:
  // Called with each event, on the thread that deploys.
  using EventListener =
      std::function<void(const std::string& stack, const StackEvent& event)>;

  StackStore(Store& store, time::Clock& clock, EventListener listener)
      : store_(store), clock_(clock), listener_(std::move(listener)) {}

  absl::Status Load();

  std::optional<Stack> Find(const std::string& name) const;
  std::vector<std::string> Names() const;

  // For the thread that deploys; null if there is none. The pointer is valid
  // until the stack is removed.
  const Stack* Get(const std::string& name) const;
  void Add(Stack stack);
  void Remove(const std::string& name);

  // These change the store's transaction, which Commit() ends.
  void ChangeHead(const std::string& name,
                  absl::FunctionRef<void(Stack& stack)> change);
  void PutResource(const std::string& name, StackResource resource);
  void RemoveResource(const std::string& name, const std::string& logical_id);
  void PutBegun(const std::string& name, StackResource resource);
  void RemoveBegun(const std::string& name, const std::string& logical_id);
  // Sets the event's number and time.
  void AddEvent(const std::string& name, StackEvent event);

  absl::Status Commit() { return store_.Commit(); }

 private:
  struct Entry {
    Stack stack;
    uint64_t next_event = 0;  // number
  };

  Store& store_;
  time::Clock& clock_;
  const EventListener listener_;

  mutable sync::Mutex mutex_;
  std::map<std::string, Entry> stacks_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::cloudformation

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_STACK_STORE_H_

// What a script may still use: memory, steps, processor time.
#ifndef BYOSHIN_LOCAL_JAVASCRIPT_BUDGET_H_
#define BYOSHIN_LOCAL_JAVASCRIPT_BUDGET_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "absl/time/time.h"
#include "local/javascript/engine.h"
#include "local/javascript/quickjs_api.h"

namespace byoshin::local::javascript {

// Not thread-safe, as the engine.
class Budget {
 public:
  // QuickJS's allocator, with a Budget as opaque.
  static const JSMallocFunctions& allocator();

  // A call from outside begins. Before the first one there is no limit.
  void Begin(const Limits& limits);

  // Takes steps. False if the script must end: there are too few, another limit
  // is exceeded, or it is interrupted.
  bool Take(int64_t steps);

  // From now on, scripts must end when `flag` is true.
  void InterruptBy(const std::atomic<bool>& flag) { interrupted_ = &flag; }

  size_t memory_in_use() const { return used_; }
  bool memory_exceeded() const { return memory_exceeded_; }
  bool time_exceeded() const { return time_exceeded_; }

 private:
  static void* Allocate(JSMallocState* state, size_t size);
  static void Free(JSMallocState* state, void* pointer);
  static void* Reallocate(JSMallocState* state, void* pointer, size_t size);

  // For a block of `size` that needs this much more than before.
  bool MayAllocate(size_t size, size_t more);

  size_t used_ = 0;
  size_t limit_ = std::numeric_limits<size_t>::max();
  int64_t steps_ = std::numeric_limits<int64_t>::max();
  absl::Duration cpu_time_ = absl::InfiniteDuration();
  // Since the first time that Take() was asked: most calls end before.
  std::optional<absl::Duration> cpu_began_;
  const std::atomic<bool>* interrupted_ = nullptr;
  bool memory_exceeded_ = false;
  bool time_exceeded_ = false;
};

}  // namespace byoshin::local::javascript

#endif  // BYOSHIN_LOCAL_JAVASCRIPT_BUDGET_H_

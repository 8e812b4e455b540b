#include "local/javascript/budget.h"

#include <malloc.h>
#include <time.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "absl/time/time.h"
#include "local/javascript/engine.h"
#include "local/javascript/quickjs_api.h"

namespace byoshin::local::javascript {
namespace {

// QuickJS gets small memory even if there is none left, so that it can report
// that: its interrupts end the script soon.
constexpr size_t kSmallBytes = size_t{4} << 10;
// Large memory is usually allocated in order to copy something, which takes
// longer than a step.
constexpr size_t kLargeBytes = size_t{16} << 10;
constexpr int64_t kBytesPerStep = 256;

absl::Duration ThreadCpuTime() {
  timespec now = {};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return absl::DurationFromTimespec(now);
}

}  // namespace

const JSMallocFunctions& Budget::allocator() {
  static constexpr JSMallocFunctions kFunctions = {
      &Allocate, &Free, &Reallocate, [](const void* pointer) {
        return malloc_usable_size(const_cast<void*>(pointer));
      }};
  return kFunctions;
}

void Budget::Begin(const Limits& limits) {
  limit_ = used_ + limits.memory_bytes;
  steps_ = limits.steps;
  cpu_time_ = limits.cpu_time;
  cpu_began_.reset();
  memory_exceeded_ = false;
  time_exceeded_ = false;
}

bool Budget::Take(int64_t steps) {
  steps_ -= steps;
  const absl::Duration now = ThreadCpuTime();
  if (!cpu_began_.has_value()) cpu_began_ = now;
  if (steps_ < 0 || now - *cpu_began_ > cpu_time_ ||
      (interrupted_ != nullptr && *interrupted_)) {
    time_exceeded_ = true;
  }
  return !time_exceeded_ && !memory_exceeded_;
}

bool Budget::MayAllocate(size_t size, size_t more) {
  if (more > limit_ || used_ > limit_ - more) memory_exceeded_ = true;
  if (memory_exceeded_) return size < kSmallBytes;
  return more < kLargeBytes || Take(static_cast<int64_t>(more) / kBytesPerStep);
}

void* Budget::Allocate(JSMallocState* state, size_t size) {
  auto& budget = *static_cast<Budget*>(state->opaque);
  if (!budget.MayAllocate(size, size)) return nullptr;
  void* pointer = std::malloc(size);
  if (pointer == nullptr) return nullptr;
  const size_t usable = malloc_usable_size(pointer);
  budget.used_ += usable;
  state->malloc_size += usable;
  ++state->malloc_count;
  return pointer;
}

void Budget::Free(JSMallocState* state, void* pointer) {
  if (pointer == nullptr) return;
  auto& budget = *static_cast<Budget*>(state->opaque);
  const size_t usable = malloc_usable_size(pointer);
  budget.used_ -= usable;
  state->malloc_size -= usable;
  --state->malloc_count;
  std::free(pointer);
}

void* Budget::Reallocate(JSMallocState* state, void* pointer, size_t size) {
  if (pointer == nullptr) {
    return size == 0 ? nullptr : Allocate(state, size);
  }
  if (size == 0) {
    Free(state, pointer);
    return nullptr;
  }
  auto& budget = *static_cast<Budget*>(state->opaque);
  const size_t before = malloc_usable_size(pointer);
  if (size > before && !budget.MayAllocate(size, size - before)) return nullptr;
  void* moved = std::realloc(pointer, size);
  if (moved == nullptr) return nullptr;
  const size_t after = malloc_usable_size(moved);
  budget.used_ += after - before;
  state->malloc_size += after - before;
  return moved;
}

}  // namespace byoshin::local::javascript

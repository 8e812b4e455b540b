// Memory that the process has freed: the C library keeps it for later, and in
// programs with many threads, or after one big request, that can be several
// times what is used.
//
//   host::KeepLittleFreeMemory();  // first thing in main()
//   host::FreeMemory free_memory;
//   time::Ticker ticker(clock, host::kFreeMemoryInterval,
//                       [&](absl::Time) { free_memory.ReturnIfMuch(); });
#ifndef BYOSHIN_CORE_HOST_MEMORY_H_
#define BYOSHIN_CORE_HOST_MEMORY_H_

#include <cstddef>

#include "absl/time/time.h"

namespace byoshin::host {

// The C library asks the system for each piece of at least so many bytes, and
// returns it as soon as it is freed.
inline constexpr std::size_t kOwnPieceBytes = std::size_t{1} << 20;

// It returns the end of its memory once so many bytes are free there.
inline constexpr std::size_t kFreeEndBytes = std::size_t{4} << 20;

// As many bytes may be free without being returned to the system.
inline constexpr std::size_t kMuchFreeBytes = std::size_t{16} << 20;
inline constexpr absl::Duration kFreeMemoryInterval = absl::Seconds(10);

// Sets these two. By default the C library raises them, up to 32 and 64 MiB,
// whenever a bigger piece is freed, and then keeps as much.
// Call it before any thread is started.
void KeepLittleFreeMemory();

struct MemoryUse {
  // In the machine's memory, without what is from files.
  std::size_t resident = 0;
  // Given out by the C library's allocator; 0 if another is used.
  std::size_t in_use = 0;
};
MemoryUse ReadMemoryUse();

// Decides when it is worth the effort to return free memory. Not thread-safe.
class FreeMemory {
 public:
  // Whether there is much more memory that is resident and not in use than
  // there was after Returned(), or at any time since.
  bool IsMuch(const MemoryUse& use);
  void Returned(const MemoryUse& use);

  // Returns it to the system if it is much. Takes a millisecond for each few
  // MB, in which other threads may wait for memory. True if it was much.
  bool ReturnIfMuch();

 private:
  // The least that was resident and not in use: stacks of threads, pages that
  // are used in part.
  std::size_t least_ = 0;
};

}  // namespace byoshin::host

#endif  // BYOSHIN_CORE_HOST_MEMORY_H_

#include "core/host/memory.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <thread>
#include <vector>

namespace byoshin::host {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;

TEST(FreeMemory, IsMuchOnlyIfMoreIsUnusedThanAfterTheLastReturn) {
  FreeMemory memory;
  // Much is in use.
  EXPECT_FALSE(memory.IsMuch({.resident = 510 * kMiB, .in_use = 500 * kMiB}));
  // It was freed.
  EXPECT_TRUE(memory.IsMuch({.resident = 510 * kMiB, .in_use = 20 * kMiB}));
  // 60 MiB could not be returned.
  memory.Returned({.resident = 80 * kMiB, .in_use = 20 * kMiB});
  EXPECT_FALSE(memory.IsMuch({.resident = 80 * kMiB, .in_use = 20 * kMiB}));
  EXPECT_FALSE(memory.IsMuch({.resident = 96 * kMiB, .in_use = 20 * kMiB}));
  EXPECT_TRUE(memory.IsMuch({.resident = 97 * kMiB, .in_use = 20 * kMiB}));
  // Those were used again, and freed.
  EXPECT_FALSE(memory.IsMuch({.resident = 80 * kMiB, .in_use = 75 * kMiB}));
  EXPECT_TRUE(memory.IsMuch({.resident = 80 * kMiB, .in_use = 20 * kMiB}));
}

TEST(FreeMemory, IsUnknownWithAnotherAllocator) {
  EXPECT_FALSE(FreeMemory().IsMuch({.resident = 900 * kMiB, .in_use = 0}));
}

// A sanitizer has an allocator of its own, which nothing can be asked to
// return.
bool HasOtherAllocator() { return ReadMemoryUse().in_use == 0; }

TEST(FreeMemory, OfManySmallPiecesIsReturned) {
  // Freed by a thread, and with pieces in between that are still used: the C
  // library returns nothing of that by itself.
  std::vector<std::unique_ptr<char[]>> kept;
  std::thread([&kept] {
    std::vector<std::unique_ptr<char[]>> freed;
    for (int i = 0; i < 64 * 1024; ++i) {
      auto& pieces = i % 64 == 0 ? kept : freed;
      pieces.push_back(std::make_unique<char[]>(1024));
    }
  }).join();
  const MemoryUse before = ReadMemoryUse();
  FreeMemory memory;
  EXPECT_EQ(memory.ReturnIfMuch(), !HasOtherAllocator());
  const MemoryUse after = ReadMemoryUse();
  if (!HasOtherAllocator()) {
    EXPECT_LT(after.resident + 48 * kMiB, before.resident);
  }
  EXPECT_FALSE(memory.ReturnIfMuch());
}

TEST(FreeMemory, OfBigPiecesIsReturnedAtOnce) {
  KeepLittleFreeMemory();
  const MemoryUse before = ReadMemoryUse();
  std::vector<std::unique_ptr<char[]>> kept;
  for (int i = 0; i < 4; ++i) {
    // The first one raises the limit, unless that is set.
    auto freed = std::make_unique<char[]>(16 * kMiB);
    freed.reset();
    freed = std::make_unique<char[]>(16 * kMiB);
    // A piece behind it would keep it from being returned.
    kept.push_back(std::make_unique<char[]>(1024));
  }
  const MemoryUse after = ReadMemoryUse();
  // Other allocators keep all pieces for a while.
  const std::size_t most = (HasOtherAllocator() ? 160 : 8) * kMiB;
  EXPECT_LT(after.resident, before.resident + most);
}

}  // namespace
}  // namespace byoshin::host

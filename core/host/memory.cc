#include "core/host/memory.h"

#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <algorithm>
#include <cstddef>
#include <cstdio>

namespace byoshin::host {
namespace {

// 0 if the system does not tell.
std::size_t ResidentBytes() {
  std::FILE* file = std::fopen("/proc/self/statm", "re");
  if (file == nullptr) return 0;
  // https://man7.org/linux/man-pages/man5/proc_pid_statm.5.html
  std::size_t size = 0;
  std::size_t resident = 0;
  std::size_t shared = 0;
  const int read = std::fscanf(file, "%zu %zu %zu", &size, &resident, &shared);
  std::fclose(file);
  if (read != 3) return 0;
  return (resident - std::min(resident, shared)) *
         static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

std::size_t UnusedBytes(const MemoryUse& use) {
  return use.resident - std::min(use.resident, use.in_use);
}

}  // namespace

void KeepLittleFreeMemory() {
#ifdef __GLIBC__
  mallopt(M_MMAP_THRESHOLD, static_cast<int>(kOwnPieceBytes));
  mallopt(M_TRIM_THRESHOLD, static_cast<int>(kFreeEndBytes));
#endif
}

MemoryUse ReadMemoryUse() {
  MemoryUse use{.resident = ResidentBytes()};
#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
  const struct mallinfo2 info = mallinfo2();
  use.in_use = info.uordblks + info.hblkhd;
#endif
  return use;
}

bool FreeMemory::IsMuch(const MemoryUse& use) {
  // Another allocator: what it keeps is not known.
  if (use.in_use == 0) return false;
  const std::size_t unused = UnusedBytes(use);
  least_ = std::min(least_, unused);
  return unused - least_ > kMuchFreeBytes;
}

void FreeMemory::Returned(const MemoryUse& use) { least_ = UnusedBytes(use); }

bool FreeMemory::ReturnIfMuch() {
  if (!IsMuch(ReadMemoryUse())) return false;
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  Returned(ReadMemoryUse());
  return true;
}

}  // namespace byoshin::host

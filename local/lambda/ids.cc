#include "local/lambda/ids.h"

#include <cstdint>

#include "absl/random/random.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace byoshin::local::lambda {
namespace {

std::uint64_t Random() {
  // Seeded from the system; what it gives cannot be foreseen from outside.
  thread_local absl::BitGen generator;
  return absl::Uniform<std::uint64_t>(generator);
}

}  // namespace

std::string NewUuid() {
  constexpr std::uint64_t kVersion4 = 0x4000;
  constexpr std::uint64_t kVariant1 = 0x8000;
  const std::uint64_t high = Random();
  const std::uint64_t low = Random();
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32,
                         (high >> 16) & 0xffff, (high & 0x0fff) | kVersion4,
                         ((low >> 48) & 0x3fff) | kVariant1,
                         low & 0xffff'ffff'ffff);
}

std::string NewTraceId(absl::Time now) {
  return absl::StrFormat("Root=1-%08x-%08x%016x;Parent=%016x;Sampled=0",
                         absl::ToUnixSeconds(now), Random() >> 32, Random(),
                         Random());
}

std::string NewLogStream(absl::Time now) {
  return absl::StrCat(
      absl::FormatTime("%Y/%m/%d/[$LATEST]", now, absl::UTCTimeZone()),
      absl::StrFormat("%016x%016x", Random(), Random()));
}

}  // namespace byoshin::local::lambda

#include "local/lambda/ids.h"

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "core/random/random.h"

namespace byoshin::local::lambda {
std::string NewTraceId(absl::Time now) {
  return absl::StrFormat("Root=1-%08x-%08x%016x;Parent=%016x;Sampled=0",
                         absl::ToUnixSeconds(now), random::Bits() >> 32,
                         random::Bits(), random::Bits());
}

std::string NewLogStream(absl::Time now) {
  return absl::StrCat(
      absl::FormatTime("%Y/%m/%d/[$LATEST]", now, absl::UTCTimeZone()),
      absl::StrFormat("%016x%016x", random::Bits(), random::Bits()));
}

}  // namespace byoshin::local::lambda

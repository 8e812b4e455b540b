// Chance that can be repeated: the same seed gives the same sequence, on every
// machine, so that the replay of an execution gives the same UUIDs and delays.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RANDOM_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RANDOM_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {

// Not thread-safe. A copy continues with the same sequence.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  // Seeded from text such as an execution's ARN.
  explicit Random(absl::string_view text);

  uint64_t Bits();
  // At least 0 and less than 1.
  double Fraction();
  // At least 0 and less than `limit`, which must not be 0.
  uint64_t Below(uint64_t limit);
  // A UUID of version 4.
  std::string Uuid();

 private:
  uint64_t state_;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_LANGUAGE_RANDOM_H_

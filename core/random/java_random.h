// The generator of java.util.Random, for services that let their users choose a
// seed and whose numbers are those of Java.
//
//   random::JavaRandom(42).NextDouble();  // 0.7275636800328681
#ifndef BYOSHIN_CORE_RANDOM_JAVA_RANDOM_H_
#define BYOSHIN_CORE_RANDOM_JAVA_RANDOM_H_

#include <cstdint>

namespace byoshin::random {

// Not thread-safe.
class JavaRandom {
 public:
  explicit JavaRandom(int64_t seed)
      : state_((static_cast<uint64_t>(seed) ^ kMultiplier) & kMask) {}

  // At least 0 and less than 1.
  double NextDouble() {
    const uint64_t high = Next(26);
    const uint64_t low = Next(27);
    return static_cast<double>((high << 27) + low) * 0x1.0p-53;
  }

 private:
  static constexpr uint64_t kMultiplier = 0x5DEECE66D;
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;

  // The next `bits` bits, at most 32.
  uint64_t Next(int bits) {
    state_ = (state_ * kMultiplier + 0xB) & kMask;
    return state_ >> (48 - bits);
  }

  uint64_t state_;
};

}  // namespace byoshin::random

#endif  // BYOSHIN_CORE_RANDOM_JAVA_RANDOM_H_

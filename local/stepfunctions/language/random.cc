#include "local/stepfunctions/language/random.h"

#include <cstdint>
#include <string>

#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::stepfunctions {
namespace {

// FNV-1a: the same on every machine, unlike std::hash.
uint64_t HashOf(absl::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace

Random::Random(absl::string_view text) : state_(HashOf(text)) {}

// SplitMix64.
uint64_t Random::Bits() {
  state_ += 0x9e3779b97f4a7c15;
  uint64_t bits = state_;
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

double Random::Fraction() {
  constexpr double kUnit = 1.0 / (uint64_t{1} << 53);
  return static_cast<double>(Bits() >> 11) * kUnit;
}

uint64_t Random::Below(uint64_t limit) {
  // What is left over would make small results more likely.
  const uint64_t left_over = (~limit + 1) % limit;
  uint64_t bits = Bits();
  while (bits < left_over) bits = Bits();
  return bits % limit;
}

std::string Random::Uuid() {
  const uint64_t high = (Bits() & ~uint64_t{0xf000}) | 0x4000;
  const uint64_t low = (Bits() >> 2) | (uint64_t{1} << 63);
  return absl::StrFormat("%08x-%04x-%04x-%04x-%012x", high >> 32,
                         (high >> 16) & 0xffff, high & 0xffff, low >> 48,
                         low & 0xffffffffffff);
}

}  // namespace byoshin::local::stepfunctions

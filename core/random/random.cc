#include "core/random/random.h"

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/random/random.h"
#include "absl/strings/str_cat.h"

namespace byoshin::random {

std::uint64_t Bits() {
  thread_local absl::BitGen generator;
  return absl::Uniform<std::uint64_t>(generator);
}

std::string NewHex() {
  return absl::StrCat(absl::Hex(Bits(), absl::kZeroPad16));
}

std::string NewUuid() { return UuidOf(Bits); }

std::string UuidOf(absl::FunctionRef<std::uint64_t()> next_bits) {
  constexpr char kDigits[] = "0123456789abcdef";
  // x is a random digit, V the variant and two random bits. Not StrFormat(),
  // since every request and every message has such an ID.
  std::string id = "xxxxxxxx-xxxx-4xxx-Vxxx-xxxxxxxxxxxx";
  std::uint64_t bits = 0;
  int digits_left = 0;
  for (char& c : id) {
    if (c != 'x' && c != 'V') continue;
    if (digits_left == 0) {
      bits = next_bits();
      digits_left = 16;
    }
    c = kDigits[c == 'x' ? bits & 0xf : 0x8 | (bits & 0x3)];
    bits >>= 4;
    --digits_left;
  }
  return id;
}

}  // namespace byoshin::random

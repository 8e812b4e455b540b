#include "local/gateway/request_id.h"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace byoshin::local {
namespace {

using Generator = std::mt19937_64;

// A thread's own, so that threads need not wait for each other.
Generator& GeneratorOfThread() {
  thread_local Generator generator = [] {
    std::random_device device;
    std::seed_seq seed{device(), device(), device(), device()};
    return Generator(seed);
  }();
  return generator;
}

std::string NewUuid(Generator& generator) {
  constexpr char kDigits[] = "0123456789abcdef";
  // Version 4, variant 1 (RFC 9562, section 5.4); x is a random digit.
  std::string id = "xxxxxxxx-xxxx-4xxx-Vxxx-xxxxxxxxxxxx";
  uint64_t bits = 0;
  int digits_left = 0;
  for (char& c : id) {
    if (c != 'x' && c != 'V') continue;
    if (digits_left == 0) {
      bits = generator();
      digits_left = 16;
    }
    c = kDigits[c == 'x' ? bits & 0xf : 0x8 | (bits & 0x3)];
    bits >>= 4;
    --digits_left;
  }
  return id;
}

std::string NewUpperCaseId(Generator& generator) {
  constexpr char kCharacters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t kBytes = 52;
  // So many characters come from 64 random bits.
  constexpr int kCharactersPerDraw = 12;
  std::string id;
  id.reserve(kBytes);
  uint64_t bits = 0;
  for (std::size_t i = 0; i < kBytes; ++i) {
    if (i % kCharactersPerDraw == 0) bits = generator();
    id.push_back(kCharacters[bits % (sizeof(kCharacters) - 1)]);
    bits /= sizeof(kCharacters) - 1;
  }
  return id;
}

}  // namespace

std::string NewRequestId(RequestIdForm form) {
  Generator& generator = GeneratorOfThread();
  return form == RequestIdForm::kUuid ? NewUuid(generator)
                                      : NewUpperCaseId(generator);
}

}  // namespace byoshin::local

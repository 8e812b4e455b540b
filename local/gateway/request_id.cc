#include "local/gateway/request_id.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/random/random.h"

namespace byoshin::local {
namespace {

std::string NewUpperCaseId() {
  constexpr char kCharacters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
  constexpr std::size_t kBytes = 52;
  // The number of characters taken from 64 random bits.
  constexpr int kCharactersPerDraw = 12;
  std::string id;
  id.reserve(kBytes);
  uint64_t bits = 0;
  for (std::size_t i = 0; i < kBytes; ++i) {
    if (i % kCharactersPerDraw == 0) bits = random::Bits();
    id.push_back(kCharacters[bits % (sizeof(kCharacters) - 1)]);
    bits /= sizeof(kCharacters) - 1;
  }
  return id;
}

}  // namespace

std::string NewRequestId(RequestIdForm form) {
  return form == RequestIdForm::kUuid ? random::NewUuid() : NewUpperCaseId();
}

}  // namespace byoshin::local

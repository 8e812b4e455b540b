#include "local/appsync/script/identifiers.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"
#include "absl/numeric/int128.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace byoshin::local::appsync::script {
namespace {

// A KSUID's seconds count from 2014-05-13T16:53:20Z.
constexpr int64_t kKsuidEpoch = 1'400'000'000;

}  // namespace

std::string NewUlid(absl::Time now, absl::FunctionRef<std::uint64_t()> bits) {
  constexpr absl::string_view kDigits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  constexpr uint64_t kMillisecondsMask = (uint64_t{1} << 48) - 1;
  constexpr uint64_t kHighRandomMask = (uint64_t{1} << 16) - 1;
  const auto milliseconds =
      static_cast<uint64_t>(absl::ToUnixMillis(now)) & kMillisecondsMask;
  absl::uint128 value = absl::MakeUint128(
      milliseconds << 16 | (bits() & kHighRandomMask), bits());
  std::string id(26, '0');
  for (size_t i = id.size(); i-- > 0; value >>= 5) {
    id[i] = kDigits[static_cast<size_t>(absl::Uint128Low64(value) & 31)];
  }
  return id;
}

std::string NewKsuid(absl::Time now, absl::FunctionRef<std::uint64_t()> bits) {
  constexpr absl::string_view kDigits =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  const uint64_t first = bits();
  const uint64_t second = bits();
  // The number in base 2^32, the highest first.
  uint32_t words[5] = {
      static_cast<uint32_t>(absl::ToUnixSeconds(now) - kKsuidEpoch),
      static_cast<uint32_t>(first >> 32), static_cast<uint32_t>(first),
      static_cast<uint32_t>(second >> 32), static_cast<uint32_t>(second)};
  std::string id(27, '0');
  for (size_t i = id.size(); i-- > 0;) {
    uint64_t rest = 0;
    for (uint32_t& word : words) {
      rest = rest << 32 | word;
      word = static_cast<uint32_t>(rest / kDigits.size());
      rest %= kDigits.size();
    }
    id[i] = kDigits[static_cast<size_t>(rest)];
  }
  return id;
}

}  // namespace byoshin::local::appsync::script

// Random numbers and identifiers. The generator is seeded by the system, and
// its output cannot be predicted from outside; it is not meant for secrets.
//
//   table.uuid = random::NewUuid();  // "8476a536-e9f4-41e8-9739-2dfe598c3fcd"
#ifndef BYOSHIN_CORE_RANDOM_RANDOM_H_
#define BYOSHIN_CORE_RANDOM_RANDOM_H_

#include <cstdint>
#include <string>

#include "absl/functional/function_ref.h"

namespace byoshin::random {

// 64 random bits. Thread-safe: each thread has its own generator.
std::uint64_t Bits();

// 16 random digits of hexadecimal, in lower case. Thread-safe.
std::string NewHex();

// A UUID of version 4 (RFC 9562, section 5.4), in lower case. Thread-safe.
std::string NewUuid();
// The same from other bits, so that it can be repeated. Calls `bits` twice. Not
// an overload: NewUuid is passed as a function.
std::string UuidOf(absl::FunctionRef<std::uint64_t()> bits);

}  // namespace byoshin::random

#endif  // BYOSHIN_CORE_RANDOM_RANDOM_H_

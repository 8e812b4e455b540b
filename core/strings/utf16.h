// The length of a text as JavaScript counts it.
//
//   strings::Utf16Length("秒針")  // 2
#ifndef BYOSHIN_CORE_STRINGS_UTF16_H_
#define BYOSHIN_CORE_STRINGS_UTF16_H_

#include <cstddef>

#include "absl/strings/string_view.h"

namespace byoshin::strings {

// The units of UTF-16 that the UTF-8 text has: two for a character beyond the
// basic plane, one for any other.
std::size_t Utf16Length(absl::string_view utf8);

}  // namespace byoshin::strings

#endif  // BYOSHIN_CORE_STRINGS_UTF16_H_

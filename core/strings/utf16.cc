#include "core/strings/utf16.h"

#include <cstddef>
#include <cstdint>

#include "absl/strings/string_view.h"

namespace byoshin::strings {

std::size_t Utf16Length(absl::string_view utf8) {
  std::size_t length = 0;
  for (const char c : utf8) {
    const auto byte = static_cast<std::uint8_t>(c);
    if ((byte & 0xC0) == 0x80) continue;  // inside a character
    // Four bytes of UTF-8 are a surrogate pair.
    length += byte >= 0xF0 ? 2 : 1;
  }
  return length;
}

}  // namespace byoshin::strings

#include "local/store/store.h"

#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local {

KeyRange PrefixRange(absl::string_view prefix) {
  KeyRange range{.begin = std::string(prefix), .end = std::string(prefix)};
  // The first key after all with this prefix: increments the last byte that can
  // be incremented and drops what follows it.
  while (!range.end.empty()) {
    const auto last = static_cast<unsigned char>(range.end.back());
    if (last != 0xFF) {
      range.end.back() = static_cast<char>(last + 1);
      break;
    }
    range.end.pop_back();
  }
  return range;
}

}  // namespace byoshin::local

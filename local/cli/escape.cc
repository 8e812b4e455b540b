#include "local/cli/escape.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/text.h"

namespace byoshin::local::cli {
namespace {

// Moves the first character to `out`, escaped if it is a control character, or
// no UTF-8.
void MoveCharacter(absl::string_view& text, std::string& out) {
  const std::size_t length = json::Utf8SequenceLength(text);
  const auto first = static_cast<unsigned char>(text[0]);
  // Control characters of ASCII, and those that UTF-8 writes in two bytes.
  const bool control = length == 0 ||
                       (length == 1 && (first < 0x20 || first == 0x7F)) ||
                       (length == 2 && first == 0xC2 &&
                        static_cast<unsigned char>(text[1]) < 0xA0);
  const absl::string_view taken =
      text.substr(0, std::max<std::size_t>(length, 1));
  if (control && first != '\t') {
    absl::StrAppend(&out, absl::CHexEscape(taken));
  } else {
    absl::StrAppend(&out, taken);
  }
  text.remove_prefix(taken.size());
}

}  // namespace

std::string Printable(absl::string_view text) {
  std::string out;
  while (!text.empty()) MoveCharacter(text, out);
  return out;
}

std::string EscapeForTerminal(absl::string_view text, absl::string_view seal) {
  std::string out;
  const auto pass = [&](absl::string_view sequence) {
    if (!absl::ConsumePrefix(&text, sequence)) return false;
    absl::StrAppend(&out, sequence);
    return true;
  };
  pass("\r");
  while (!text.empty()) {
    if (pass("\n") || pass("\r\n")) continue;
    if (!seal.empty() && text.size() > seal.size() &&
        absl::ConsumePrefix(&text, seal)) {
      pass(text.substr(0, 1));
      continue;
    }
    MoveCharacter(text, out);
  }
  return out;
}

}  // namespace byoshin::local::cli

#include "local/cognito/names.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/limits.h"

namespace byoshin::local::cognito {
namespace {

constexpr std::size_t kMaxPhoneDigits = 15;
constexpr std::size_t kShownDigits = 4;

bool IsVisible(char c) {
  const auto byte = static_cast<unsigned char>(c);
  // Bytes of longer UTF-8 sequences are visible, too.
  return byte > ' ' && byte != 0x7f;
}

}  // namespace

bool IsEmail(absl::string_view text) {
  const std::size_t at = text.rfind('@');
  return at != text.npos && at > 0 && at + 1 < text.size() &&
         text.find('@') == at && text.back() != '.' && text[at + 1] != '.' &&
         text.substr(at).find("..") == text.npos &&
         std::all_of(text.begin(), text.end(), IsVisible);
}

bool IsPhone(absl::string_view text) {
  return text.size() > 1 && text.size() <= kMaxPhoneDigits + 1 &&
         text.front() == '+' &&
         std::all_of(text.begin() + 1, text.end(), [](char c) {
           return absl::ascii_isdigit(static_cast<unsigned char>(c));
         });
}

bool IsUserName(absl::string_view text) {
  return !text.empty() &&
         text.size() <= static_cast<std::size_t>(kMaxNameLength) &&
         std::all_of(text.begin(), text.end(), IsVisible);
}

std::string MaskedAddress(absl::string_view address) {
  if (IsEmail(address)) {
    const std::size_t at = address.find('@');
    return absl::StrCat(address.substr(0, 1), "***@", address.substr(at + 1, 1),
                        "***");
  }
  const std::size_t shown = std::min(kShownDigits, address.size());
  return absl::StrCat("+*******", address.substr(address.size() - shown));
}

}  // namespace byoshin::local::cognito

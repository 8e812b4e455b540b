// Base 64 with the alphabet for URLs and without padding (RFC 7515, section 2).
//
//   Base64UrlEncode("\xfb\xff");            // "-_8"
//   Base64UrlDecode("-_8");                 // "\xfb\xff"
//   Base64UrlDecode("-_8=").has_value();    // false
#ifndef BYOSHIN_LOCAL_JWT_BASE64URL_H_
#define BYOSHIN_LOCAL_JWT_BASE64URL_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"

namespace byoshin::local::jwt {

std::string Base64UrlEncode(absl::string_view bytes);

// Accepts only what Base64UrlEncode() can return, so that there is one text for
// each byte string; otherwise std::nullopt.
std::optional<std::string> Base64UrlDecode(absl::string_view text);

}  // namespace byoshin::local::jwt

#endif  // BYOSHIN_LOCAL_JWT_BASE64URL_H_

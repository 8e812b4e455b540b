#include "local/jwt/base64url.h"

#include <optional>
#include <string>

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::jwt {

std::string Base64UrlEncode(absl::string_view bytes) {
  return absl::WebSafeBase64Escape(bytes);
}

std::optional<std::string> Base64UrlDecode(absl::string_view text) {
  std::string bytes;
  if (!absl::WebSafeBase64Unescape(text, &bytes)) return std::nullopt;
  // Abseil also accepts padding, spaces and stray bits.
  if (Base64UrlEncode(bytes) != text) return std::nullopt;
  return bytes;
}

}  // namespace byoshin::local::jwt

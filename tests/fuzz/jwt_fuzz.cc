// Tries to verify any text as a token, and any header and claims (the first
// line and the rest) that were signed with the right key. Only a token whose
// header names that key and RS256 is verified, and it has the claims that were
// signed.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/jwt/base64url.h"
#include "local/jwt/rsa_key.h"
#include "local/jwt/token.h"

namespace byoshin::local::jwt {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

const SigningKey& Key() {
  static const auto& key =
      *new SigningKey{.id = "k", .key = *RsaKey::Generate()};
  return key;
}

void Try(absl::string_view data) {
  Require(!VerifyToken(data, {Key()}).ok(), "a text without key is refused");
  (void)UnverifiedClaims(data).ok();

  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(data, absl::MaxSplits('\n', 1));
  const std::string text = absl::StrCat(Base64UrlEncode(lines.first), ".",
                                        Base64UrlEncode(lines.second));
  const absl::StatusOr<std::string> signature = Key().key.Sign(text);
  Require(signature.ok(), "any text can be signed");
  const absl::StatusOr<Json::Value> claims = VerifyToken(
      absl::StrCat(text, ".", Base64UrlEncode(*signature)), {Key()});
  if (!claims.ok()) return;
  const absl::StatusOr<Json::Value> header = json::ParseValue(lines.first);
  Require(header.ok() && json::TextMember(*header, "alg") == "RS256" &&
              json::TextMember(*header, "kid") == "k" &&
              !header->isMember("crit"),
          "the header says how it was signed");
  Require(*claims == *json::ParseValue(lines.second),
          "the claims are those that were signed");
}

}  // namespace
}  // namespace byoshin::local::jwt

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::jwt::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

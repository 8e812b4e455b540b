#include "local/jwt/token.h"

#include <json/json.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/jwt/base64url.h"
#include "local/jwt/rsa_key.h"

namespace byoshin::local::jwt {
namespace {

constexpr char kAlgorithm[] = "RS256";
constexpr std::size_t kParts = 3;

// The parts of a token, as views of its text.
struct TokenParts {
  absl::string_view header{};
  absl::string_view claims{};
  absl::string_view signature{};
  // What is signed: header and claims with the dot between them.
  absl::string_view signed_text{};
};

absl::StatusOr<TokenParts> SplitToken(absl::string_view token) {
  if (token.size() > kMaxTokenBytes) {
    return absl::InvalidArgumentError("the token is too long");
  }
  const std::vector<absl::string_view> parts = absl::StrSplit(token, '.');
  if (parts.size() != kParts) {
    return absl::InvalidArgumentError(
        "the token does not have three parts separated by dots");
  }
  return TokenParts{
      .header = parts[0],
      .claims = parts[1],
      .signature = parts[2],
      .signed_text = token.substr(0, parts[0].size() + 1 + parts[1].size())};
}

absl::StatusOr<Json::Value> DecodeObject(absl::string_view name,
                                         absl::string_view part) {
  const std::optional<std::string> text = Base64UrlDecode(part);
  if (!text.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token's ", name, " is not in base 64 for URLs"));
  }
  absl::StatusOr<Json::Value> value = json::ParseValue(*text);
  if (!value.ok() || !value->isObject()) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token's ", name, " is not a JSON object"));
  }
  return value;
}

// The ID of the key, if the header is one that this library can verify.
absl::StatusOr<std::string> KeyIdIn(const Json::Value& header) {
  if (json::TextMember(header, "alg") != kAlgorithm) {
    return absl::InvalidArgumentError(
        absl::StrCat("the token's algorithm is not ", kAlgorithm));
  }
  // Extensions that must be understood (RFC 7515, section 4.1.11), and payloads
  // that are not encoded (RFC 7797).
  for (const char* name : {"crit", "b64"}) {
    if (header.isMember(name)) {
      return absl::InvalidArgumentError(
          absl::StrCat("the token's header has \"", name, "\""));
    }
  }
  std::string id = json::TextMember(header, "kid");
  if (id.empty()) {
    return absl::InvalidArgumentError("the token does not name its key");
  }
  return id;
}

}  // namespace

absl::StatusOr<std::string> SignToken(const SigningKey& key,
                                      const Json::Value& claims) {
  Json::Value header(Json::objectValue);
  header["alg"] = kAlgorithm;
  header["kid"] = key.id;
  std::string token =
      absl::StrCat(Base64UrlEncode(json::WriteValue(header)), ".",
                   Base64UrlEncode(json::WriteValue(claims)));
  const absl::StatusOr<std::string> signature = key.key.Sign(token);
  if (!signature.ok()) return signature.status();
  absl::StrAppend(&token, ".", Base64UrlEncode(*signature));
  return token;
}

absl::StatusOr<Json::Value> VerifyToken(absl::string_view token,
                                        const std::vector<SigningKey>& keys) {
  const absl::StatusOr<TokenParts> parts = SplitToken(token);
  if (!parts.ok()) return parts.status();
  const absl::StatusOr<Json::Value> header =
      DecodeObject("header", parts->header);
  if (!header.ok()) return header.status();
  const absl::StatusOr<std::string> id = KeyIdIn(*header);
  if (!id.ok()) return id.status();
  const std::optional<std::string> signature =
      Base64UrlDecode(parts->signature);
  if (!signature.has_value()) {
    return absl::InvalidArgumentError(
        "the token's signature is not in base 64 for URLs");
  }
  for (const SigningKey& key : keys) {
    if (key.id != *id) continue;
    if (!key.key.Verify(parts->signed_text, *signature)) {
      return absl::InvalidArgumentError("the token's signature is wrong");
    }
    return DecodeObject("payload", parts->claims);
  }
  return absl::InvalidArgumentError("the token is signed with another key");
}

absl::StatusOr<Json::Value> UnverifiedClaims(absl::string_view token) {
  const absl::StatusOr<TokenParts> parts = SplitToken(token);
  if (!parts.ok()) return parts.status();
  return DecodeObject("payload", parts->claims);
}

}  // namespace byoshin::local::jwt

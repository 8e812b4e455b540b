#include "local/jwt/token.h"

#include <gtest/gtest.h>
#include <json/json.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/crypto/sha256.h"
#include "core/json/value.h"
#include "local/jwt/base64url.h"
#include "local/jwt/rsa_key.h"

namespace byoshin::local::jwt {
namespace {

// Generating a key takes long, so tests share two.
const SigningKey& Key() {
  static const auto& key =
      *new SigningKey{.id = "one", .key = *RsaKey::Generate()};
  return key;
}
const SigningKey& OtherKey() {
  static const auto& key =
      *new SigningKey{.id = "two", .key = *RsaKey::Generate()};
  return key;
}

Json::Value Claims() {
  Json::Value claims(Json::objectValue);
  claims["sub"] = "u1";
  claims["exp"] = 1700000000;
  return claims;
}

std::string Token() { return *SignToken(Key(), Claims()); }

// The token with its header replaced, signed with Key() nevertheless.
std::string WithHeader(absl::string_view header) {
  std::string text = absl::StrCat(Base64UrlEncode(header), ".",
                                  Base64UrlEncode(json::WriteValue(Claims())));
  const std::string signature = *Key().key.Sign(text);
  return absl::StrCat(text, ".", Base64UrlEncode(signature));
}

std::string ReasonFor(absl::string_view token) {
  const absl::StatusOr<Json::Value> verified = VerifyToken(token, {Key()});
  EXPECT_TRUE(absl::IsInvalidArgument(verified.status())) << verified.status();
  return std::string(verified.status().message());
}

TEST(RsaKey, SurvivesPem) {
  const std::string pem = *Key().key.ToPem();
  const absl::StatusOr<RsaKey> read = RsaKey::FromPem(pem);
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_TRUE(read->Verify("text", *Key().key.Sign("text")));
  EXPECT_EQ(read->JwkModulus(), Key().key.JwkModulus());
}

TEST(RsaKey, IsNotReadFromOtherText) {
  EXPECT_TRUE(absl::IsInvalidArgument(RsaKey::FromPem("").status()));
  EXPECT_TRUE(absl::IsInvalidArgument(
      RsaKey::FromPem(*Key().key.PublicKeyPem()).status()));
}

TEST(RsaKey, HasAJwkOfItsSize) {
  EXPECT_EQ(Base64UrlDecode(Key().key.JwkModulus())->size() * 8, kRsaKeyBits);
  EXPECT_EQ(Key().key.JwkExponent(), "AQAB");
}

TEST(RsaKey, RefusesSignaturesOfOtherTextAndOtherKeys) {
  const std::string signature = *Key().key.Sign("text");
  EXPECT_FALSE(Key().key.Verify("texT", signature));
  EXPECT_FALSE(OtherKey().key.Verify("text", signature));
  EXPECT_FALSE(Key().key.Verify("text", ""));
}

TEST(Token, IsVerifiedWithItsKey) {
  const absl::StatusOr<Json::Value> claims =
      VerifyToken(Token(), {OtherKey(), Key()});
  ASSERT_TRUE(claims.ok()) << claims.status();
  EXPECT_EQ(*claims, Claims());
  EXPECT_EQ(*UnverifiedClaims(Token()), Claims());
}

TEST(Token, OfAnUnknownKeyIsRefused) {
  EXPECT_EQ(ReasonFor(*SignToken(OtherKey(), Claims())),
            "the token is signed with another key");
}

TEST(Token, ThatNamesAKeyItWasNotSignedWithIsRefused) {
  const SigningKey liar{.id = Key().id, .key = OtherKey().key};
  EXPECT_EQ(ReasonFor(*SignToken(liar, Claims())),
            "the token's signature is wrong");
}

TEST(Token, WithoutSignatureIsRefused) {
  const std::string unsigned_text =
      absl::StrCat(Base64UrlEncode(R"({"alg":"none","kid":"one"})"), ".",
                   Base64UrlEncode(json::WriteValue(Claims())), ".");
  EXPECT_EQ(ReasonFor(unsigned_text), "the token's algorithm is not RS256");
  const std::string token = Token();
  EXPECT_EQ(ReasonFor(token.substr(0, token.rfind('.') + 1)),
            "the token's signature is wrong");
}

TEST(Token, SignedWithThePublicKeyAsASecretIsRefused) {
  const std::string text =
      absl::StrCat(Base64UrlEncode(R"({"alg":"HS256","kid":"one"})"), ".",
                   Base64UrlEncode(json::WriteValue(Claims())));
  const crypto::Sha256Digest digest =
      crypto::HmacSha256(*Key().key.PublicKeyPem(), text);
  const std::string signature(digest.begin(), digest.end());
  EXPECT_EQ(ReasonFor(absl::StrCat(text, ".", Base64UrlEncode(signature))),
            "the token's algorithm is not RS256");
}

TEST(Token, WithAnotherHeaderIsRefused) {
  for (const char* header :
       {"{}", "[]", "1", R"({"alg":"rs256","kid":"one"})",
        R"({"alg":["RS256"],"kid":"one"})", R"({"alg":"RS256"})",
        R"({"alg":"RS256","kid":7})", R"({"alg":"RS256","kid":"two"})",
        R"({"alg":"none","alg":"RS256","kid":"one"})",
        R"({"alg":"RS256","b64":false,"kid":"one"})",
        R"({"alg":"RS256","crit":["x"],"kid":"one"})"}) {
    EXPECT_NE(ReasonFor(WithHeader(header)), "") << header;
  }
  EXPECT_TRUE(
      VerifyToken(WithHeader(R"({"alg":"RS256","kid":"one","typ":"JWT"})"),
                  {Key()})
          .ok());
}

TEST(Token, IgnoresKeysInItsHeader) {
  Json::Value header;
  header["alg"] = "RS256";
  header["kid"] = Key().id;
  header["jwk"]["kty"] = "RSA";
  header["jwk"]["n"] = OtherKey().key.JwkModulus();
  header["jwk"]["e"] = OtherKey().key.JwkExponent();
  const std::string text =
      absl::StrCat(Base64UrlEncode(json::WriteValue(header)), ".",
                   Base64UrlEncode(json::WriteValue(Claims())));
  const std::string signature = *OtherKey().key.Sign(text);
  EXPECT_EQ(ReasonFor(absl::StrCat(text, ".", Base64UrlEncode(signature))),
            "the token's signature is wrong");
}

TEST(Token, MustHaveThreeParts) {
  const std::string token = Token();
  EXPECT_NE(ReasonFor(""), "");
  EXPECT_NE(ReasonFor("a.b"), "");
  EXPECT_NE(ReasonFor(absl::StrCat(token, ".")), "");
  EXPECT_NE(ReasonFor(absl::StrCat(" ", token)), "");
  EXPECT_NE(ReasonFor(absl::StrCat(token, "=")), "");
  EXPECT_NE(ReasonFor(absl::StrCat(token, "\n")), "");
}

TEST(Token, MayNotBeTooLong) {
  Json::Value claims = Claims();
  claims["long"] = std::string(kMaxTokenBytes, 'x');
  EXPECT_EQ(ReasonFor(*SignToken(Key(), claims)), "the token is too long");
}

TEST(Base64Url, IsCanonical) {
  EXPECT_EQ(Base64UrlEncode("\xfb\xff"), "-_8");
  EXPECT_EQ(Base64UrlDecode("-_8"), "\xfb\xff");
  for (const char* text : {"-_8=", "+/8", "-_9", "-", "-_8 ", "-\n_8", "a.b"}) {
    EXPECT_FALSE(Base64UrlDecode(text).has_value()) << text;
  }
}

// **Feature: tokens, Property 1: A token of which any character is changed is
// refused**
RC_GTEST_PROP(TokenProperty, RefusesATokenWithAnyCharacterChanged, ()) {
  const std::string token = Token();
  const auto at = *rc::gen::inRange<std::size_t>(0, token.size());
  const char other = *rc::gen::suchThat(rc::gen::character<char>(),
                                        [&](char c) { return c != token[at]; });
  std::string changed = token;
  changed[at] = other;
  RC_ASSERT(!VerifyToken(changed, {Key()}).ok());
}

// **Feature: tokens, Property 2: Base 64 for URLs gives any bytes back, and has
// one text for each**
RC_GTEST_PROP(TokenProperty, Base64UrlIsABijection, (const std::string& text)) {
  RC_ASSERT(Base64UrlDecode(Base64UrlEncode(text)) == text);
  const std::optional<std::string> bytes = Base64UrlDecode(text);
  if (bytes.has_value()) RC_ASSERT(Base64UrlEncode(*bytes) == text);
}

}  // namespace
}  // namespace byoshin::local::jwt

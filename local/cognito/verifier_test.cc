// What API Gateway asks about tokens.

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"
#include "core/http/server_message.h"
#include "core/json/value.h"
#include "local/cognito/directory.h"
#include "local/cognito/documents.h"
#include "local/cognito/testing/test_pool.h"
#include "local/cognito/token_verifier.h"
#include "local/jwt/base64url.h"
#include "local/jwt/token.h"

namespace byoshin::local::cognito {
namespace {

using Outcome = Verdict::Outcome;

class VerifierTest : public TestPool {
 protected:
  void SetUp() override {
    AddUser("jane", "Secret-1");
    const Json::Value tokens =
        Good(SignIn("jane", "Secret-1"))["AuthenticationResult"];
    id_ = tokens["IdToken"].asString();
    access_ = tokens["AccessToken"].asString();
  }

  std::string Arn(const std::string& pool) {
    return absl::StrCat("arn:aws:cognito-idp:us-east-1:000000000000:userpool/",
                        pool);
  }
  Verdict Verify(const std::string& token,
                 const std::vector<std::string>& scopes = {}) {
    return cognito_->verifier().Verify(
        {.pool_arns = {Arn("us-east-1_unknown"), Arn(pool_)},
         .token = token,
         .scopes = scopes});
  }
  Outcome OutcomeOf(const std::string& token) { return Verify(token).outcome; }
  // The ID token with one claim changed, signed with the pool's key.
  std::string With(const char* claim, const Json::Value& value) {
    Json::Value claims = Claims(id_);
    claims[claim] = value;
    return *jwt::SignToken(cognito_->directory().Find(pool_)->key, claims);
  }
  std::int64_t Now() { return absl::ToUnixSeconds(clock_.Now()); }

  std::string id_;
  std::string access_;
};

TEST_F(VerifierTest, AcceptsAnIdTokenAndTellsItsClaims) {
  const Verdict verdict = Verify(id_);
  EXPECT_EQ(verdict.outcome, Outcome::kValid) << verdict.reason;
  EXPECT_EQ(verdict.claims["cognito:username"], "jane");
  EXPECT_EQ(OutcomeOf(absl::StrCat("Bearer ", id_)), Outcome::kValid);
}

TEST_F(VerifierTest, TellsExpiredTokensFromInvalidOnes) {
  clock_.AdvanceBy(absl::Minutes(60) - absl::Seconds(1));
  EXPECT_EQ(OutcomeOf(id_), Outcome::kValid);
  clock_.AdvanceBy(absl::Seconds(1));
  EXPECT_EQ(OutcomeOf(id_), Outcome::kExpired);
}

TEST_F(VerifierTest, RefusesATokenWithoutSignature) {
  const std::string payload =
      std::vector<std::string>(absl::StrSplit(id_, '.'))[1];
  const std::string key = cognito_->directory().Find(pool_)->key.id;
  for (const char* algorithm : {"none", "None", "NONE", ""}) {
    Json::Value header;
    header["alg"] = algorithm;
    header["kid"] = key;
    const std::string token = absl::StrCat(
        jwt::Base64UrlEncode(json::WriteValue(header)), ".", payload, ".");
    EXPECT_EQ(OutcomeOf(token), Outcome::kInvalid) << algorithm;
  }
}

TEST_F(VerifierTest, RefusesATokenSignedWithThePublicKeyAsASecret) {
  const std::shared_ptr<const Directory::Pool> pool =
      cognito_->directory().Find(pool_);
  Json::Value header;
  header["alg"] = "HS256";
  header["kid"] = pool->key.id;
  const std::string text =
      absl::StrCat(jwt::Base64UrlEncode(json::WriteValue(header)), ".",
                   jwt::Base64UrlEncode(json::WriteValue(Claims(id_))));
  for (const std::string& secret :
       {*pool->key.key.PublicKeyPem(), JwksText(*pool),
        pool->key.key.JwkModulus()}) {
    const crypto::Sha256Digest digest = crypto::HmacSha256(secret, text);
    const std::string signature(digest.begin(), digest.end());
    EXPECT_EQ(
        OutcomeOf(absl::StrCat(text, ".", jwt::Base64UrlEncode(signature))),
        Outcome::kInvalid);
  }
}

TEST_F(VerifierTest, RefusesATokenOfAnotherPool) {
  const std::string other = CreatePool("{}");
  EXPECT_EQ(cognito_->verifier()
                .Verify({.pool_arns = {Arn(other)}, .token = id_})
                .outcome,
            Outcome::kInvalid);
  // Nor does it help to claim this pool as the issuer.
  EXPECT_EQ(OutcomeOf(*jwt::SignToken(cognito_->directory().Find(other)->key,
                                      Claims(id_))),
            Outcome::kInvalid);
  const jwt::SigningKey liar{.id = cognito_->directory().Find(pool_)->key.id,
                             .key = cognito_->directory().Find(other)->key.key};
  EXPECT_EQ(OutcomeOf(*jwt::SignToken(liar, Claims(id_))), Outcome::kInvalid);
}

TEST_F(VerifierTest, RefusesATokenThatIsNotValidYet) {
  EXPECT_EQ(OutcomeOf(With("iat", Json::Int64(Now() + 1))), Outcome::kInvalid);
  EXPECT_EQ(OutcomeOf(With("nbf", Json::Int64(Now() + 1))), Outcome::kInvalid);
  EXPECT_EQ(OutcomeOf(With("nbf", Json::Int64(Now()))), Outcome::kValid);
}

TEST_F(VerifierTest, RefusesATokenForAnotherUse) {
  EXPECT_EQ(OutcomeOf(access_), Outcome::kInvalid);
  EXPECT_EQ(Verify(id_, {"aws.cognito.signin.user.admin"}).outcome,
            Outcome::kInvalid);
  EXPECT_EQ(OutcomeOf(With("token_use", "access")), Outcome::kInvalid);
  EXPECT_EQ(OutcomeOf(With("token_use", Json::nullValue)), Outcome::kInvalid);
}

TEST_F(VerifierTest, RefusesATokenForAnotherClient) {
  EXPECT_EQ(OutcomeOf(With("aud", "unknown")), Outcome::kInvalid);
  Json::Value request = InPool();
  request["ClientId"] = client_;
  Good(Call("DeleteUserPoolClient", request));
  EXPECT_EQ(OutcomeOf(id_), Outcome::kInvalid);
}

TEST_F(VerifierTest, RefusesAnExchangedPayload) {
  const std::vector<std::string> parts = absl::StrSplit(id_, '.');
  Json::Value claims = Claims(id_);
  claims["sub"] = "somebody else";
  EXPECT_EQ(OutcomeOf(absl::StrCat(
                parts[0], ".", jwt::Base64UrlEncode(json::WriteValue(claims)),
                ".", parts[2])),
            Outcome::kInvalid);
}

TEST_F(VerifierTest, RefusesTimesThatAreNotNumbers) {
  for (const char* claim : {"exp", "iat", "nbf"}) {
    EXPECT_EQ(OutcomeOf(With(claim, "9999999999")), Outcome::kInvalid);
    EXPECT_EQ(OutcomeOf(With(claim, 1e300)), Outcome::kInvalid);
  }
}

TEST_F(VerifierTest, RefusesWhatIsNoToken) {
  for (const char* token : {"", "Bearer ", "x", "a.b.c", "..", "Basic eHg="}) {
    EXPECT_EQ(OutcomeOf(token), Outcome::kInvalid) << token;
  }
}

TEST_F(VerifierTest, AcceptsAnAccessTokenWithOneOfTheScopes) {
  EXPECT_EQ(Verify(access_, {"x", "aws.cognito.signin.user.admin"}).outcome,
            Outcome::kValid);
  EXPECT_EQ(Verify(access_, {"aws.cognito.signin"}).outcome,
            Outcome::kLacksScope);
}

TEST_F(VerifierTest, AcceptsATokenAfterItsUserHasSignedOutAsOnAws) {
  Good(Call("AdminUserGlobalSignOut", InPool("jane")));
  EXPECT_EQ(OutcomeOf(id_), Outcome::kValid);
}

TEST_F(VerifierTest, KnowsThePoolsOfAnEarlierProcess) {
  Reopen();
  EXPECT_EQ(OutcomeOf(id_), Outcome::kValid);
}

TEST_F(VerifierTest, PublishesTheKeys) {
  http::ServerRequest request;
  request.method = "GET";
  request.path = absl::StrCat("/", pool_, "/.well-known/jwks.json");
  const auto answer = DocumentAnswer(cognito_->directory(), request);
  ASSERT_TRUE(answer.has_value());
  const Json::Value keys = *json::ParseValue(answer->body);
  EXPECT_EQ(keys["keys"][0]["kid"], cognito_->directory().Find(pool_)->key.id);
  EXPECT_FALSE(keys["keys"][0].isMember("d"));
  request.method = "POST";
  EXPECT_EQ(DocumentAnswer(cognito_->directory(), request)->status, 405);
  request.path = absl::StrCat("/", pool_, "/.well-known/other");
  EXPECT_FALSE(DocumentAnswer(cognito_->directory(), request).has_value());
}

TEST(ClaimText, IsWhatFunctionsGet) {
  EXPECT_EQ(ClaimText("exp", Json::Int64(1680633579)),
            "Tue Apr 04 18:39:39 UTC 2023");
  EXPECT_EQ(ClaimText("auth_time", Json::Int64(1680629979)), "1680629979");
  EXPECT_EQ(ClaimText("email_verified", true), "true");
  Json::Value groups;
  groups.append("a");
  groups.append("b");
  EXPECT_EQ(ClaimText("cognito:groups", groups), "a,b");
}

}  // namespace
}  // namespace byoshin::local::cognito

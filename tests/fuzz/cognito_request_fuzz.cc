// Tries the local Cognito on any request: the operation on the first line, the
// body after it, in which POOL, CLIENT and TOKEN stand for those of a user.
// Whatever the request says, it gets one answer, which is JSON, and an error is
// the caller's. With "verify" as the operation, the body is the claims of a
// token with the pool's own signature: none is valid that is for another pool,
// client or use, or has expired.
#include <json/json.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/async/await.h"
#include "core/json/value.h"
#include "core/time/simulated_clock.h"
#include "local/cognito/cognito.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/service.h"
#include "local/jwt/rsa_key.h"
#include "local/jwt/token.h"
#include "local/store/sqlite_store.h"
#include "local/store/store.h"

namespace byoshin::local::cognito {
namespace {

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

absl::StatusOr<jwt::RsaKey> OneKey() {
  static const auto& key = *new jwt::RsaKey(*jwt::RsaKey::Generate());
  return key;
}

// A service with a pool that has software tokens, a client and a user.
class Target {
 public:
  Target()
      : clock_(absl::FromUnixSeconds(1764670980)),
        store_(*OpenSqliteStore({})),
        cognito_(*Cognito::Open(*store_, clock_,
                                {.password_cost = {.log2_cost = 1,
                                                   .block_size = 1,
                                                   .parallelism = 1},
                                 .new_key = OneKey})) {
    pool_ = Get("CreateUserPool", R"({"PoolName":"p"})")["UserPool"]["Id"]
                .asString();
    Get("SetUserPoolMfaConfig",
        absl::StrCat(R"({"UserPoolId":")", pool_,
                     R"(","MfaConfiguration":"OPTIONAL",)"
                     R"("SoftwareTokenMfaConfiguration":{"Enabled":true}})"));
    client_ =
        Get("CreateUserPoolClient",
            absl::StrCat(R"({"ClientName":"c","UserPoolId":")", pool_,
                         R"(","ExplicitAuthFlows":[)"
                         R"("ALLOW_USER_PASSWORD_AUTH"]})"))["UserPoolClient"]
                                                            ["ClientId"]
                                                                .asString();
    token_ =
        Get("ByoshinGiveTokens",
            R"({"Username":"jane"})")["AuthenticationResult"]["AccessToken"]
            .asString();
  }

  // Whether what a request needs is still there.
  bool IsWhole() const {
    const auto pool = cognito_->directory().Find(pool_);
    return pool != nullptr && pool->client_ids.contains(client_);
  }

  void Try(absl::string_view operation, absl::string_view body) {
    const std::string text = absl::StrReplaceAll(
        body, {{"POOL", pool_}, {"CLIENT", client_}, {"TOKEN", token_}});
    if (operation == "verify") return TryToVerify(text);
    const Answer answer = Send(operation, text);
    Require(answer.status == 200 || answer.status == 400,
            "an error is the caller's");
    Require(json::ParseValue(answer.body).ok(), "an answer is JSON");
  }

 private:
  Answer Send(absl::string_view operation, const std::string& body) {
    const Call call{.operation = std::string(operation),
                    .body = body,
                    .region = "us-east-1",
                    .caller = {.account_id = "000000000000"}};
    cognito_->PermissionsFor(call);
    return async::Await<Answer>(
        [&](auto done) { cognito_->Handle(call, done); });
  }

  Json::Value Get(absl::string_view operation, const std::string& body) {
    const Answer answer = Send(operation, body);
    Require(answer.status == 200, "the pool can be made");
    return *json::ParseValue(answer.body);
  }

  void TryToVerify(const std::string& text) {
    const absl::StatusOr<Json::Value> claims = json::ParseValue(text);
    if (!claims.ok()) return;
    const auto pool = cognito_->directory().Find(pool_);
    const absl::StatusOr<std::string> token =
        jwt::SignToken(pool->key, *claims);
    Require(token.ok(), "any claims can be signed");
    const Verdict verdict = cognito_->verifier().Verify(
        {.pool_arns = {pool->arn}, .token = *token});
    Require(
        verdict.outcome == Verdict::Outcome::kValid || !verdict.reason.empty(),
        "a refusal has a reason");
    if (verdict.outcome != Verdict::Outcome::kValid) return;
    Require((*claims)["iss"] == pool->issuer && (*claims)["aud"] == client_ &&
                (*claims)["token_use"] == "id" &&
                (*claims)["exp"].asInt64() > absl::ToUnixSeconds(clock_.Now()),
            "a valid token is an ID token of the pool and has not expired");
  }

  time::SimulatedClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<Cognito> cognito_;
  std::string pool_;
  std::string client_;
  std::string token_;
};

void Try(absl::string_view data) {
  static auto& target = *new std::unique_ptr<Target>;
  if (target == nullptr || !target->IsWhole()) {
    target = std::make_unique<Target>();
  }
  const std::pair<absl::string_view, absl::string_view> lines =
      absl::StrSplit(data, absl::MaxSplits('\n', 1));
  target->Try(lines.first, lines.second);
}

}  // namespace
}  // namespace byoshin::local::cognito

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  byoshin::local::cognito::Try(
      absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}

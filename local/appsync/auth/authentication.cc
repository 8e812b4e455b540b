#include "local/appsync/auth/authentication.h"

#include <json/json.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/async/gate.h"
#include "core/http/server_message.h"
#include "core/json/data.h"
#include "core/json/value.h"
#include "core/sync/mutex.h"
#include "core/time/alarms.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/names.h"
#include "local/cognito/token_verifier.h"
#include "local/gateway/authenticator.h"
#include "local/gateway/error.h"
#include "local/iam/evaluation.h"
#include "local/iam/iam.h"
#include "re2/re2.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr char kApiKeyHeader[] = "x-api-key";
constexpr char kSignature[] = "AWS4-HMAC-SHA256";
constexpr int kForbidden = 403;
// Answers of authorizers that are kept for all APIs.
constexpr std::size_t kMaxCached = 10'000;
// The function is asked about a longer token each time.
constexpr std::size_t kMaxCachedTokenBytes = 8192;

const AuthenticationProvider* FindProvider(const ApiState& state,
                                           AuthenticationType type) {
  for (const AuthenticationProvider& provider : state.api->providers) {
    if (provider.type == type) return &provider;
  }
  return nullptr;
}

bool IsDefault(const ApiState& state, const AuthenticationProvider& provider) {
  return &provider == state.api->providers.data();
}

Data Texts(const std::vector<std::string>& texts) {
  std::vector<Data> elements;
  for (const std::string& text : texts) elements.push_back(Data::String(text));
  return Data::Array(std::move(elements));
}

// As GraphQL's resolvers see a user.
Data UserIdentity(const Json::Value& claims,
                  const AuthenticationProvider& provider,
                  const std::vector<std::string>& groups) {
  ObjectBuilder identity;
  identity.Set("claims", json::FromJsonValue(claims));
  identity.Set("defaultAuthStrategy",
               Data::String(provider.allows_by_default ? "ALLOW" : "DENY"));
  identity.Set("groups", groups.empty() ? Data() : Texts(groups));
  identity.Set("issuer", Data::String(json::TextMember(claims, "iss")));
  identity.Set("sub", Data::String(json::TextMember(claims, "sub")));
  std::string name = json::TextMember(claims, "cognito:username");
  if (name.empty()) name = json::TextMember(claims, "username");
  identity.Set("username", Data::String(name));
  return std::move(identity).Build();
}

// The principal's id: of a session "AROA…:name", which stays the same when the
// session gets other keys; of the account its number.
// https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_variables.html#principaltable
std::string PrincipalId(const Identity& identity,
                        const iam::Principal& principal, const iam::Iam& iam) {
  if (principal.kind != iam::Principal::Kind::kRole) {
    return identity.caller.account_id;
  }
  const std::optional<iam::Role> role = iam.FindRole(principal.role_arn);
  // The session has ended meanwhile.
  if (!role.has_value()) return identity.caller.access_key_id;
  const std::string& id =
      role->details.id.empty() ? role->name : role->details.id;
  return absl::StrCat(id, ":",
                      principal.id.substr(principal.id.rfind('/') + 1));
}

Data IamIdentity(const Identity& identity, const iam::Principal& principal,
                 const iam::Iam& iam) {
  ObjectBuilder builder;
  builder.Set("accountId", Data::String(identity.caller.account_id));
  for (const char* name :
       {"cognitoIdentityAuthProvider", "cognitoIdentityAuthType",
        "cognitoIdentityId", "cognitoIdentityPoolId"}) {
    builder.Set(name, Data());
  }
  builder.Set("userArn", Data::String(principal.id));
  builder.Set("username", Data::String(PrincipalId(identity, principal, iam)));
  return std::move(builder).Build();
}

// The payload of an authorizer's function.
std::string AuthorizerEvent(const ApiState& state,
                            const Authentication::Request& request,
                            const std::string& account_id) {
  ObjectBuilder context;
  context.Set("apiId", Data::String(state.api->id));
  context.Set("accountId", Data::String(account_id));
  context.Set("requestId", Data::String(request.operation.request_id));
  context.Set("queryString", Data::String(request.operation.query));
  context.Set("operationName", request.operation.name.empty()
                                   ? Data()
                                   : Data::String(request.operation.name));
  context.Set("variables", request.operation.variables.is_null()
                               ? Data::EmptyObject()
                               : request.operation.variables);
  ObjectBuilder headers;
  for (const http::Header& header : request.http.headers) {
    headers.Set(absl::AsciiStrToLower(json::ValidUtf8(header.name)),
                Data::String(json::ValidUtf8(header.value)));
  }
  ObjectBuilder event;
  event.Set(
      "authorizationToken",
      Data::String(json::ValidUtf8(request.http.FindHeader("Authorization"))));
  event.Set("requestContext", std::move(context).Build());
  event.Set("requestHeaders", std::move(headers).Build());
  return std::move(event).Build().ToJson();
}

// A function that is being asked. The first end counts.
class Question {
 public:
  explicit Question(Authentication::Done done) : done_(std::move(done)) {}

  void End(Authentication::Outcome outcome) {
    if (!ended_.exchange(true)) done_(std::move(outcome));
  }

 private:
  const Authentication::Done done_;
  std::atomic<bool> ended_ = false;
};

}  // namespace

Authentication::Authentication(World world)
    : world_(std::move(world)),
      authenticator_(world_.credentials, world_.signing_clock),
      alarms_(world_.clock) {}

void Authentication::Check(const ApiState& state, const Request& request,
                           Done done) {
  const absl::string_view header = request.http.FindHeader("Authorization");
  if (absl::StartsWith(header, kSignature)) {
    return done(CheckSignature(state, request));
  }
  if (!header.empty()) {
    std::optional<Outcome> outcome = CheckToken(state, header);
    if (outcome.has_value()) return done(*std::move(outcome));
    const AuthenticationProvider* authorizer =
        FindProvider(state, AuthenticationType::kLambda);
    if (authorizer != nullptr) {
      return AskFunction(state, *authorizer, request, std::move(done));
    }
  }
  const absl::string_view key = request.http.FindHeader(kApiKeyHeader);
  if (!key.empty()) return done(CheckKey(state, key));
  if (!header.empty()) {
    return done(
        AuthRefusal{.message = "Valid authorization header not provided."});
  }
  if (state.api->providers[0].type == AuthenticationType::kApiKey) {
    return done(AuthRefusal{});
  }
  done(AuthRefusal{.message = "Missing authorization header"});
}

Authentication::Outcome Authentication::CheckKey(const ApiState& state,
                                                 absl::string_view key) const {
  const AuthenticationProvider* provider =
      FindProvider(state, AuthenticationType::kApiKey);
  const auto found = state.keys.find(std::string(key));
  if (provider == nullptr || found == state.keys.end() ||
      found->second->expires <= world_.clock.Now()) {
    return AuthRefusal{};
  }
  return std::make_shared<const ApiCaller>(
      ApiCaller{.type = AuthenticationType::kApiKey,
                .by_default_provider = IsDefault(state, *provider)});
}

Authentication::Outcome Authentication::CheckSignature(
    const ApiState& state, const Request& request) const {
  const AuthenticationProvider* provider =
      FindProvider(state, AuthenticationType::kIam);
  if (provider == nullptr) return AuthRefusal{};
  if (request.signatures == Signatures::kRefused) {
    return AuthRefusal{
        .status = kForbidden,
        .message =
            "Signatures of the account's keys are not accepted from web "
            "pages on other origins."};
  }
  const absl::StatusOr<Identity> identity = authenticator_.Authenticate(
      request.http, {.protocol = WireProtocol::kRestJson, .service = kAppSync});
  if (!identity.ok()) {
    const ErrorAnswer error = ErrorAnswerOf(identity.status());
    return AuthRefusal{.status = kForbidden,
                       .error_type = error.code,
                       .message = error.message};
  }
  const iam::Principal principal =
      world_.iam.PrincipalOf(identity->caller.access_key_id);
  return std::make_shared<const ApiCaller>(
      ApiCaller{.type = AuthenticationType::kIam,
                .identity = IamIdentity(*identity, principal, world_.iam),
                .by_default_provider = IsDefault(state, *provider),
                .principal = principal});
}

std::optional<Authentication::Outcome> Authentication::CheckToken(
    const ApiState& state, absl::string_view token) const {
  if (world_.tokens == nullptr) return std::nullopt;
  for (const AuthenticationProvider& provider : state.api->providers) {
    if (provider.type != AuthenticationType::kUserPools) continue;
    const std::string region = provider.user_pool_region.empty()
                                   ? state.api->region
                                   : provider.user_pool_region;
    const cognito::Verdict verdict = world_.tokens->Verify(
        {.pool_arns = {absl::StrCat("arn:aws:cognito-idp:", region, ":",
                                    world_.account_id, ":userpool/",
                                    provider.user_pool_id)},
         .token = std::string(token),
         .of_any_use = true});
    if (verdict.outcome == cognito::Verdict::Outcome::kExpired) {
      return AuthRefusal{.message = "Token has expired."};
    }
    if (verdict.outcome != cognito::Verdict::Outcome::kValid) continue;
    std::string client = json::TextMember(verdict.claims, "aud");
    if (client.empty()) client = json::TextMember(verdict.claims, "client_id");
    if (!provider.client_id_pattern.empty() &&
        !re2::RE2::FullMatch(client, provider.client_id_pattern)) {
      return AuthRefusal{};
    }
    std::vector<std::string> groups;
    for (const Json::Value& group : verdict.claims["cognito:groups"]) {
      if (group.isString()) groups.push_back(group.asString());
    }
    Data identity = UserIdentity(verdict.claims, provider, groups);
    return std::make_shared<const ApiCaller>(
        ApiCaller{.type = AuthenticationType::kUserPools,
                  .identity = std::move(identity),
                  .groups = std::move(groups),
                  .by_default_provider = IsDefault(state, provider),
                  .allowed_by_default = provider.allows_by_default});
  }
  return std::nullopt;
}

void Authentication::AskFunction(const ApiState& state,
                                 const AuthenticationProvider& provider,
                                 const Request& request, Done done) {
  const std::string token(request.http.FindHeader("Authorization"));
  if (!provider.token_pattern.empty() &&
      !re2::RE2::FullMatch(token, provider.token_pattern)) {
    return done(AuthRefusal{});
  }
  CacheKey key(absl::StrCat(state.api->id, " ", provider.function_arn), token);
  if (std::optional<Outcome> cached = FindCached(key)) {
    return done(*std::move(cached));
  }
  const auto question = std::make_shared<Question>(std::move(done));
  const time::Alarms::Id timeout =
      alarms_.Set(world_.clock.Now() + kAuthorizerTimeout, [question] {
        question->End(AuthRefusal{
            .error_type = "BadRequestException",
            .message = "Authorization failed: the authorizer's function did "
                       "not answer in time."});
      });
  const bool is_default = IsDefault(state, provider);
  world_.functions.InvokeForApi(
      {.function_arn = provider.function_arn,
       .payload = AuthorizerEvent(state, request, world_.account_id),
       .source_arn = ApiArn(
           {.region = state.api->region, .account_id = world_.account_id},
           state.api->id)},
      [this, gate = world_.gate, question, timeout, key = std::move(key),
       provider,
       is_default](absl::StatusOr<lambda::FunctionInvoker::Result> result) {
        const async::Gate::Pass pass(*gate);
        if (!pass.granted()) return;
        alarms_.Cancel(timeout);
        question->End(ReadAnswer(key, provider, is_default, std::move(result)));
      });
}

std::optional<Authentication::Outcome> Authentication::FindCached(
    const CacheKey& key) {
  const sync::MutexLock lock(mutex_);
  const auto cached = cache_.find(key);
  if (cached == cache_.end() || cached->second.expires <= world_.clock.Now()) {
    return std::nullopt;
  }
  return cached->second.outcome;
}

// https://docs.aws.amazon.com/appsync/latest/devguide/security-authz.html#aws-lambda-authorization
Authentication::Outcome Authentication::ReadAnswer(
    const CacheKey& key, const AuthenticationProvider& provider,
    bool is_default, absl::StatusOr<lambda::FunctionInvoker::Result> result) {
  const AuthRefusal failed{
      .error_type = "BadRequestException",
      .message =
          "Authorization failed: the authorizer's function did not "
          "return a valid answer."};
  if (!result.ok() || result->failed) return failed;
  const absl::StatusOr<Data> answer = Data::Parse(result->payload);
  if (!answer.ok()) return failed;
  const Data* authorized = answer->Find("isAuthorized");
  if (authorized == nullptr || !authorized->is_boolean()) return failed;
  Outcome outcome = AuthRefusal{};
  if (authorized->boolean()) {
    ApiCaller caller{.type = AuthenticationType::kLambda,
                     .by_default_provider = is_default};
    ObjectBuilder identity;
    const Data* context = answer->Find("resolverContext");
    identity.Set("resolverContext",
                 context == nullptr ? Data::EmptyObject() : *context);
    caller.identity = std::move(identity).Build();
    if (const Data* denied = answer->Find("deniedFields")) {
      for (const Data& field : denied->elements()) {
        if (field.is_string()) {
          caller.denied_fields.emplace_back(field.string());
        }
      }
    }
    outcome = std::make_shared<const ApiCaller>(std::move(caller));
  }
  absl::Duration ttl = provider.ttl;
  if (const Data* wanted = answer->Find("ttlOverride");
      wanted != nullptr && wanted->is_integer()) {
    ttl = std::min(absl::Seconds(wanted->integer()), kMaxAuthorizerTtl);
  }
  if (ttl > absl::ZeroDuration()) {
    Keep(key, {.expires = world_.clock.Now() + ttl, .outcome = outcome});
  }
  return outcome;
}

void Authentication::Keep(const CacheKey& key, CachedAnswer answer) {
  if (key.second.size() > kMaxCachedTokenBytes) return;
  const sync::MutexLock lock(mutex_);
  if (cache_.size() >= kMaxCached) {
    const absl::Time now = world_.clock.Now();
    std::erase_if(
        cache_, [&](const auto& entry) { return entry.second.expires <= now; });
    if (cache_.size() >= kMaxCached) cache_.clear();
  }
  cache_.insert_or_assign(key, std::move(answer));
}

}  // namespace byoshin::local::appsync

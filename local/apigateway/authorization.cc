#include "local/apigateway/authorization.h"

#include <json/json.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/deadline.h"
#include "local/apigateway/proxy.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/cognito/token_verifier.h"

namespace byoshin::local::apigateway {
namespace {

constexpr char kUnauthorized[] = "Unauthorized";
constexpr char kTokenExpired[] = "The incoming token has expired";
constexpr char kNotAuthorized[] =
    "User is not authorized to access this resource";

AuthorizationOutcome Refuse(ResponseType type,
                            std::optional<std::string> message,
                            std::string reason) {
  return {.refusal = GatewayError{.type = type,
                                  .message = std::move(message),
                                  .reason = std::move(reason)}};
}

AuthorizationOutcome Unauthorized(std::string reason) {
  return Refuse(ResponseType::kUnauthorized, kUnauthorized, std::move(reason));
}

AuthorizationOutcome Misconfigured(std::string reason) {
  return Refuse(ResponseType::kAuthorizerConfigurationError, std::nullopt,
                std::move(reason));
}

// The values of the identity sources; nullopt if one is missing or empty.
std::optional<std::vector<std::string>> IdentityOf(
    const AuthorizationRequest& request) {
  std::vector<std::string> identity;
  for (const ParameterSource& source : request.authorizer.identity_sources) {
    std::optional<std::string> value = ValueOf(source, request.values);
    if (!value.has_value() || value->empty()) return std::nullopt;
    identity.push_back(*std::move(value));
  }
  return identity;
}

bool MatchesExpression(const Authorizer& authorizer, const std::string& text) {
  return authorizer.validation_expression.empty() ||
         cloudformation::MatchesAllowedPattern(authorizer.validation_expression,
                                               text)
             .value_or(false);
}

// No two requests of different identity have the same key.
std::string CacheKey(const AuthorizationRequest& request,
                     const std::vector<std::string>& identity) {
  const RequestContext& context = request.values.context;
  std::string key;
  for (const std::string* part :
       {&context.api_id, &context.stage, &request.deployment_id,
        &request.authorizer.id}) {
    absl::StrAppend(&key, part->size(), ":", *part);
  }
  for (const std::string& part : identity) {
    absl::StrAppend(&key, part.size(), ":", part);
  }
  return key;
}

absl::StatusOr<std::string> EventFor(const AuthorizationRequest& request,
                                     const std::vector<std::string>& identity) {
  Json::Value event(Json::objectValue);
  if (request.authorizer.type == Authorizer::Type::kToken) {
    event["type"] = "TOKEN";
    event["authorizationToken"] = identity.front();
  } else {
    absl::StatusOr<std::string> text =
        ProxyEvent(request.values.request, request.values.context);
    if (!text.ok()) return text.status();
    absl::StatusOr<Json::Value> parsed = json::ParseValue(*text);
    if (!parsed.ok()) return parsed.status();
    event = *std::move(parsed);
    event.removeMember("body");
    event.removeMember("isBase64Encoded");
    event["type"] = "REQUEST";
  }
  event["methodArn"] = request.method_arn;
  return json::WriteValue(event);
}

AuthorizationOutcome Decide(const AuthorizerResult& result,
                            absl::string_view method_arn,
                            absl::Duration latency) {
  AuthorizationOutcome outcome;
  switch (Permits(result, method_arn)) {
    case Permission::kAllowed:
      outcome.usage_key = result.usage_key;
      break;
    case Permission::kNotAllowed:
      outcome = Refuse(ResponseType::kAccessDenied, kNotAuthorized,
                       "the authorizer's policy does not allow it");
      break;
    case Permission::kExplicitlyDenied:
      outcome = Refuse(ResponseType::kAccessDenied,
                       absl::StrCat(kNotAuthorized, " with an explicit deny"),
                       "the authorizer's policy denies it");
      break;
  }
  for (const auto& [name, value] : result.context) outcome.caller[name] = value;
  outcome.caller["principalId"] = result.principal_id;
  outcome.caller["integrationLatency"] =
      Json::Int64{absl::ToInt64Milliseconds(latency)};
  return outcome;
}

// The errorMessage of a failed function.
std::string ErrorMessageOf(absl::string_view payload) {
  return json::TextMember(json::ParseValue(payload).value_or(Json::Value()),
                          "errorMessage");
}

}  // namespace

absl::string_view NameOf(Authorizer::Type type) {
  switch (type) {
    case Authorizer::Type::kToken:
      return "TOKEN";
    case Authorizer::Type::kRequest:
      return "REQUEST";
    case Authorizer::Type::kCognito:
      break;
  }
  return "COGNITO_USER_POOLS";
}

// A call of an authorizer's function.
struct Authorization::Call {
  std::string method_arn;
  std::string cache_key;
  absl::Duration ttl;
  absl::Time began;
};

void Authorization::Check(const AuthorizationRequest& request,
                          const Done& done) {
  if (request.authorizer.type == Authorizer::Type::kCognito) {
    return done(CheckToken(request));
  }
  const std::optional<std::vector<std::string>> identity = IdentityOf(request);
  if (!identity.has_value()) {
    return done(Unauthorized("an identity source is missing"));
  }
  if (request.authorizer.type == Authorizer::Type::kToken &&
      !MatchesExpression(request.authorizer, identity->front())) {
    return done(
        Unauthorized("the token does not match IdentityValidationExpression"));
  }
  CallFunction(request, *identity, done);
}

AuthorizationOutcome Authorization::CheckToken(
    const AuthorizationRequest& request) const {
  const std::optional<std::vector<std::string>> identity = IdentityOf(request);
  if (!identity.has_value()) return Unauthorized("the token is missing");
  if (world_.tokens == nullptr) {
    return Misconfigured("this cloud has no user pools");
  }
  using Outcome = cognito::Verdict::Outcome;
  const cognito::Verdict verdict =
      world_.tokens->Verify({.pool_arns = request.authorizer.provider_arns,
                             .token = identity->front(),
                             .scopes = request.scopes});
  switch (verdict.outcome) {
    case Outcome::kValid:
      break;
    case Outcome::kExpired:
      return Refuse(ResponseType::kUnauthorized, kTokenExpired, verdict.reason);
    case Outcome::kInvalid:
    case Outcome::kLacksScope:
      return Unauthorized(verdict.reason);
  }
  if (!MatchesExpression(request.authorizer,
                         json::TextMember(verdict.claims, "aud"))) {
    return Unauthorized(
        "the claim aud does not match IdentityValidationExpression");
  }
  AuthorizationOutcome outcome;
  Json::Value& claims = outcome.caller["claims"];
  for (const std::string& name : verdict.claims.getMemberNames()) {
    claims[name] = cognito::ClaimText(name, verdict.claims[name]);
  }
  return outcome;
}

void Authorization::CallFunction(const AuthorizationRequest& request,
                                 const std::vector<std::string>& identity,
                                 const Done& done) {
  const Authorizer& authorizer = request.authorizer;
  const absl::Time now = world_.clock.Now();
  Call call{.method_arn = request.method_arn,
            .cache_key = CacheKey(request, identity),
            .ttl = authorizer.ttl,
            .began = now};
  if (call.ttl > absl::ZeroDuration()) {
    if (const auto known = cache_.Find(call.cache_key, now)) {
      return done(Decide(*known, call.method_arn, absl::ZeroDuration()));
    }
  }
  absl::StatusOr<std::string> event = EventFor(request, identity);
  if (!event.ok()) {
    return done(Unauthorized(std::string(event.status().message())));
  }
  world_.invoker.InvokeForApi(
      {.function_arn = authorizer.function_arn,
       .payload = *std::move(event),
       .source_arn = request.authorizer_arn,
       .role_arn = authorizer.role_arn},
      Within<absl::StatusOr<FunctionInvoker::Result>>(
          {world_.clock, world_.alarms, world_.gate, now + kAuthorizerTimeout},
          [this, call, done](absl::StatusOr<FunctionInvoker::Result> result) {
            done(Finish(call, std::move(result)));
          },
          [done] {
            done(Refuse(ResponseType::kAuthorizerFailure, std::nullopt,
                        "the authorizer's function took too long"));
          }));
}

AuthorizationOutcome Authorization::Finish(
    const Call& call, absl::StatusOr<FunctionInvoker::Result> result) {
  if (!result.ok()) {
    return Misconfigured(absl::StrCat("the authorizer can't be called: ",
                                      result.status().message()));
  }
  if (result->failed) {
    // How a function refuses a token.
    if (ErrorMessageOf(result->payload) == kUnauthorized) {
      return Unauthorized("the authorizer says so");
    }
    return Misconfigured(
        absl::StrCat("the authorizer failed: ", result->payload));
  }
  absl::StatusOr<AuthorizerResult> parsed =
      ParseAuthorizerResult(result->payload);
  if (!parsed.ok())
    return Misconfigured(std::string(parsed.status().message()));
  const auto known =
      std::make_shared<const AuthorizerResult>(*std::move(parsed));
  const absl::Time now = world_.clock.Now();
  if (call.ttl > absl::ZeroDuration()) {
    cache_.Put(call.cache_key, known,
               {.size = result->payload.size(), .expires = now + call.ttl});
  }
  return Decide(*known, call.method_arn, now - call.began);
}

}  // namespace byoshin::local::apigateway

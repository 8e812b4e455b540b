// Operations that sign users in and go on with their sessions.

#include <json/json.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/cognito/auth.h"
#include "local/cognito/client_settings.h"
#include "local/cognito/errors.h"
#include "local/cognito/operations.h"
#include "local/cognito/records.h"
#include "local/cognito/secrets.h"
#include "local/cognito/tokens.h"
#include "local/gateway/json_fields.h"

namespace byoshin::local::cognito {
namespace {

absl::Status CheckParameterSecret(const AuthClient& client,
                                  const AuthParameters& parameters) {
  return CheckSecretHash(client.client,
                         OptionalParameter(parameters, "USERNAME"),
                         OptionalParameter(parameters, "SECRET_HASH"));
}

absl::StatusOr<AuthOutcome> SignInByParameters(
    OperationContext& context, const AuthClient& client,
    const AuthParameters& parameters) {
  const absl::StatusOr<std::string> username =
      RequiredParameter(parameters, "USERNAME");
  if (!username.ok()) return username.status();
  const absl::StatusOr<std::string> password =
      RequiredParameter(parameters, "PASSWORD");
  if (!password.ok()) return password.status();
  if (absl::Status secret = CheckParameterSecret(client, parameters);
      !secret.ok()) {
    return secret;
  }
  return SignInWithPassword(context, client, *username, *password);
}

absl::StatusOr<AuthOutcome> RefreshByParameters(
    OperationContext& context, const AuthClient& client,
    const AuthParameters& parameters) {
  const absl::StatusOr<std::string> token =
      RequiredParameter(parameters, "REFRESH_TOKEN");
  if (!token.ok()) return token.status();
  if (client.rules.rotates_refresh_tokens) {
    return InvalidParameterError(
        "REFRESH_TOKEN_AUTH is not available with refresh token rotation; use "
        "GetTokensFromRefreshToken.");
  }
  const std::string hash = OptionalParameter(parameters, "SECRET_HASH");
  absl::StatusOr<NewTokens> tokens = context.database.Do([&](Records& records) {
    return Refresh(
        records, client.pool,
        {.client = client.client, .token = *token, .secret_hash = &hash},
        context.now);
  });
  if (!tokens.ok()) return tokens.status();
  return AuthOutcome{.tokens = *std::move(tokens)};
}

absl::Status FlowNotEnabled(absl::string_view flow, CalledBy caller) {
  if (flow == "USER_SRP_AUTH") {
    return InvalidParameterError(
        "USER_SRP_AUTH is not enabled for the client.");
  }
  if (caller == CalledBy::kAdmin) {
    return InvalidParameterError("Auth flow not enabled for this client");
  }
  return InvalidParameterError(
      absl::StrCat(flow, " flow not enabled for this client"));
}

absl::StatusOr<AuthOutcome> RunFlow(OperationContext& context,
                                    const AuthClient& client,
                                    const std::string& flow,
                                    const AuthParameters& parameters,
                                    CalledBy caller) {
  const auto check = [&](const char* needed) {
    return client.rules.flows.contains(needed) ? absl::OkStatus()
                                               : FlowNotEnabled(flow, caller);
  };
  const bool admin = caller == CalledBy::kAdmin;
  absl::Status enabled;
  if (flow == "USER_PASSWORD_AUTH" && !admin) {
    enabled = check("ALLOW_USER_PASSWORD_AUTH");
    return enabled.ok() ? SignInByParameters(context, client, parameters)
                        : enabled;
  }
  if ((flow == "ADMIN_USER_PASSWORD_AUTH" || flow == "ADMIN_NO_SRP_AUTH") &&
      admin) {
    enabled = check("ALLOW_ADMIN_USER_PASSWORD_AUTH");
    return enabled.ok() ? SignInByParameters(context, client, parameters)
                        : enabled;
  }
  if (flow == "REFRESH_TOKEN_AUTH" || flow == "REFRESH_TOKEN") {
    enabled = check("ALLOW_REFRESH_TOKEN_AUTH");
    return enabled.ok() ? RefreshByParameters(context, client, parameters)
                        : enabled;
  }
  if (flow == "USER_SRP_AUTH") {
    enabled = check("ALLOW_USER_SRP_AUTH");
    if (enabled.ok()) enabled = CheckParameterSecret(client, parameters);
    return enabled.ok() ? BeginSrpSignIn(context, client, parameters) : enabled;
  }
  if (flow == "CUSTOM_AUTH" || flow == "USER_AUTH") {
    return UnsupportedError(absl::StrCat("the flow ", flow));
  }
  return InvalidParameterError("Initiate Auth method not supported.");
}

absl::StatusOr<Json::Value> Initiate(OperationContext& context,
                                     JsonFields& fields, CalledBy caller) {
  const std::string flow = fields.Text("AuthFlow");
  const AuthParameters parameters = fields.TextMap("AuthParameters");
  const absl::StatusOr<AuthClient> client =
      GetAuthClient(context, fields, caller);
  if (!client.ok()) return client.status();
  return AuthAnswer(context, *client,
                    RunFlow(context, *client, flow, parameters, caller));
}

// Answers a challenge that is known by its Session.
using AnswerChallenge = absl::StatusOr<AuthOutcome> (*)(
    OperationContext& context, const AuthClient& client,
    const std::string& session, const AuthParameters& responses);
AnswerChallenge AnswerTo(absl::string_view name) {
  if (name == "NEW_PASSWORD_REQUIRED") return SetNewPassword;
  if (name == kSoftwareTokenMfa) return AnswerSoftwareToken;
  if (name == kMfaSetup) return FinishMfaSetup;
  return nullptr;
}

absl::StatusOr<Json::Value> Respond(OperationContext& context,
                                    JsonFields& fields, CalledBy caller) {
  const std::string name = fields.Text("ChallengeName");
  const std::string session = fields.Text("Session");
  const AuthParameters responses = fields.TextMap("ChallengeResponses");
  const absl::StatusOr<AuthClient> client =
      GetAuthClient(context, fields, caller);
  if (!client.ok()) return client.status();
  if (absl::Status secret = CheckParameterSecret(*client, responses);
      !secret.ok()) {
    return secret;
  }
  if (name == "PASSWORD_VERIFIER") {
    return AuthAnswer(context, *client,
                      FinishSrpSignIn(context, *client, responses));
  }
  const auto answer = AnswerTo(name);
  if (answer == nullptr) {
    return UnsupportedError(absl::StrCat("the challenge ", name));
  }
  if (session.empty()) {
    return InvalidParameterError("Missing required parameter Session");
  }
  return AuthAnswer(context, *client,
                    answer(context, *client, session, responses));
}

absl::Status CheckClientSecret(const kept::Client& client,
                               const std::string& secret) {
  if (AreEqualSecrets(client.secret(), secret)) return absl::OkStatus();
  return ApiError(
      "UnauthorizedException",
      absl::StrCat("Unable to verify secret for client ", client.id()));
}

}  // namespace

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_InitiateAuth.html
absl::StatusOr<Json::Value> InitiateAuth(OperationContext& context,
                                         JsonFields& fields) {
  return Initiate(context, fields, CalledBy::kUser);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminInitiateAuth.html
absl::StatusOr<Json::Value> AdminInitiateAuth(OperationContext& context,
                                              JsonFields& fields) {
  return Initiate(context, fields, CalledBy::kAdmin);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RespondToAuthChallenge.html
absl::StatusOr<Json::Value> RespondToAuthChallenge(OperationContext& context,
                                                   JsonFields& fields) {
  return Respond(context, fields, CalledBy::kUser);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_AdminRespondToAuthChallenge.html
absl::StatusOr<Json::Value> AdminRespondToAuthChallenge(
    OperationContext& context, JsonFields& fields) {
  return Respond(context, fields, CalledBy::kAdmin);
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_GetTokensFromRefreshToken.html
absl::StatusOr<Json::Value> GetTokensFromRefreshToken(OperationContext& context,
                                                      JsonFields& fields) {
  const std::string token = fields.Required("RefreshToken");
  const std::string secret = fields.Text("ClientSecret");
  fields.Required("ClientId");
  // The model does not have the operation yet.
  if (!fields.status().ok()) return fields.status();
  const absl::StatusOr<AuthClient> client =
      GetAuthClient(context, fields, CalledBy::kUser);
  if (!client.ok()) return client.status();
  if (absl::Status good = CheckClientSecret(client->client, secret);
      !good.ok()) {
    return good;
  }
  const absl::StatusOr<NewTokens> tokens =
      context.database.Do([&](Records& records) {
        return Refresh(records, client->pool,
                       {.client = client->client,
                        .token = token,
                        .secret_hash = nullptr,
                        .rotation = client->rules.rotates_refresh_tokens
                                        ? RefreshRequest::Rotation::kRotate
                                        : RefreshRequest::Rotation::kKeep},
                       context.now);
      });
  if (!tokens.ok()) return tokens.status();
  absl::StatusOr<Json::Value> result =
      SignTokens(context.directory, client->pool.pool.id(), *tokens);
  if (!result.ok()) return result.status();
  Json::Value answer(Json::objectValue);
  answer["AuthenticationResult"] = *std::move(result);
  return answer;
}

// https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_RevokeToken.html
absl::StatusOr<Json::Value> RevokeToken(OperationContext& context,
                                        JsonFields& fields) {
  const std::string token = fields.Text("Token");
  const std::string secret = fields.Text("ClientSecret");
  const absl::StatusOr<AuthClient> client =
      GetAuthClient(context, fields, CalledBy::kUser);
  if (!client.ok()) return client.status();
  if (absl::Status good = CheckClientSecret(client->client, secret);
      !good.ok()) {
    return good;
  }
  if (!client->rules.can_revoke_tokens) {
    return ApiError("UnsupportedOperationException",
                    "Token revocation is not enabled for this client");
  }
  if (absl::StrContains(token, ".")) {
    return ApiError("UnsupportedTokenTypeException", "Unsupported token type");
  }
  absl::Status revoked = context.database.Do(
      [&](Records& records) { return Revoke(records, client->client, token); });
  if (!revoked.ok()) return revoked;
  return Json::Value(Json::objectValue);
}

}  // namespace byoshin::local::cognito

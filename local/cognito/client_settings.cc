#include "local/cognito/client_settings.h"

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/sha256.h"
#include "core/json/value.h"
#include "local/cognito/errors.h"
#include "local/cognito/limits.h"
#include "local/cognito/secrets.h"

namespace byoshin::local::cognito {
namespace {

// Kept and returned, but without effect: there is no hosted page to sign in.
constexpr const char* kEchoedByClients[] = {
    "AllowedOAuthFlows",
    "AllowedOAuthFlowsUserPoolClient",
    "AllowedOAuthScopes",
    "AnalyticsConfiguration",
    "CallbackURLs",
    "DefaultRedirectURI",
    "EnablePropagateAdditionalUserContextData",
    "LogoutURLs",
    "SupportedIdentityProviders"};

// The first three are old names of others.
const std::map<std::string, std::string>& FlowNames() {
  static const auto& names = *new std::map<std::string, std::string>{
      {"ADMIN_NO_SRP_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH"},
      {"USER_PASSWORD_AUTH", "ALLOW_USER_PASSWORD_AUTH"},
      {"CUSTOM_AUTH_FLOW_ONLY", "ALLOW_CUSTOM_AUTH"},
      {"ALLOW_ADMIN_USER_PASSWORD_AUTH", "ALLOW_ADMIN_USER_PASSWORD_AUTH"},
      {"ALLOW_CUSTOM_AUTH", "ALLOW_CUSTOM_AUTH"},
      {"ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_REFRESH_TOKEN_AUTH"},
      {"ALLOW_USER_AUTH", "ALLOW_USER_AUTH"},
      {"ALLOW_USER_PASSWORD_AUTH", "ALLOW_USER_PASSWORD_AUTH"},
      {"ALLOW_USER_SRP_AUTH", "ALLOW_USER_SRP_AUTH"}};
  return names;
}

void ReadFlows(JsonFields& fields, Json::Value& settings) {
  bool has_new_names = false;
  bool has_old_names = false;
  for (const std::string& flow : fields.Texts("ExplicitAuthFlows")) {
    (absl::StartsWith(flow, "ALLOW_") ? has_new_names : has_old_names) = true;
    settings["ExplicitAuthFlows"].append(flow);
  }
  if (has_new_names && has_old_names) {
    fields.Fail(
        "Cannot mix the ALLOW_ values of ExplicitAuthFlows with the others.");
  }
}

struct LifeSetting {
  const char* name;       // "AccessTokenValidity"
  const char* unit_name;  // "AccessToken", in TokenValidityUnits
  const char* default_unit;
  absl::Duration default_life;
  absl::Duration min;
  absl::Duration max;
};
constexpr LifeSetting kAccessLife = {
    "AccessTokenValidity", "AccessToken", "hours",
    kDefaultTokenLife,     kMinTokenLife, kMaxTokenLife};
constexpr LifeSetting kIdLife = {"IdTokenValidity", "IdToken",
                                 "hours",           kDefaultTokenLife,
                                 kMinTokenLife,     kMaxTokenLife};
constexpr LifeSetting kRefreshLife = {
    "RefreshTokenValidity", "RefreshToken",  "days",
    kDefaultRefreshLife,    kMinRefreshLife, kMaxRefreshLife};

absl::Duration UnitNamed(const std::string& name) {
  if (name == "seconds") return absl::Seconds(1);
  if (name == "minutes") return absl::Minutes(1);
  if (name == "hours") return absl::Hours(1);
  return absl::Hours(24);
}

absl::Duration LifeIn(const Json::Value& settings, const LifeSetting& setting) {
  const std::int64_t count = settings[setting.name].asInt64();
  if (count == 0) return setting.default_life;
  const Json::Value& unit = settings["TokenValidityUnits"][setting.unit_name];
  return count *
         UnitNamed(unit.isString() ? unit.asString() : setting.default_unit);
}

absl::Status ReadLives(JsonFields& fields, Json::Value& settings) {
  std::optional<JsonFields> units = fields.Object("TokenValidityUnits");
  for (const LifeSetting* setting : {&kAccessLife, &kIdLife, &kRefreshLife}) {
    if (units.has_value() && units->Has(setting->unit_name)) {
      settings["TokenValidityUnits"][setting->unit_name] =
          units->Text(setting->unit_name);
    }
    const auto count = fields.FindInteger(setting->name);
    if (!count.has_value()) continue;
    settings[setting->name] = Json::Int64(*count);
    const absl::Duration life = LifeIn(settings, *setting);
    if (life < setting->min || life > setting->max) {
      return InvalidParameterError("Invalid range for token validity.");
    }
  }
  if (LifeIn(settings, kRefreshLife) < LifeIn(settings, kAccessLife) ||
      LifeIn(settings, kRefreshLife) < LifeIn(settings, kIdLife)) {
    return InvalidParameterError(
        "Refresh token validity must be longer than access and id token "
        "validity.");
  }
  if (!settings.isMember(kRefreshLife.name)) {
    settings[kRefreshLife.name] =
        Json::Int64(absl::ToInt64Hours(kDefaultRefreshLife) / 24);
  }
  return absl::OkStatus();
}

// The model does not have it yet.
void ReadRotation(JsonFields& fields, Json::Value& settings) {
  std::optional<JsonFields> rotation = fields.Object("RefreshTokenRotation");
  if (!rotation.has_value()) return;
  Json::Value& kept = settings["RefreshTokenRotation"];
  kept["Feature"] = rotation->OneOf("Feature", {"ENABLED", "DISABLED"});
  kept["RetryGracePeriodSeconds"] = Json::Int64(rotation->Integer(
      "RetryGracePeriodSeconds", {.min = 0, .max = kMaxRefreshGraceSeconds}));
}

void ReadAttributeNames(const char* name, const PoolRules& pool,
                        JsonFields& fields, Json::Value& settings) {
  for (const std::string& attribute : fields.Texts(name)) {
    if (!pool.schema.contains(attribute)) {
      fields.Fail(
          absl::StrCat("Invalid ", name, " specified while creating a client"));
    }
    settings[name].append(attribute);
  }
}

std::set<std::string> NamesIn(const Json::Value& list) {
  std::set<std::string> names;
  for (const Json::Value& name : list) names.insert(name.asString());
  return names;
}

}  // namespace

bool ClientRules::MayRead(const std::string& attribute) const {
  return readable.empty() || readable.contains(attribute);
}

bool ClientRules::MayWrite(const std::string& attribute) const {
  return writable.empty() || writable.contains(attribute);
}

absl::StatusOr<Json::Value> ReadClientSettings(const PoolRules& pool,
                                               const Json::Value& body,
                                               JsonFields& fields) {
  Json::Value settings(Json::objectValue);
  for (const char* name : kEchoedByClients) {
    if (!body[name].isNull()) settings[name] = body[name];
  }
  ReadFlows(fields, settings);
  if (absl::Status lives = ReadLives(fields, settings); !lives.ok()) {
    return lives;
  }
  ReadRotation(fields, settings);
  ReadAttributeNames("ReadAttributes", pool, fields, settings);
  ReadAttributeNames("WriteAttributes", pool, fields, settings);
  settings["AuthSessionValidity"] =
      Json::Int64(fields.FindInteger("AuthSessionValidity")
                      .value_or(kDefaultSessionMinutes));
  settings["EnableTokenRevocation"] = !fields.Has("EnableTokenRevocation") ||
                                      fields.Flag("EnableTokenRevocation");
  if (fields.Has("PreventUserExistenceErrors")) {
    settings["PreventUserExistenceErrors"] =
        fields.Text("PreventUserExistenceErrors");
  }
  if (!fields.status().ok()) return fields.status();
  return settings;
}

ClientRules RulesOf(const kept::Client& client) {
  const Json::Value settings =
      json::ParseValue(client.settings()).value_or(Json::objectValue);
  ClientRules rules{
      .access_token_life = LifeIn(settings, kAccessLife),
      .id_token_life = LifeIn(settings, kIdLife),
      .refresh_token_life = LifeIn(settings, kRefreshLife),
      .session_life = absl::Minutes(settings["AuthSessionValidity"].asInt64()),
      .hides_unknown_users =
          settings["PreventUserExistenceErrors"].asString() == "ENABLED",
      .can_revoke_tokens = settings["EnableTokenRevocation"].asBool(),
      .rotates_refresh_tokens =
          settings["RefreshTokenRotation"]["Feature"].asString() == "ENABLED",
      .refresh_grace = absl::Seconds(
          settings["RefreshTokenRotation"]["RetryGracePeriodSeconds"]
              .asInt64()),
      .readable = NamesIn(settings["ReadAttributes"]),
      .writable = NamesIn(settings["WriteAttributes"])};
  const Json::Value& flows = settings["ExplicitAuthFlows"];
  for (const Json::Value& flow : flows) {
    rules.flows.insert(FlowNames().at(flow.asString()));
  }
  // https://docs.aws.amazon.com/cognito-user-identity-pools/latest/APIReference/API_CreateUserPoolClient.html
  if (flows.empty()) {
    rules.flows = {"ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH",
                   "ALLOW_CUSTOM_AUTH"};
  } else if (!absl::StartsWith(flows[0].asString(), "ALLOW_")) {
    // With the old names, these are always allowed.
    rules.flows.insert({"ALLOW_REFRESH_TOKEN_AUTH", "ALLOW_USER_SRP_AUTH"});
  }
  return rules;
}

Json::Value ClientJson(const kept::Client& client) {
  Json::Value json =
      json::ParseValue(client.settings()).value_or(Json::objectValue);
  json["UserPoolId"] = client.pool_id();
  json["ClientName"] = client.name();
  json["ClientId"] = client.id();
  if (!client.secret().empty()) json["ClientSecret"] = client.secret();
  json["CreationDate"] = TimeJson(client.created_us());
  json["LastModifiedDate"] = TimeJson(client.modified_us());
  if (!json.isMember("AllowedOAuthFlowsUserPoolClient")) {
    json["AllowedOAuthFlowsUserPoolClient"] = false;
  }
  return json;
}

absl::Status CheckWritable(const ClientRules& rules,
                           const Attributes& attributes) {
  for (const auto& [name, value] : attributes) {
    // Only administrators say that an address is verified.
    if (!rules.MayWrite(name) || name == VerifiedName("email") ||
        name == VerifiedName("phone_number")) {
      return NotAuthorizedError(
          "A client attempted to write unauthorized attribute");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckSecretHash(const kept::Client& client,
                             absl::string_view username,
                             absl::string_view secret_hash) {
  if (client.secret().empty()) {
    if (secret_hash.empty()) return absl::OkStatus();
    return NotAuthorizedError(
        absl::StrCat("Client ", client.id(),
                     " is not configured for secret but secret was received"));
  }
  if (secret_hash.empty()) {
    return NotAuthorizedError(
        absl::StrCat("Client ", client.id(),
                     " is configured for secret but secret was not received"));
  }
  const crypto::Sha256Digest digest =
      crypto::HmacSha256(client.secret(), absl::StrCat(username, client.id()));
  const std::string expected = absl::Base64Escape(absl::string_view(
      reinterpret_cast<const char*>(digest.data()), digest.size()));
  if (!AreEqualSecrets(expected, secret_hash)) {
    return NotAuthorizedError(
        absl::StrCat("Unable to verify secret hash for client ", client.id()));
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::cognito

#include "local/cognito/pool_settings.h"

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/cognito/errors.h"
#include "local/cognito/limits.h"
#include "local/cognito/schema.h"

namespace byoshin::local::cognito {
namespace {

// Kept and returned, but without effect: no mail or message is sent, and there
// are no devices.
constexpr const char* kEchoed[] = {"AccountRecoverySetting",
                                   "DeviceConfiguration",
                                   "EmailConfiguration",
                                   "EmailVerificationMessage",
                                   "EmailVerificationSubject",
                                   "SmsAuthenticationMessage",
                                   "SmsConfiguration",
                                   "SmsVerificationMessage",
                                   "UserAttributeUpdateSettings",
                                   "UserPoolAddOns",
                                   "UserPoolTags",
                                   "UserPoolTier",
                                   "VerificationMessageTemplate"};
// What only CreateUserPool can set.
constexpr const char* kFixed[] = {
    "AliasAttributes", "Schema", "UsernameAttributes", "UsernameConfiguration"};

constexpr char kMfaConfiguration[] = "MfaConfiguration";
constexpr char kMfaOff[] = "OFF";
constexpr char kSoftwareTokens[] = "SoftwareTokenMfaConfiguration";

Json::Value ListOf(const std::vector<std::string>& texts) {
  Json::Value list(Json::arrayValue);
  for (const std::string& text : texts) list.append(text);
  return list;
}

std::vector<std::string> TextsIn(const Json::Value& list) {
  std::vector<std::string> texts;
  for (const Json::Value& text : list) texts.push_back(text.asString());
  return texts;
}

void ReadAttributeList(const char* name, JsonFields& fields,
                       Json::Value& settings) {
  const std::vector<std::string> names = fields.Texts(name);
  if (!names.empty()) settings[name] = ListOf(names);
}

void ReadPasswordPolicy(JsonFields& fields, Json::Value& settings) {
  Json::Value& policy = settings["Policies"]["PasswordPolicy"];
  std::optional<JsonFields> policies = fields.Object("Policies");
  std::optional<JsonFields> given;
  if (policies.has_value()) given = policies->Object("PasswordPolicy");
  for (const char* name : {"RequireUppercase", "RequireLowercase",
                           "RequireNumbers", "RequireSymbols"}) {
    policy[name] = given.has_value() ? given->Flag(name) : true;
  }
  policy["MinimumLength"] = Json::Int64(kDefaultPasswordLength);
  policy["TemporaryPasswordValidityDays"] = Json::Int64(kDefaultTemporaryDays);
  if (!given.has_value()) return;
  policy["MinimumLength"] = Json::Int64(
      given->FindInteger("MinimumLength").value_or(kDefaultPasswordLength));
  const std::int64_t days =
      given->FindInteger("TemporaryPasswordValidityDays").value_or(0);
  // On AWS, 0 stands for the default.
  if (days != 0) policy["TemporaryPasswordValidityDays"] = Json::Int64(days);
}

void ReadAdminConfig(JsonFields& fields, Json::Value& settings) {
  Json::Value& config = settings["AdminCreateUserConfig"];
  config["AllowAdminCreateUserOnly"] = false;
  std::optional<JsonFields> given = fields.Object("AdminCreateUserConfig");
  if (!given.has_value()) return;
  config["AllowAdminCreateUserOnly"] = given->Flag("AllowAdminCreateUserOnly");
  // An old name of the policy's TemporaryPasswordValidityDays.
  const std::int64_t days =
      given->FindInteger("UnusedAccountValidityDays").value_or(0);
  if (days != 0) {
    settings["Policies"]["PasswordPolicy"]["TemporaryPasswordValidityDays"] =
        Json::Int64(days);
  }
}

absl::Status CheckSupported(const Json::Value& body) {
  const Json::Value& triggers = body["LambdaConfig"];
  if (triggers.isObject() && !triggers.empty()) {
    return UnsupportedError(absl::StrCat("Lambda triggers: LambdaConfig has ",
                                         triggers.getMemberNames()[0]));
  }
  return absl::OkStatus();
}

bool HasSoftwareTokens(const Json::Value& settings) {
  return settings[kSoftwareTokens]["Enabled"].asBool();
}

std::string ReadMfaConfiguration(JsonFields& fields,
                                 const std::string& otherwise) {
  return fields.FindText(kMfaConfiguration).value_or(otherwise);
}

// Reads what CreateUserPool and UpdateUserPool say of other factors. They can't
// turn software tokens on; templates can, and name the factors in EnabledMfas,
// for which AWS calls SetUserPoolMfaConfig afterwards.
absl::Status ReadMfa(const Json::Value& body, JsonFields& fields,
                     const Json::Value* previous, Json::Value& settings) {
  bool software_tokens = previous != nullptr && HasSoftwareTokens(*previous);
  if (fields.Has("EnabledMfas")) {
    software_tokens = false;
    for (const std::string& factor : fields.Texts("EnabledMfas")) {
      if (factor != kSoftwareTokenMfa) {
        return UnsupportedError(absl::StrCat("the factor ", factor,
                                             ": EnabledMfas can only have ",
                                             kSoftwareTokenMfa));
      }
      software_tokens = true;
    }
  }
  const std::string mfa = ReadMfaConfiguration(fields, kMfaOff);
  if (!fields.status().ok()) return fields.status();
  if (mfa != kMfaOff && !software_tokens) {
    if (!body["SmsConfiguration"].isNull()) {
      return UnsupportedError(
          "the factor SMS_MFA: turn on software tokens, with "
          "SetUserPoolMfaConfig or EnabledMfas in a template");
    }
    return InvalidParameterError(
        "SMS configuration and Auto verification for phone_number are required "
        "when MFA is required/optional");
  }
  settings[kMfaConfiguration] = mfa;
  if (software_tokens) settings[kSoftwareTokens]["Enabled"] = true;
  return absl::OkStatus();
}

Mfa MfaIn(const Json::Value& settings) {
  // Earlier versions took OPTIONAL without a factor.
  if (!HasSoftwareTokens(settings)) return Mfa::kOff;
  const std::string mfa = settings[kMfaConfiguration].asString();
  if (mfa == "ON") return Mfa::kOn;
  return mfa == "OPTIONAL" ? Mfa::kOptional : Mfa::kOff;
}

}  // namespace

std::string PoolRules::KeyOf(absl::string_view username) const {
  return ignores_case ? absl::AsciiStrToLower(username) : std::string(username);
}

absl::StatusOr<Json::Value> ReadPoolSettings(const Json::Value& body,
                                             JsonFields& fields,
                                             const Json::Value* previous) {
  if (absl::Status supported = CheckSupported(body); !supported.ok()) {
    return supported;
  }
  Json::Value settings(Json::objectValue);
  for (const char* name : kEchoed) {
    if (!body[name].isNull()) settings[name] = body[name];
  }
  ReadPasswordPolicy(fields, settings);
  ReadAdminConfig(fields, settings);
  ReadAttributeList("AutoVerifiedAttributes", fields, settings);
  const std::string protection = fields.Text("DeletionProtection");
  settings["DeletionProtection"] =
      protection == "ACTIVE" ? "ACTIVE" : "INACTIVE";
  if (absl::Status mfa = ReadMfa(body, fields, previous, settings); !mfa.ok()) {
    return mfa;
  }
  if (previous != nullptr) {
    for (const char* name : kFixed) {
      if (previous->isMember(name)) settings[name] = (*previous)[name];
    }
    return settings;
  }
  ReadAttributeList("UsernameAttributes", fields, settings);
  ReadAttributeList("AliasAttributes", fields, settings);
  if (settings.isMember("UsernameAttributes") &&
      settings.isMember("AliasAttributes")) {
    return InvalidParameterError(
        "Only one of the aliasAttributes or usernameAttributes can be set in a "
        "user pool.");
  }
  std::optional<JsonFields> config = fields.Object("UsernameConfiguration");
  if (config.has_value()) {
    settings["UsernameConfiguration"]["CaseSensitive"] =
        config->Flag("CaseSensitive");
  }
  settings["Schema"] = Json::arrayValue;
  for (JsonFields& attribute : fields.Objects("Schema")) {
    absl::Status added = AddSchemaAttribute(attribute, settings["Schema"]);
    if (!added.ok()) return added;
  }
  return settings;
}

absl::Status SetMfaConfig(const Json::Value& body, JsonFields& fields,
                          Json::Value& settings) {
  for (const char* missing : {"SmsMfaConfiguration", "EmailMfaConfiguration",
                              "WebAuthnConfiguration"}) {
    if (body[missing].isNull()) continue;
    return UnsupportedError(absl::StrCat(
        "other factors than software tokens: the request has ", missing));
  }
  const std::string mfa =
      ReadMfaConfiguration(fields, settings[kMfaConfiguration].asString());
  std::optional<JsonFields> given = fields.Object(kSoftwareTokens);
  const bool software_tokens =
      given.has_value() ? given->Flag("Enabled") : HasSoftwareTokens(settings);
  if (mfa == kMfaOff && given.has_value() && software_tokens) {
    return InvalidParameterError(
        "Invalid MFA configuration given, can't turn off MFA and configure an "
        "MFA together.");
  }
  if (mfa != kMfaOff && !software_tokens) {
    return InvalidParameterError(
        "Invalid MFA Configuration given. SMS MFA, Email MFA, or Software "
        "Token MFA must be enabled.");
  }
  settings[kMfaConfiguration] = mfa;
  settings[kSoftwareTokens]["Enabled"] = mfa != kMfaOff;
  return absl::OkStatus();
}

Json::Value MfaConfigJson(const Json::Value& settings) {
  Json::Value json(Json::objectValue);
  for (const char* name : {kMfaConfiguration, kSoftwareTokens}) {
    if (settings.isMember(name)) json[name] = settings[name];
  }
  return json;
}

absl::Status AddCustomAttributes(JsonFields& fields, Json::Value& settings) {
  for (JsonFields& attribute : fields.Objects("CustomAttributes")) {
    absl::Status added = AddSchemaAttribute(attribute, settings["Schema"]);
    if (!added.ok()) return added;
  }
  return absl::OkStatus();
}

PoolRules RulesOf(const kept::Pool& pool) {
  const Json::Value settings =
      json::ParseValue(pool.settings()).value_or(Json::objectValue);
  const Json::Value& policy = settings["Policies"]["PasswordPolicy"];
  PoolRules rules{
      .password = {.minimum_length = policy["MinimumLength"].asInt64(),
                   .require_uppercase = policy["RequireUppercase"].asBool(),
                   .require_lowercase = policy["RequireLowercase"].asBool(),
                   .require_numbers = policy["RequireNumbers"].asBool(),
                   .require_symbols = policy["RequireSymbols"].asBool()},
      .temporary_password_life =
          absl::Hours(24 * policy["TemporaryPasswordValidityDays"].asInt64()),
      .username_attributes = TextsIn(settings["UsernameAttributes"]),
      .alias_attributes = TextsIn(settings["AliasAttributes"]),
      .auto_verified = TextsIn(settings["AutoVerifiedAttributes"]),
      .only_admins_create_users =
          settings["AdminCreateUserConfig"]["AllowAdminCreateUserOnly"]
              .asBool(),
      .is_protected = settings["DeletionProtection"].asString() == "ACTIVE",
      .mfa = MfaIn(settings),
      .schema = SchemaOf(settings["Schema"])};
  const Json::Value& sensitive =
      settings["UsernameConfiguration"]["CaseSensitive"];
  rules.ignores_case = sensitive.isBool() && !sensitive.asBool();
  return rules;
}

std::string ArnOf(const kept::Pool& pool) {
  return absl::StrCat("arn:aws:cognito-idp:", pool.region(), ":",
                      pool.account_id(), ":userpool/", pool.id());
}

std::string IssuerOf(const kept::Pool& pool) {
  return absl::StrCat("https://cognito-idp.", pool.region(), ".amazonaws.com/",
                      pool.id());
}

Json::Value PoolJson(const kept::Pool& pool) {
  Json::Value json =
      json::ParseValue(pool.settings()).value_or(Json::objectValue);
  json["SchemaAttributes"] = SchemaJson(SchemaOf(json["Schema"]));
  json.removeMember("Schema");
  json.removeMember(kSoftwareTokens);
  json["Id"] = pool.id();
  json["Name"] = pool.name();
  json["Arn"] = ArnOf(pool);
  json["CreationDate"] = TimeJson(pool.created_us());
  json["LastModifiedDate"] = TimeJson(pool.modified_us());
  json["LambdaConfig"] = Json::objectValue;
  if (!json.isMember("UserPoolTier")) json["UserPoolTier"] = "ESSENTIALS";
  return json;
}

Json::Value TimeJson(std::int64_t microseconds) {
  // AWS has milliseconds here.
  const std::int64_t milliseconds = microseconds / 1000;
  return static_cast<double>(milliseconds) / 1000.0;
}

}  // namespace byoshin::local::cognito

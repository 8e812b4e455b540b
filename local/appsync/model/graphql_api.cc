#include "local/appsync/model/graphql_api.h"

#include <json/json.h>

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/appsync/model/errors.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/record.h"
#include "local/gateway/json_fields.h"
#include "re2/re2.h"

namespace byoshin::local::appsync {
namespace {

constexpr std::array<absl::string_view, 4> kTypeNames = {
    "API_KEY", "AWS_IAM", "AMAZON_COGNITO_USER_POOLS", "AWS_LAMBDA"};
constexpr std::array<absl::string_view, 5> kLevelNames = {
    "NONE", "ERROR", "INFO", "DEBUG", "ALL"};

void CheckPattern(JsonFields& fields, const std::string& pattern) {
  if (pattern.empty()) return;
  const re2::RE2 expression(pattern, re2::RE2::Quiet);
  if (!expression.ok()) {
    fields.Fail(absl::StrCat("Invalid regular expression ", pattern, ": ",
                             expression.error()));
  }
}

void ReadUserPool(JsonFields& fields, AuthenticationProvider& provider) {
  std::optional<JsonFields> config = fields.Object("userPoolConfig");
  if (!config.has_value()) {
    return fields.Fail("User pool configuration is required.");
  }
  provider.user_pool_id = config->Required("userPoolId");
  provider.user_pool_region = config->Text("awsRegion");
  provider.client_id_pattern = config->Text("appIdClientRegex");
  CheckPattern(*config, provider.client_id_pattern);
  provider.allows_by_default = config->Text("defaultAction") != "DENY";
}

void ReadAuthorizer(JsonFields& fields, AuthenticationProvider& provider) {
  std::optional<JsonFields> config = fields.Object("lambdaAuthorizerConfig");
  if (!config.has_value()) {
    return fields.Fail("Lambda authorizer configuration is required.");
  }
  provider.function_arn = config->Required("authorizerUri");
  provider.ttl = absl::Seconds(
      config->Integer("authorizerResultTtlInSeconds",
                      {.otherwise = absl::ToInt64Seconds(kDefaultAuthorizerTtl),
                       .min = 0,
                       .max = absl::ToInt64Seconds(kMaxAuthorizerTtl)}));
  provider.token_pattern = config->Text("identityValidationExpression");
  CheckPattern(*config, provider.token_pattern);
}

AuthenticationProvider ReadProvider(JsonFields& fields) {
  AuthenticationProvider provider;
  const std::string type = fields.Required("authenticationType");
  // The configuration alone would have no effect, whatever the type.
  if (type == "OPENID_CONNECT" ||
      fields.Object("openIDConnectConfig").has_value()) {
    fields.Fail(
        absl::StrCat("The authentication type OPENID_CONNECT is not supported "
                     "by the local cloud; supported are ",
                     absl::StrJoin(kTypeNames, ", "), "."));
    return provider;
  }
  fields.OneOf("authenticationType", {kTypeNames.begin(), kTypeNames.end()});
  for (std::size_t i = 0; i < kTypeNames.size(); ++i) {
    if (type == kTypeNames[i]) {
      provider.type = static_cast<AuthenticationType>(i);
    }
  }
  if (provider.type == AuthenticationType::kUserPools) {
    ReadUserPool(fields, provider);
  } else if (provider.type == AuthenticationType::kLambda) {
    ReadAuthorizer(fields, provider);
  }
  return provider;
}

void ReadProviders(JsonFields& fields, GraphqlApi& api) {
  api.providers.push_back(ReadProvider(fields));
  for (JsonFields& additional :
       fields.Objects("additionalAuthenticationProviders")) {
    AuthenticationProvider provider = ReadProvider(additional);
    for (const AuthenticationProvider& other : api.providers) {
      const bool same = other.type == provider.type &&
                        (provider.type != AuthenticationType::kUserPools ||
                         other.user_pool_id == provider.user_pool_id);
      if (same) {
        fields.Fail(absl::StrCat("The authentication type ",
                                 NameOf(provider.type),
                                 " is configured more than once."));
      }
    }
    api.providers.push_back(std::move(provider));
  }
  if (api.providers.size() > kMaxAdditionalProviders + 1) {
    fields.Fail("There are too many additional authentication providers.");
  }
}

void ReadLog(JsonFields& fields, GraphqlApi& api) {
  std::optional<JsonFields> config = fields.Object("logConfig");
  if (!config.has_value()) return;
  const std::string level = config->Required("fieldLogLevel");
  config->OneOf("fieldLogLevel", {kLevelNames.begin(), kLevelNames.end()});
  for (std::size_t i = 0; i < kLevelNames.size(); ++i) {
    if (level == kLevelNames[i]) {
      api.log.level = static_cast<FieldLogLevel>(i);
    }
  }
  api.log.role_arn = config->Required("cloudWatchLogsRoleArn");
  api.log.exclude_verbose_content = config->Flag("excludeVerboseContent");
}

// What has no effect here is only reported.
constexpr const char* kSettings[] = {"name",
                                     "authenticationType",
                                     "userPoolConfig",
                                     "lambdaAuthorizerConfig",
                                     "additionalAuthenticationProviders",
                                     "logConfig",
                                     "xrayEnabled",
                                     "introspectionConfig",
                                     "queryDepthLimit",
                                     "resolverCountLimit",
                                     "ownerContact",
                                     "visibility",
                                     "enhancedMetricsConfig"};

}  // namespace

absl::string_view NameOf(AuthenticationType type) {
  return kTypeNames[static_cast<std::size_t>(type)];
}

absl::StatusOr<GraphqlApi> ReadGraphqlApi(const Json::Value& settings) {
  JsonFields fields(settings, {.invalid_code = kBadRequestException});
  GraphqlApi api;
  api.name = fields.Required("name");
  ReadProviders(fields, api);
  ReadLog(fields, api);
  const std::string kind = fields.Text("apiType");
  if (!kind.empty() && kind != "GRAPHQL") {
    return Unsupported(absl::StrCat("The API type ", kind));
  }
  const std::string visibility = fields.Text("visibility");
  if (visibility == "PRIVATE") return Unsupported("A private API");
  const std::string introspection = fields.Text("introspectionConfig");
  if (!introspection.empty()) {
    fields.OneOf("introspectionConfig", {"ENABLED", "DISABLED"});
  }
  api.introspection = introspection != "DISABLED";
  api.query_depth_limit = fields.Integer(
      "queryDepthLimit", {.otherwise = 0, .min = 0, .max = kMaxQueryDepth});
  api.resolver_count_limit =
      fields.Integer("resolverCountLimit",
                     {.otherwise = 0, .min = 0, .max = kMaxResolverCount});
  if (!fields.status().ok()) return fields.status();
  api.settings = PickMembers(settings, kSettings);
  return api;
}

std::string ToRecord(const GraphqlApi& api) {
  Json::Value record(Json::objectValue);
  record["id"] = api.id;
  record["region"] = api.region;
  record["settings"] = api.settings;
  record["tags"] = TextMapJson(api.tags);
  record["environment"] = TextMapJson(api.environment);
  return json::WriteValue(record);
}

absl::StatusOr<GraphqlApi> GraphqlApiFromRecord(absl::string_view record) {
  const absl::StatusOr<Json::Value> value = ReadRecord(record);
  if (!value.ok()) return value.status();
  absl::StatusOr<GraphqlApi> api = ReadGraphqlApi((*value)["settings"]);
  if (!api.ok()) return DamagedRecord();
  api->id = json::TextMember(*value, "id");
  api->region = json::TextMember(*value, "region");
  api->tags = TextMapFrom((*value)["tags"]);
  api->environment = TextMapFrom((*value)["environment"]);
  if (api->id.empty() || api->region.empty()) return DamagedRecord();
  return api;
}

absl::Status CheckTags(const std::map<std::string, std::string>& tags) {
  if (tags.size() > kMaxTags) return BadRequest("There are too many tags.");
  for (const auto& [key, value] : tags) {
    if (key.empty() || key.size() > 128 || value.size() > 256) {
      return BadRequest(
          "A tag's key has 1 to 128 characters, its value at most 256.");
    }
    if (absl::StartsWithIgnoreCase(key, "aws:")) {
      return BadRequest("A tag's key must not begin with aws:.");
    }
  }
  return absl::OkStatus();
}

absl::Status CheckVariables(
    const std::map<std::string, std::string>& variables) {
  if (variables.size() > kMaxVariables) {
    return BadRequest(absl::StrCat("There are more than ", kMaxVariables,
                                   " environment variables."));
  }
  static const re2::RE2& name_pattern = *new re2::RE2("[A-Za-z]\\w{1,63}");
  for (const auto& [name, value] : variables) {
    if (!re2::RE2::FullMatch(name, name_pattern)) {
      return BadRequest(absl::StrCat(
          "The name of the environment variable ", name,
          " must have 2 to 64 letters, digits and underscores, and begin with "
          "a letter."));
    }
    if (value.size() > kMaxVariableLength) {
      return BadRequest(absl::StrCat("The value of the environment variable ",
                                     name, " is longer than ",
                                     kMaxVariableLength, " characters."));
    }
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::appsync

#include <json/json.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/authorizer.h"
#include "local/apigateway/definition.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/header_text.h"
#include "local/apigateway/integration_properties.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/request_validation.h"
#include "local/apigateway/rest_api.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::BoolProperty;
using cloudformation::IntegerProperty;
using cloudformation::IsScalar;
using cloudformation::PropertyAt;
using cloudformation::ResourceRequest;
using cloudformation::ResourceState;
using cloudformation::ScalarText;
using cloudformation::TextsProperty;

absl::StatusOr<Authorizer::Type> ReadAuthorizerType(
    const ResourceRequest& request) {
  const std::string text = Text(request, "Type");
  for (const Authorizer::Type type :
       {Authorizer::Type::kToken, Authorizer::Type::kRequest,
        Authorizer::Type::kCognito}) {
    if (NameOf(type) == text) return type;
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "Type is ", text, "; it must be TOKEN, REQUEST or COGNITO_USER_POOLS"));
}

absl::Status ReadIdentitySources(const ResourceRequest& request,
                                 Authorizer& authorizer) {
  absl::StatusOr<std::vector<ParameterSource>> sources =
      ParseParameterSources(Text(request, "IdentitySource"));
  if (!sources.ok()) {
    return absl::Status(
        sources.status().code(),
        absl::StrCat("IdentitySource: ", sources.status().message()));
  }
  authorizer.identity_sources = *std::move(sources);
  if (authorizer.type == Authorizer::Type::kRequest) {
    if (authorizer.identity_sources.empty() &&
        authorizer.ttl > absl::ZeroDuration()) {
      return absl::InvalidArgumentError(
          "IdentitySource is required unless AuthorizerResultTtlInSeconds is "
          "0");
    }
    return absl::OkStatus();
  }
  if (authorizer.identity_sources.size() != 1 ||
      authorizer.identity_sources[0].kind != ParameterSource::Kind::kHeader) {
    return absl::InvalidArgumentError(
        absl::StrCat("IdentitySource must be one header, "
                     "method.request.header.NAME, if Type is ",
                     NameOf(authorizer.type)));
  }
  return absl::OkStatus();
}

// What calls a Lambda authorizer's function.
absl::Status ReadFunction(const ResourceRequest& request,
                          Authorizer& authorizer) {
  authorizer.uri = Text(request, "AuthorizerUri");
  absl::StatusOr<std::string> function = FunctionArnOf(authorizer.uri);
  if (!function.ok()) {
    return absl::Status(
        function.status().code(),
        absl::StrCat("AuthorizerUri: ", function.status().message()));
  }
  authorizer.function_arn = *std::move(function);
  authorizer.role_arn = Text(request, "AuthorizerCredentials");
  if (!authorizer.role_arn.empty() &&
      !absl::StrContains(authorizer.role_arn, ":role/")) {
    return absl::InvalidArgumentError(
        "AuthorizerCredentials is not the ARN of a role");
  }
  return absl::OkStatus();
}

absl::Status ReadPools(const ResourceRequest& request, Authorizer& authorizer) {
  absl::StatusOr<std::vector<std::string>> pools =
      TextsProperty(request.properties, "ProviderARNs");
  if (!pools.ok()) return pools.status();
  for (const std::string& pool : *pools) {
    if (!absl::StrContains(pool, ":userpool/")) {
      return absl::InvalidArgumentError(absl::StrCat(
          "ProviderARNs has ", pool, ", which is not the ARN of a user pool"));
    }
  }
  if (pools->empty()) {
    return absl::InvalidArgumentError(
        "ProviderARNs is required if Type is COGNITO_USER_POOLS");
  }
  authorizer.provider_arns = *std::move(pools);
  return absl::OkStatus();
}

absl::Status ReadTtl(const ResourceRequest& request, Authorizer& authorizer) {
  constexpr char kProperty[] = "AuthorizerResultTtlInSeconds";
  const std::int64_t max = absl::ToInt64Seconds(kMaxAuthorizerTtl);
  const absl::StatusOr<std::int64_t> seconds =
      IntegerProperty(request.properties, kProperty,
                      absl::ToInt64Seconds(kDefaultAuthorizerTtl));
  if (!seconds.ok()) return seconds.status();
  if (*seconds < 0 || *seconds > max) {
    return absl::InvalidArgumentError(absl::StrCat(
        kProperty, " is ", *seconds, "; it must be from 0 to ", max));
  }
  authorizer.ttl = absl::Seconds(*seconds);
  return absl::OkStatus();
}

absl::StatusOr<Authorizer> ReadAuthorizer(const ResourceRequest& request) {
  const absl::StatusOr<Authorizer::Type> type = ReadAuthorizerType(request);
  if (!type.ok()) return type.status();
  Authorizer authorizer{
      .name = Text(request, "Name"),
      .type = *type,
      .validation_expression = Text(request, "IdentityValidationExpression"),
      .auth_type = Text(request, "AuthType")};
  absl::Status status = ReadTtl(request, authorizer);
  status.Update(ReadIdentitySources(request, authorizer));
  status.Update(*type == Authorizer::Type::kCognito
                    ? ReadPools(request, authorizer)
                    : ReadFunction(request, authorizer));
  if (!status.ok()) return status;
  if (const absl::Status valid = cloudformation::MatchesAllowedPattern(
                                     authorizer.validation_expression, "")
                                     .status();
      !valid.ok()) {
    return absl::Status(
        valid.code(),
        absl::StrCat("IdentityValidationExpression: ", valid.message()));
  }
  return authorizer;
}

Definition AuthorizerDefinition() {
  return {
      .type = "AWS::ApiGateway::Authorizer",
      .schema = {.acted_on = {"RestApiId", "Name", "Type", "AuthType",
                              "AuthorizerUri", "AuthorizerCredentials",
                              "AuthorizerResultTtlInSeconds", "IdentitySource",
                              "IdentityValidationExpression", "ProviderARNs[]"},
                 .required = {"RestApiId", "Name", "Type"},
                 .create_only = {"RestApiId"},
                 .attributes = {"AuthorizerId"}},
      .put =
          [](Registry& registry, const ResourceRequest& request,
             ResourceState& state) {
            absl::StatusOr<Authorizer> read = ReadAuthorizer(request);
            if (!read.ok()) return read.status();
            read->id = state.physical_id;
            state.attributes = {{"AuthorizerId", state.physical_id}};
            return registry.ChangeParts(
                Text(request, "RestApiId"), [&](ApiParts& parts) {
                  parts.authorizers[state.physical_id] = *std::move(read);
                });
          },
      .remove =
          [](Registry& registry, const ResourceRequest& request) {
            registry
                .ChangeParts(Text(request, "RestApiId"),
                             [&](ApiParts& parts) {
                               parts.authorizers.erase(request.physical_id);
                             })
                .IgnoreError();
          }};
}

Definition RequestValidatorDefinition() {
  return {.type = "AWS::ApiGateway::RequestValidator",
          .schema = {.acted_on = {"RestApiId", "Name", "ValidateRequestBody",
                                  "ValidateRequestParameters"},
                     .required = {"RestApiId"},
                     .create_only = {"RestApiId", "Name"},
                     .attributes = {"RequestValidatorId"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                const absl::StatusOr<bool> body = BoolProperty(
                    request.properties, "ValidateRequestBody", false);
                if (!body.ok()) return body.status();
                const absl::StatusOr<bool> parameters = BoolProperty(
                    request.properties, "ValidateRequestParameters", false);
                if (!parameters.ok()) return parameters.status();
                state.attributes = {{"RequestValidatorId", state.physical_id}};
                return registry.ChangeParts(
                    Text(request, "RestApiId"), [&](ApiParts& parts) {
                      parts.validators[state.physical_id] = {
                          .id = state.physical_id,
                          .name = Text(request, "Name"),
                          .validate_body = *body,
                          .validate_parameters = *parameters};
                    });
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry
                    .ChangeParts(Text(request, "RestApiId"),
                                 [&](ApiParts& parts) {
                                   parts.validators.erase(request.physical_id);
                                 })
                    .IgnoreError();
              }};
}

absl::StatusOr<Model> ReadModel(const ResourceRequest& request) {
  Model model{.name = Text(request, "Name"),
              .content_type = Text(request, "ContentType"),
              .description = Text(request, "Description")};
  if (model.content_type.empty()) model.content_type = "application/json";
  const Json::Value& schema = PropertyAt(request.properties, "Schema");
  // Templates write it as JSON or as text.
  if (schema.isString()) {
    model.schema = schema.asString();
  } else if (!schema.isNull()) {
    model.schema = json::WriteValue(schema);
  }
  if (model.schema.empty()) return model;
  if (absl::Status valid = Schemas().Check(model.schema); !valid.ok()) {
    return absl::InvalidArgumentError(
        absl::StrCat("Schema is not a JSON schema: ", valid.message()));
  }
  return model;
}

Definition ModelDefinition() {
  return {.type = "AWS::ApiGateway::Model",
          .schema = {.acted_on = {"RestApiId", "Name", "ContentType",
                                  "Description", "Schema.**"},
                     .required = {"RestApiId"},
                     .create_only = {"RestApiId", "Name", "ContentType"}},
          // Methods refer to a model by its name.
          .new_id =
              [](const ResourceRequest& request) {
                const std::string name = Text(request, "Name");
                return name.empty() ? request.name_suffix : name;
              },
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                absl::StatusOr<Model> read = ReadModel(request);
                if (!read.ok()) return read.status();
                read->name = state.physical_id;
                read->id = state.physical_id;
                return registry.ChangeParts(
                    Text(request, "RestApiId"), [&](ApiParts& parts) {
                      parts.models[state.physical_id] = *std::move(read);
                    });
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry
                    .ChangeParts(Text(request, "RestApiId"),
                                 [&](ApiParts& parts) {
                                   parts.models.erase(request.physical_id);
                                 })
                    .IgnoreError();
              }};
}

// "X-A" with its source of "gatewayresponse.header.X-A" with "'b'".
absl::Status ReadResponseParameters(const Json::Value& parameters,
                                    GatewayResponse& response) {
  for (const std::string& name : parameters.getMemberNames()) {
    const std::string path = absl::StrCat("ResponseParameters.", name);
    absl::string_view header = name;
    if (!absl::ConsumePrefix(&header, "gatewayresponse.header.") ||
        !IsHeaderName(header)) {
      return absl::UnimplementedError(absl::StrCat(
          path, ": only gatewayresponse.header.NAME is supported"));
    }
    absl::StatusOr<ParameterSource> source = ParseParameterSource(
        IsScalar(parameters[name]) ? ScalarText(parameters[name]) : "");
    if (!source.ok()) {
      return absl::Status(source.status().code(),
                          absl::StrCat(path, ": ", source.status().message()));
    }
    response.headers[std::string(header)] = *std::move(source);
  }
  return absl::OkStatus();
}

absl::StatusOr<GatewayResponse> ReadGatewayResponse(
    const ResourceRequest& request) {
  constexpr std::int64_t kNoStatus = 0;
  constexpr std::int64_t kMinStatus = 100;
  constexpr std::int64_t kMaxStatus = 599;
  const std::string name = Text(request, "ResponseType");
  const std::optional<ResponseType> type = ResponseTypeNamed(name);
  if (!type.has_value()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "ResponseType is ", name, ", which is not a type of gateway response"));
  }
  GatewayResponse response{.type = *type};
  const absl::StatusOr<std::int64_t> status =
      IntegerProperty(request.properties, "StatusCode", kNoStatus);
  if (!status.ok()) return status.status();
  if (*status != kNoStatus) {
    if (*status < kMinStatus || *status > kMaxStatus) {
      return absl::InvalidArgumentError("StatusCode is not an HTTP status");
    }
    response.status = static_cast<int>(*status);
  }
  absl::StatusOr<std::map<std::string, MappingTemplate>> templates =
      ReadTemplates(PropertyAt(request.properties, "ResponseTemplates"),
                    "ResponseTemplates");
  if (!templates.ok()) return templates.status();
  response.templates = *std::move(templates);
  if (absl::Status read = ReadResponseParameters(
          PropertyAt(request.properties, "ResponseParameters"), response);
      !read.ok()) {
    return read;
  }
  return response;
}

Definition GatewayResponseDefinition() {
  return {
      .type = "AWS::ApiGateway::GatewayResponse",
      .schema = {.acted_on = {"RestApiId", "ResponseType", "StatusCode",
                              "ResponseParameters.*", "ResponseTemplates.*"},
                 .required = {"RestApiId", "ResponseType"},
                 .create_only = {"RestApiId", "ResponseType"},
                 .attributes = {"Id"}},
      .put =
          [](Registry& registry, const ResourceRequest& request,
             ResourceState& state) {
            absl::StatusOr<GatewayResponse> read = ReadGatewayResponse(request);
            if (!read.ok()) return read.status();
            state.attributes = {{"Id", state.physical_id}};
            return registry.ChangeParts(
                Text(request, "RestApiId"), [&](ApiParts& parts) {
                  const ResponseType type = read->type;
                  parts.responses[type] = *std::move(read);
                });
          },
      .remove =
          [](Registry& registry, const ResourceRequest& request) {
            const std::optional<ResponseType> type =
                ResponseTypeNamed(Text(request, "ResponseType"));
            if (!type.has_value()) return;
            registry
                .ChangeParts(
                    Text(request, "RestApiId"),
                    [&](ApiParts& parts) { parts.responses.erase(*type); })
                .IgnoreError();
          }};
}

}  // namespace

std::vector<Definition> PartDefinitions() {
  std::vector<Definition> definitions;
  for (Definition (*definition)() :
       {AuthorizerDefinition, RequestValidatorDefinition, ModelDefinition,
        GatewayResponseDefinition}) {
    definitions.push_back(definition());
  }
  return definitions;
}

}  // namespace byoshin::local::apigateway

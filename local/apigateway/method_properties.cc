#include "local/apigateway/method_properties.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/integration_properties.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/rest_api.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::BoolProperty;
using cloudformation::TextProperty;
using cloudformation::TextsProperty;

std::string MethodText(const Json::Value& properties, absl::string_view path) {
  return TextProperty(properties, path).value_or("");
}

absl::StatusOr<MethodAuthorization> ReadAuthorization(
    const Json::Value& properties) {
  using Type = MethodAuthorization::Type;
  const std::string type = MethodText(properties, "AuthorizationType");
  if (type == "NONE") return MethodAuthorization();
  if (type == "AWS_IAM") return MethodAuthorization{.type = Type::kIam};
  if (type != "CUSTOM" && type != "COGNITO_USER_POOLS") {
    return absl::InvalidArgumentError(
        absl::StrCat("AuthorizationType is ", type,
                     "; it must be NONE, AWS_IAM, CUSTOM or "
                     "COGNITO_USER_POOLS"));
  }
  MethodAuthorization read{
      .type = type == "CUSTOM" ? Type::kCustom : Type::kCognito,
      .authorizer_id = MethodText(properties, "AuthorizerId")};
  if (read.authorizer_id.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("AuthorizerId is missing: AuthorizationType is ", type));
  }
  absl::StatusOr<std::vector<std::string>> scopes =
      TextsProperty(properties, "AuthorizationScopes");
  if (!scopes.ok()) return scopes.status();
  read.scopes = *std::move(scopes);
  if (!read.scopes.empty() && read.type != Type::kCognito) {
    return absl::InvalidArgumentError(
        "AuthorizationScopes needs the AuthorizationType COGNITO_USER_POOLS");
  }
  return read;
}

// The parameters, and which of them are required.
absl::Status ReadParameters(const Json::Value& properties, Method& method) {
  const Json::Value& parameters = properties["RequestParameters"];
  for (const std::string& name : parameters.getMemberNames()) {
    const std::string path = absl::StrCat("RequestParameters.", name);
    absl::StatusOr<ParameterSource> source = ParseParameterSource(name);
    if (!source.ok() || !absl::StartsWith(name, "method.request.")) {
      return absl::InvalidArgumentError(absl::StrCat(
          path,
          ": a parameter is method.request.LOCATION.NAME, where LOCATION is "
          "header, querystring or path"));
    }
    // Names have dots, so that a path of properties can't be used.
    Json::Value required;
    required["it"] = parameters[name];
    const absl::StatusOr<bool> is_required =
        BoolProperty(required, "it", false);
    if (!is_required.ok()) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, " is neither true nor false"));
    }
    method.request_parameters[name] = *is_required;
    if (*is_required) {
      method.rules.required_parameters.push_back(*std::move(source));
    }
  }
  return absl::OkStatus();
}

absl::Status ReadRules(const Json::Value& properties, Method& method) {
  method.validator_id = MethodText(properties, "RequestValidatorId");
  const Json::Value& models = properties["RequestModels"];
  for (const std::string& type : models.getMemberNames()) {
    if (!models[type].isString()) {
      return absl::InvalidArgumentError(
          absl::StrCat("RequestModels.", type, " is not the name of a model"));
    }
    method.rules.models[absl::AsciiStrToLower(type)] = models[type].asString();
  }
  return ReadParameters(properties, method);
}

}  // namespace

cloudformation::ResourceSchema MethodSchema() {
  return {
      .acted_on = {"RestApiId",
                   "ResourceId",
                   "HttpMethod",
                   "AuthorizationType",
                   "AuthorizerId",
                   "AuthorizationScopes[]",
                   "ApiKeyRequired",
                   "RequestValidatorId",
                   "RequestModels.*",
                   "RequestParameters.*",
                   "OperationName",
                   "Integration.IntegrationHttpMethod",
                   "Integration.Type",
                   "Integration.Uri",
                   "Integration.TimeoutInMillis",
                   "Integration.Credentials",
                   "Integration.PassthroughBehavior",
                   "Integration.RequestTemplates.*",
                   "Integration.IntegrationResponses[].StatusCode",
                   "Integration.IntegrationResponses[].SelectionPattern",
                   "Integration.IntegrationResponses[].ResponseTemplates.*",
                   "Integration.IntegrationResponses[].ResponseParameters.*",
                   "MethodResponses[].StatusCode"},
      .inert = {{"MethodResponses[].ResponseModels",
                 "models describe responses and do not change them"},
                {"MethodResponses[].ResponseParameters",
                 "headers are set by the integration responses"}},
      .required = {"RestApiId", "ResourceId", "HttpMethod", "AuthorizationType",
                   "Integration"},
      .create_only = {"RestApiId", "ResourceId", "HttpMethod"}};
}

absl::StatusOr<Method> ReadMethod(const Json::Value& properties) {
  const absl::StatusOr<bool> key =
      BoolProperty(properties, "ApiKeyRequired", false);
  if (!key.ok()) return key.status();
  Method method{.http_method = MethodText(properties, "HttpMethod"),
                .api_key_required = *key,
                .operation_name = MethodText(properties, "OperationName")};
  absl::StatusOr<MethodAuthorization> authorization =
      ReadAuthorization(properties);
  if (!authorization.ok()) return authorization.status();
  method.authorization = *std::move(authorization);
  if (absl::Status status = ReadRules(properties, method); !status.ok()) {
    return status;
  }
  if (absl::Status status = ReadIntegration(properties, method); !status.ok()) {
    return status;
  }
  return method;
}

}  // namespace byoshin::local::apigateway

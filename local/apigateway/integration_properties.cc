#include "local/apigateway/integration_properties.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "local/apigateway/header_text.h"
#include "local/apigateway/mapping_template.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/service_integration.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::IntegerProperty;
using cloudformation::IsScalar;
using cloudformation::PropertyAt;
using cloudformation::ScalarText;
using cloudformation::TextProperty;

// The actions of Step Functions that a method may call.
constexpr absl::string_view kStatesActions[] = {
    "StartExecution",    "StartSyncExecution", "StopExecution",
    "DescribeExecution", "ListExecutions",     "GetExecutionHistory",
    "SendTaskSuccess",   "SendTaskFailure",    "SendTaskHeartbeat"};

std::string IntegrationText(const Json::Value& properties,
                            absl::string_view path) {
  return TextProperty(properties, path).value_or("");
}

absl::Status WithPath(absl::string_view path, const absl::Status& status) {
  return absl::Status(status.code(),
                      absl::StrCat(path, ": ", status.message()));
}

// Sets the service, the action and the region of
// "arn:aws:apigateway:REGION:states:action/StartExecution".
absl::Status ReadUri(const std::string& uri, ServiceIntegration& integration) {
  constexpr std::size_t kParts = 6;
  const std::vector<std::string> parts =
      absl::StrSplit(uri, absl::MaxSplits(':', kParts - 1));
  absl::string_view action;
  if (parts.size() == kParts) action = parts.back();
  if (!absl::ConsumePrefix(&action, "action/") || parts[0] != "arn" ||
      parts[2] != "apigateway" || parts[4] != "states" ||
      std::find(std::begin(kStatesActions), std::end(kStatesActions), action) ==
          std::end(kStatesActions)) {
    return absl::UnimplementedError(absl::StrCat(
        "Integration.Uri is ", uri, "; an integration of type AWS can call ",
        "arn:aws:apigateway:REGION:states:action/ACTION, where ACTION is one "
        "of ",
        absl::StrJoin(kStatesActions, ", ")));
  }
  integration.region = parts[3];
  integration.service = parts[4];
  integration.action = std::string(action);
  return absl::OkStatus();
}

absl::StatusOr<Passthrough> ReadPassthrough(const Json::Value& integration) {
  const std::string text =
      TextProperty(integration, "PassthroughBehavior", "WHEN_NO_MATCH")
          .value_or("");
  if (text == "WHEN_NO_MATCH") return Passthrough::kWhenNoMatch;
  if (text == "WHEN_NO_TEMPLATES") return Passthrough::kWhenNoTemplates;
  if (text == "NEVER") return Passthrough::kNever;
  return absl::InvalidArgumentError(
      "Integration.PassthroughBehavior is not WHEN_NO_MATCH, "
      "WHEN_NO_TEMPLATES or NEVER");
}

// "X-A" with "b" of "method.response.header.X-A" with "'b'".
absl::StatusOr<std::map<std::string, std::string>> ReadHeaders(
    const Json::Value& parameters, absl::string_view path) {
  std::map<std::string, std::string> headers;
  for (const std::string& name : parameters.getMemberNames()) {
    absl::string_view header = name;
    const std::string text =
        IsScalar(parameters[name]) ? ScalarText(parameters[name]) : "";
    absl::string_view value = text;
    if (!absl::ConsumePrefix(&header, "method.response.header.") ||
        !absl::ConsumePrefix(&value, "'") ||
        !absl::ConsumeSuffix(&value, "'")) {
      return absl::UnimplementedError(absl::StrCat(
          path, ".", name, " is ", text,
          "; only headers with a constant value in apostrophes are supported"));
    }
    if (!IsHeaderName(header) || !IsHeaderValue(value)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ".", name, " is not a valid HTTP header"));
    }
    headers[std::string(header)] = std::string(value);
  }
  return headers;
}

absl::StatusOr<int> ReadStatusCode(const Json::Value& response,
                                   absl::string_view path) {
  constexpr std::int64_t kMin = 100;
  constexpr std::int64_t kMax = 599;
  const absl::StatusOr<std::int64_t> code =
      IntegerProperty(response, "StatusCode", 0);
  if (!code.ok()) return WithPath(path, code.status());
  if (*code < kMin || *code > kMax) {
    return absl::InvalidArgumentError(
        absl::StrCat(path, ".StatusCode is not an HTTP status"));
  }
  return static_cast<int>(*code);
}

absl::StatusOr<IntegrationResponse> ReadResponse(const Json::Value& response,
                                                 absl::string_view path) {
  IntegrationResponse read;
  const absl::StatusOr<int> status = ReadStatusCode(response, path);
  if (!status.ok()) return status.status();
  read.status = *status;
  read.selection_pattern = IntegrationText(response, "SelectionPattern");
  if (const absl::Status good =
          cloudformation::MatchesAllowedPattern(read.selection_pattern, "200")
              .status();
      !good.ok()) {
    return WithPath(absl::StrCat(path, ".SelectionPattern"), good);
  }
  const std::string templates_path = absl::StrCat(path, ".ResponseTemplates");
  absl::StatusOr<std::map<std::string, MappingTemplate>> templates =
      ReadTemplates(response["ResponseTemplates"], templates_path);
  if (!templates.ok()) return templates.status();
  // An empty template passes the service's body on.
  std::erase_if(*templates, [](const auto& entry) {
    return entry.second.source().empty();
  });
  for (const auto& [type, parsed] : *templates) {
    if (type != kMappedContentType) {
      return absl::UnimplementedError(
          absl::StrCat(templates_path, ".", type, ": only ", kMappedContentType,
                       " is supported"));
    }
  }
  read.templates = *std::move(templates);
  absl::StatusOr<std::map<std::string, std::string>> headers =
      ReadHeaders(response["ResponseParameters"],
                  absl::StrCat(path, ".ResponseParameters"));
  if (!headers.ok()) return headers.status();
  read.headers = *std::move(headers);
  return read;
}

absl::StatusOr<std::vector<IntegrationResponse>> ReadResponses(
    const Json::Value& properties) {
  std::set<int> declared;
  for (const Json::Value& response : properties["MethodResponses"]) {
    const absl::StatusOr<int> status =
        ReadStatusCode(response, "MethodResponses");
    if (!status.ok()) return status.status();
    declared.insert(*status);
  }
  std::vector<IntegrationResponse> responses;
  bool has_default = false;
  for (const Json::Value& response :
       PropertyAt(properties, "Integration.IntegrationResponses")) {
    const std::string path = absl::StrCat("Integration.IntegrationResponses[",
                                          responses.size(), "]");
    absl::StatusOr<IntegrationResponse> read = ReadResponse(response, path);
    if (!read.ok()) return read.status();
    if (!declared.contains(read->status)) {
      return absl::InvalidArgumentError(
          absl::StrCat(path, ".StatusCode is ", read->status,
                       ", which MethodResponses does not have"));
    }
    const bool is_default = read->selection_pattern.empty();
    if (is_default && has_default) {
      return absl::InvalidArgumentError(
          absl::StrCat(path,
                       " has no SelectionPattern, nor has an earlier "
                       "integration response: only one can be the "
                       "default"));
    }
    has_default |= is_default;
    responses.push_back(*std::move(read));
  }
  return responses;
}

absl::StatusOr<Mapping> ReadMapping(const Json::Value& properties) {
  Mapping read;
  const Json::Value& integration = properties["Integration"];
  const absl::StatusOr<Passthrough> passthrough = ReadPassthrough(integration);
  if (!passthrough.ok()) return passthrough.status();
  read.passthrough = *passthrough;
  absl::StatusOr<std::map<std::string, MappingTemplate>> templates =
      ReadTemplates(integration["RequestTemplates"],
                    "Integration.RequestTemplates");
  if (!templates.ok()) return templates.status();
  read.templates = *std::move(templates);
  absl::StatusOr<std::vector<IntegrationResponse>> responses =
      ReadResponses(properties);
  if (!responses.ok()) return responses.status();
  read.responses = *std::move(responses);
  return read;
}

absl::StatusOr<ServiceIntegration> ReadServiceIntegration(
    const Json::Value& properties) {
  ServiceIntegration read;
  if (absl::Status status =
          ReadUri(IntegrationText(properties, "Integration.Uri"), read);
      !status.ok()) {
    return status;
  }
  if (const std::string method =
          IntegrationText(properties, "Integration.IntegrationHttpMethod");
      method != "POST") {
    return absl::InvalidArgumentError(
        absl::StrCat("Integration.IntegrationHttpMethod is ", method,
                     "; Step Functions accepts only POST"));
  }
  read.role_arn = IntegrationText(properties, "Integration.Credentials");
  if (!absl::StrContains(read.role_arn, ":role/")) {
    return absl::InvalidArgumentError(
        "Integration.Credentials is not the ARN of a role: API Gateway needs "
        "one to call Step Functions");
  }
  absl::StatusOr<Mapping> mapping = ReadMapping(properties);
  if (!mapping.ok()) return mapping.status();
  read.mapping = *std::move(mapping);
  return read;
}

// Sets what calls the method's function. As on AWS, templates and integration
// responses have no effect.
absl::Status ReadProxyIntegration(const Json::Value& properties,
                                  Method& method) {
  absl::StatusOr<std::string> function = FunctionArnOf(method.integration_uri);
  if (!function.ok()) return WithPath("Integration.Uri", function.status());
  method.function_arn = *std::move(function);
  method.function_role_arn =
      IntegrationText(properties, "Integration.Credentials");
  if (!method.function_role_arn.empty() &&
      !absl::StrContains(method.function_role_arn, ":role/")) {
    return absl::UnimplementedError(
        absl::StrCat("Integration.Credentials is ", method.function_role_arn,
                     "; only the ARN of a role is supported"));
  }
  return absl::OkStatus();
}

absl::Status ReadTimeout(const Json::Value& properties, Method& method) {
  const std::int64_t max = absl::ToInt64Milliseconds(kIntegrationTimeout);
  const std::int64_t min = absl::ToInt64Milliseconds(kMinIntegrationTimeout);
  const absl::StatusOr<std::int64_t> millis =
      IntegerProperty(properties, "Integration.TimeoutInMillis", max);
  if (!millis.ok()) return millis.status();
  if (*millis < min || *millis > max) {
    return absl::InvalidArgumentError(
        absl::StrCat("Integration.TimeoutInMillis is ", *millis,
                     "; it must be from ", min, " to ", max));
  }
  method.timeout = absl::Milliseconds(*millis);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::map<std::string, MappingTemplate>> ReadTemplates(
    const Json::Value& templates, absl::string_view path) {
  std::map<std::string, MappingTemplate> read;
  for (const std::string& type : templates.getMemberNames()) {
    const std::string where = absl::StrCat(path, ".", type);
    if (!templates[type].isString()) {
      return absl::InvalidArgumentError(absl::StrCat(where, " is not text"));
    }
    absl::StatusOr<MappingTemplate> parsed =
        MappingTemplate::Parse(templates[type].asString());
    if (!parsed.ok()) return WithPath(where, parsed.status());
    read[absl::AsciiStrToLower(type)] = *std::move(parsed);
  }
  return read;
}

absl::StatusOr<std::string> FunctionArnOf(absl::string_view uri) {
  constexpr absl::string_view kBefore = "/functions/";
  const std::size_t begin = uri.find(kBefore);
  if (begin == absl::string_view::npos ||
      !absl::EndsWith(uri, "/invocations")) {
    return absl::InvalidArgumentError(
        absl::StrCat("not the URI of a Lambda function: ", uri));
  }
  uri.remove_prefix(begin + kBefore.size());
  return std::string(absl::StripSuffix(uri, "/invocations"));
}

absl::Status ReadIntegration(const Json::Value& properties, Method& method) {
  method.integration_uri = IntegrationText(properties, "Integration.Uri");
  method.integration_http_method =
      IntegrationText(properties, "Integration.IntegrationHttpMethod");
  if (absl::Status status = ReadTimeout(properties, method); !status.ok()) {
    return status;
  }
  const std::string type = IntegrationText(properties, "Integration.Type");
  if (type == "AWS_PROXY") return ReadProxyIntegration(properties, method);
  if (type == "MOCK") {
    absl::StatusOr<Mapping> mapping = ReadMapping(properties);
    if (!mapping.ok()) return mapping.status();
    method.mock = *std::move(mapping);
    return absl::OkStatus();
  }
  if (type != "AWS") {
    return absl::UnimplementedError(
        absl::StrCat("Integration.Type is ", type,
                     "; only AWS_PROXY, AWS and MOCK are supported"));
  }
  absl::StatusOr<ServiceIntegration> service =
      ReadServiceIntegration(properties);
  if (!service.ok()) return service.status();
  method.service = *std::move(service);
  return absl::OkStatus();
}

}  // namespace byoshin::local::apigateway

#include "local/apigateway/proxy.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "local/apigateway/header_text.h"

namespace byoshin::local::apigateway {
namespace {

using MultiMap = std::map<std::string, std::vector<std::string>>;

constexpr char kForwardedFor[] = "X-Forwarded-For";
constexpr char kForwardedPort[] = "X-Forwarded-Port";
constexpr char kForwardedProto[] = "X-Forwarded-Proto";
constexpr char kContentType[] = "Content-Type";
constexpr char kDefaultContentType[] = "application/json";
constexpr absl::string_view kHttpPort = "80";

// AWS gives null for an empty one.
Json::Value LastValues(const MultiMap& values) {
  Json::Value result;
  for (const auto& [name, all] : values) result[name] = all.back();
  return result;
}
Json::Value AllValues(const MultiMap& values) {
  Json::Value result;
  for (const auto& [name, all] : values) {
    for (const std::string& value : all) result[name].append(value);
  }
  return result;
}

Json::Value Identity(const http::ServerRequest& request,
                     const RequestContext& context) {
  Json::Value identity;
  for (const char* unknown :
       {"accessKey", "accountId", "caller", "cognitoAuthenticationProvider",
        "cognitoAuthenticationType", "cognitoIdentityId",
        "cognitoIdentityPoolId", "principalOrgId", "user", "userArn"}) {
    identity[unknown] = Json::Value();
  }
  for (const auto& [name, value] : context.identity) identity[name] = value;
  identity["sourceIp"] = SourceIp(request.remote);
  identity["userAgent"] = std::string(request.FindHeader("User-Agent"));
  if (!context.api_key.empty()) {
    identity["apiKey"] = context.api_key;
    identity["apiKeyId"] = context.api_key_id;
  }
  return identity;
}

Json::Value ContextMember(const http::ServerRequest& request,
                          const RequestContext& context) {
  Json::Value member;
  member["accountId"] = context.account_id;
  member["apiId"] = context.api_id;
  if (!context.authorizer.isNull()) member["authorizer"] = context.authorizer;
  member["domainName"] = context.domain_name;
  member["domainPrefix"] = context.api_id;
  member["extendedRequestId"] = context.extended_request_id;
  member["httpMethod"] = request.method;
  member["identity"] = Identity(request, context);
  member["path"] = absl::StrCat("/", context.stage, context.path);
  member["protocol"] = "HTTP/1.1";
  member["requestId"] = context.request_id;
  member["requestTime"] = FormatRequestTime(context.time);
  member["requestTimeEpoch"] = Json::Int64{absl::ToUnixMillis(context.time)};
  member["resourceId"] = context.resource_id;
  member["resourcePath"] = context.resource_path;
  member["stage"] = context.stage;
  return member;
}

absl::Status Malformed(absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the function's result is no proxy response: ", why));
}

absl::StatusOr<std::string> HeaderText(const std::string& name,
                                       const Json::Value& value) {
  if (!IsHeaderName(name)) {
    return Malformed(absl::StrCat("not a header name: ", json::Excerpt(name)));
  }
  if (value.isString() && !IsHeaderValue(value.asString())) {
    return Malformed(absl::StrCat("the value of header ", json::Excerpt(name),
                                  " has control characters"));
  }
  if (value.isString()) return value.asString();
  if (value.isBool() || value.isNumeric()) return json::WriteValue(value);
  return Malformed(absl::StrCat("the value of header ", json::Excerpt(name),
                                " is ", json::Describe(value)));
}

absl::Status AddHeaders(const Json::Value& result,
                        std::vector<http::Header>& headers) {
  const Json::Value& multi = result["multiValueHeaders"];
  const Json::Value& single = result["headers"];
  for (const Json::Value* member : {&multi, &single}) {
    if (!member->isNull() && !member->isObject()) {
      return Malformed("headers and multiValueHeaders are objects");
    }
  }
  for (const std::string& name : multi.getMemberNames()) {
    if (!multi[name].isArray()) {
      return Malformed("a value in multiValueHeaders is not an array");
    }
    for (const Json::Value& value : multi[name]) {
      absl::StatusOr<std::string> text = HeaderText(name, value);
      if (!text.ok()) return text.status();
      headers.push_back({name, *std::move(text)});
    }
  }
  for (const std::string& name : single.getMemberNames()) {
    // If both are given, those of multiValueHeaders apply.
    if (multi.isMember(name)) continue;
    absl::StatusOr<std::string> text = HeaderText(name, single[name]);
    if (!text.ok()) return text.status();
    headers.push_back({name, *std::move(text)});
  }
  return absl::OkStatus();
}

absl::StatusOr<std::string> BodyOf(const Json::Value& result,
                                   Base64Body base64) {
  const Json::Value& body = result["body"];
  const Json::Value& encoded = result["isBase64Encoded"];
  if (body.isNull()) return std::string();
  if (!body.isString()) {
    return Malformed(absl::StrCat("body is ", json::Describe(body)));
  }
  if (!encoded.isNull() && !encoded.isBool()) {
    return Malformed("isBase64Encoded is not a boolean");
  }
  if (!encoded.isBool() || !encoded.asBool() ||
      base64 == Base64Body::kLeaveAsItIs) {
    return body.asString();
  }
  std::string bytes;
  if (!absl::Base64Unescape(body.asString(), &bytes)) {
    return Malformed("body is not base64, though isBase64Encoded says so");
  }
  return bytes;
}

// The client's headers and those that API Gateway adds to tell where the
// request came from. A client can add to the latter, but not remove them.
MultiMap HeadersOf(const http::ServerRequest& request) {
  MultiMap headers;
  std::string forwarded_for;
  for (const http::Header& header : request.headers) {
    if (absl::EqualsIgnoreCase(header.name, kForwardedFor)) {
      absl::StrAppend(&forwarded_for, header.value, ", ");
    } else if (!absl::EqualsIgnoreCase(header.name, kForwardedPort) &&
               !absl::EqualsIgnoreCase(header.name, kForwardedProto)) {
      headers[header.name].push_back(header.value);
    }
  }
  const absl::string_view host = request.FindHeader("Host");
  const std::size_t colon = host.rfind(':');
  headers[kForwardedFor] = {
      absl::StrCat(forwarded_for, SourceIp(request.remote))};
  headers[kForwardedPort] = {std::string(
      colon == absl::string_view::npos ? kHttpPort : host.substr(colon + 1))};
  headers[kForwardedProto] = {"http"};
  return headers;
}

}  // namespace

std::string FormatRequestTime(absl::Time time) {
  return absl::FormatTime("%d/%b/%Y:%H:%M:%S +0000", time, absl::UTCTimeZone());
}

std::string SourceIp(absl::string_view remote) {
  const absl::string_view host = remote.substr(0, remote.rfind(':'));
  if (absl::StartsWith(host, "[") && absl::EndsWith(host, "]")) {
    return std::string(host.substr(1, host.size() - 2));
  }
  return std::string(host);
}

bool IsOfType(absl::string_view header, const std::vector<std::string>& types) {
  const std::string type = absl::AsciiStrToLower(
      absl::StripAsciiWhitespace(header.substr(0, header.find_first_of(",;"))));
  for (const std::string& candidate : types) {
    const std::string wanted = absl::AsciiStrToLower(candidate);
    if (wanted == "*/*" || wanted == type) return true;
    // "image/*": all types that start with "image/".
    if (absl::EndsWith(wanted, "/*") &&
        absl::StartsWith(type, absl::StripSuffix(wanted, "*"))) {
      return true;
    }
  }
  return false;
}

absl::StatusOr<std::string> ProxyEvent(const http::ServerRequest& request,
                                       const RequestContext& context) {
  absl::StatusOr<std::vector<http::QueryParameter>> query =
      http::ParseQuery(request.query);
  if (!query.ok()) return query.status();
  MultiMap parameters;
  for (http::QueryParameter& parameter : *query) {
    parameters[parameter.name].push_back(std::move(parameter.value));
  }
  const MultiMap headers = HeadersOf(request);

  Json::Value event;
  event["resource"] = context.resource_path;
  event["path"] = context.path;
  event["httpMethod"] = request.method;
  event["headers"] = LastValues(headers);
  event["multiValueHeaders"] = AllValues(headers);
  event["queryStringParameters"] = LastValues(parameters);
  event["multiValueQueryStringParameters"] = AllValues(parameters);
  event["pathParameters"] = Json::Value();
  for (const auto& [name, value] : context.path_parameters) {
    event["pathParameters"][name] = value;
  }
  event["stageVariables"] = Json::Value();
  for (const auto& [name, value] : context.stage_variables) {
    event["stageVariables"][name] = value;
  }
  event["requestContext"] = ContextMember(request, context);
  const bool is_binary =
      !request.body.empty() &&
      IsOfType(request.FindHeader(kContentType), context.binary_media_types);
  event["body"] = request.body.empty() ? Json::Value()
                  : is_binary ? Json::Value(absl::Base64Escape(request.body))
                              : Json::Value(request.body);
  event["isBase64Encoded"] = is_binary;
  return json::WriteValue(event);
}

absl::StatusOr<http::ServerResponse> ProxyResponse(absl::string_view result,
                                                   Base64Body base64) {
  const absl::StatusOr<Json::Value> value = json::ParseValue(result);
  if (!value.ok()) return Malformed(value.status().message());
  if (!value->isObject()) return Malformed("it is not an object");
  // AWS accepts digits in a string, too.
  int status = 0;
  const Json::Value& code = (*value)["statusCode"];
  const bool is_status =
      code.isInt() ||
      (code.isString() && absl::SimpleAtoi(code.asString(), &status));
  if (code.isInt()) status = code.asInt();
  // Statuses below 200 announce another answer.
  if (!is_status || status < 200 || status > 599) {
    return Malformed("statusCode is not a number from 200 to 599");
  }
  http::ServerResponse response{.status = status};
  if (absl::Status added = AddHeaders(*value, response.headers); !added.ok()) {
    return added;
  }
  const bool has_type =
      std::any_of(response.headers.begin(), response.headers.end(),
                  [](const http::Header& header) {
                    return absl::EqualsIgnoreCase(header.name, kContentType);
                  });
  if (!has_type) {
    response.headers.push_back({kContentType, kDefaultContentType});
  }
  absl::StatusOr<std::string> body = BodyOf(*value, base64);
  if (!body.ok()) return body.status();
  response.body = *std::move(body);
  return response;
}

}  // namespace byoshin::local::apigateway

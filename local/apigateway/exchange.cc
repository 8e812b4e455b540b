#include "local/apigateway/exchange.h"

#include <json/json.h>

#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "local/apigateway/access_log.h"

namespace byoshin::local::apigateway {
namespace {

std::string Millis(absl::Duration duration) {
  return absl::StrCat(absl::ToInt64Milliseconds(duration));
}

// The members of an object, and of objects in it, by their paths.
void AddMembers(const Json::Value& object, const std::string& prefix,
                ContextVariables& variables) {
  for (const std::string& name : object.getMemberNames()) {
    const Json::Value& member = object[name];
    const std::string path = absl::StrCat(prefix, ".", name);
    if (member.isObject()) {
      AddMembers(member, path, variables);
    } else {
      variables[path] =
          member.isString() ? member.asString() : json::WriteValue(member);
    }
  }
}

}  // namespace

ContextVariables VariablesOf(const Exchange& exchange) {
  const RequestContext& context = exchange.context;
  ContextVariables variables = {
      {"requestId", context.request_id},
      {"extendedRequestId", context.extended_request_id},
      {"requestTime", FormatRequestTime(context.time)},
      {"requestTimeEpoch", absl::StrCat(absl::ToUnixMillis(context.time))},
      {"httpMethod", exchange.request.method},
      {"path", absl::StrCat("/", context.stage, context.path)},
      {"resourceId", context.resource_id},
      {"resourcePath", context.resource_path},
      {"stage", context.stage},
      {"apiId", context.api_id},
      {"accountId", context.account_id},
      {"domainName", context.domain_name},
      {"domainPrefix", context.api_id},
      {"protocol", "HTTP/1.1"},
      {"identity.sourceIp", SourceIp(exchange.request.remote)},
      {"identity.userAgent",
       std::string(exchange.request.FindHeader("User-Agent"))},
      {"identity.apiKey", context.api_key},
      {"identity.apiKeyId", context.api_key_id},
      {"authorizer.error", exchange.authorizer_error},
  };
  AddMembers(context.authorizer, "authorizer", variables);
  for (const auto& [name, value] : context.identity) {
    variables[absl::StrCat("identity.", name)] = value;
  }
  if (exchange.error.has_value()) AddErrorVariables(*exchange.error, variables);
  return variables;
}

std::string ApiArn(const RequestContext& context, absl::string_view region,
                   absl::string_view suffix) {
  return absl::StrCat("arn:aws:execute-api:", region, ":", context.account_id,
                      ":", context.api_id, suffix);
}

std::string AccessLogLine(const Exchange& exchange,
                          const http::ServerResponse& response,
                          absl::Time now) {
  ContextVariables variables = VariablesOf(exchange);
  variables["status"] = absl::StrCat(response.status);
  variables["responseLength"] = absl::StrCat(response.body.size());
  variables["responseLatency"] = Millis(now - exchange.context.time);
  variables["integrationLatency"] = Millis(exchange.integration_latency);
  variables["integration.latency"] = variables["integrationLatency"];
  variables["integrationErrorMessage"] = exchange.integration_error;
  variables["integration.error"] = exchange.integration_error;
  return FormatAccessLog(exchange.route.stage.access_log_format, variables);
}

}  // namespace byoshin::local::apigateway

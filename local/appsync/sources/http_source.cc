#include "local/appsync/sources/http_source.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/data.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr std::array<absl::string_view, 5> kMethods = {"GET", "POST", "PUT",
                                                       "DELETE", "PATCH"};

std::string ScalarText(const Data& value) {
  return value.is_string() ? std::string(value.string()) : value.ToJson();
}

}  // namespace

absl::StatusOr<http::Request> HttpRequestFor(absl::string_view endpoint,
                                             const Data& request) {
  const std::string method = TextOf(request, "method");
  if (std::find(kMethods.begin(), kMethods.end(), method) == kMethods.end()) {
    return absl::InvalidArgumentError(
        absl::StrCat("The method '", method,
                     "' is not one of GET, POST, PUT, DELETE, PATCH"));
  }
  const std::string path = TextOf(request, "resourcePath");
  const Data& params = MemberOf(request, "params");
  std::vector<http::QueryParameter> query;
  for (const Data::Member& entry : MemberOf(params, "query").members()) {
    if (entry.value.is_array()) {
      for (const Data& value : entry.value.elements()) {
        query.push_back({std::string(entry.name()), ScalarText(value)});
      }
    } else {
      query.push_back({std::string(entry.name()), ScalarText(entry.value)});
    }
  }
  http::Request built{
      .method = method,
      .url =
          absl::StrCat(endpoint, absl::StartsWith(path, "/") ? "" : "/", path),
      .timeout = kRequestTimeout,
      .resend = http::Resend::kNever};
  if (!query.empty()) {
    absl::StrAppend(&built.url, absl::StrContains(path, '?') ? "&" : "?",
                    http::FormatQuery(query));
  }
  for (const Data::Member& entry : MemberOf(params, "headers").members()) {
    built.headers.push_back(
        {std::string(entry.name()), ScalarText(entry.value)});
  }
  const Data& body = MemberOf(params, "body");
  if (!body.is_null()) built.body = ScalarText(body);
  return built;
}

SourceResult HttpResult(const absl::StatusOr<http::Response>& response) {
  if (!response.ok()) {
    return SourceFailure("Http:RequestFailed",
                         std::string(response.status().message()));
  }
  ObjectBuilder headers;
  for (const http::Header& header : response->headers) {
    headers.Set(json::ValidUtf8(header.name),
                Data::String(json::ValidUtf8(header.value)));
  }
  ObjectBuilder result;
  result.Set("statusCode", Data::Integer(response->status));
  result.Set("headers", std::move(headers).Build());
  result.Set("body", Data::String(json::ValidUtf8(response->body)));
  return {.result = std::move(result).Build()};
}

}  // namespace byoshin::local::appsync

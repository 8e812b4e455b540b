#include "local/appsync/cloudformation/plane_calls.h"

#include <json/json.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"
#include "local/gateway/in_process.h"
#include "local/gateway/service.h"

namespace byoshin::local::appsync {
namespace {

// Whose type is not text.
constexpr std::array<absl::string_view, 4> kFlags = {
    "XrayEnabled", "ExcludeVerboseContent", "UseCallerCredentials",
    "Versioned"};
constexpr std::array<absl::string_view, 5> kNumbers = {
    "AuthorizerResultTtlInSeconds", "QueryDepthLimit", "ResolverCountLimit",
    "MaxBatchSize", "Expires"};

template <typename Names>
bool IsAmong(const Names& names, absl::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string RequestName(const std::string& name) {
  if (name == "DynamoDBConfig") return "dynamodbConfig";
  std::string lower = name;
  lower[0] = absl::ascii_tolower(static_cast<unsigned char>(lower[0]));
  return lower;
}

Json::Value ScalarOf(absl::string_view name, const Json::Value& value) {
  const std::string text = cloudformation::ScalarText(value);
  bool flag = false;
  std::int64_t number = 0;
  if (IsAmong(kFlags, name) && absl::SimpleAtob(text, &flag)) return flag;
  if (IsAmong(kNumbers, name) && absl::SimpleAtoi(text, &number)) {
    return Json::Int64{number};
  }
  return text;
}

Json::Value RequestValue(const std::string& name, const Json::Value& value) {
  if (value.isObject()) return RequestOf(value);
  if (value.isArray()) {
    Json::Value list(Json::arrayValue);
    for (const Json::Value& element : value) {
      list.append(RequestValue(name, element));
    }
    return list;
  }
  if (value.isNull()) return value;
  return ScalarOf(name, value);
}

}  // namespace

absl::StatusOr<Json::Value> CallPlane(
    const Plane& plane, const cloudformation::ResourceRequest& request,
    absl::string_view method_and_path, const Json::Value& body) {
  const std::pair<std::string, std::string> parts =
      absl::StrSplit(method_and_path, absl::MaxSplits(' ', 1));
  const std::pair<std::string, std::string> path_and_query =
      absl::StrSplit(parts.second, absl::MaxSplits('?', 1));
  return CallInProcess(plane.service,
                       {.operation = std::string(method_and_path),
                        .path = path_and_query.first,
                        .method = parts.first,
                        .query = path_and_query.second,
                        .region = request.stack.region,
                        .endpoint = plane.endpoint(),
                        .caller = {.account_id = request.stack.account_id}},
                       body);
}

bool IsMissingPart(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  return error.has_value() && error->code == "NotFoundException";
}

Json::Value RequestOf(const Json::Value& properties) {
  Json::Value request(Json::objectValue);
  if (!properties.isObject()) return request;
  for (const std::string& name : properties.getMemberNames()) {
    if (name == "Tags" || name == "EnvironmentVariables") continue;
    request[RequestName(name)] = RequestValue(name, properties[name]);
  }
  return request;
}

std::string ApiIdOf(const cloudformation::ResourceRequest& request) {
  return cloudformation::TextProperty(request.properties, "ApiId").value_or("");
}

std::string LastPart(absl::string_view arn) {
  return std::string(arn.substr(arn.rfind('/') + 1));
}

}  // namespace byoshin::local::appsync

#include "local/cognito/providers.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/aws/error.h"
#include "local/cloudformation/properties.h"
#include "local/cognito/operations.h"
#include "local/cognito/provider_calls.h"
#include "local/gateway/in_process.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::ResourceRequest;

bool IsNumberProperty(const std::string& name) {
  static const auto& names =
      *new std::set<std::string>{"AccessTokenValidity",
                                 "AuthSessionValidity",
                                 "IdTokenValidity",
                                 "MinimumLength",
                                 "Precedence",
                                 "RefreshTokenValidity",
                                 "RetryGracePeriodSeconds",
                                 "TemporaryPasswordValidityDays",
                                 "UnusedAccountValidityDays"};
  return names.contains(name);
}

// Texts in the API, even where they are numbers.
bool IsTextProperty(const std::string& name) {
  static const auto& names = *new std::set<std::string>{
      "MaxLength", "MaxValue", "MinLength", "MinValue", "Value"};
  return names.contains(name);
}

Json::Value ScalarAsApiTakes(const std::string& name,
                             const Json::Value& value) {
  const std::string text = cloudformation::ScalarText(value);
  if (IsTextProperty(name)) return text;
  std::int64_t number = 0;
  if (IsNumberProperty(name) && absl::SimpleAtoi(text, &number)) {
    return Json::Int64(number);
  }
  if (text == "true" || text == "false") return text == "true";
  return value;
}

Json::Value ValueAsApiTakes(const std::string& name, const Json::Value& value) {
  if (value.isObject()) {
    Json::Value object(Json::objectValue);
    for (const std::string& member : value.getMemberNames()) {
      object[member] = ValueAsApiTakes(member, value[member]);
    }
    return object;
  }
  if (value.isArray()) {
    Json::Value list(Json::arrayValue);
    for (const Json::Value& element : value) {
      list.append(ValueAsApiTakes(name, element));
    }
    return list;
  }
  return cloudformation::IsScalar(value) ? ScalarAsApiTakes(name, value)
                                         : value;
}

}  // namespace

void AddCognitoProviders(Cognito& cognito,
                         cloudformation::ProviderRegistry& registry) {
  registry.Add(NewPoolProvider(cognito));
  registry.Add(NewClientProvider(cognito));
  registry.Add(NewGroupProvider(cognito));
  registry.Add(NewUserProvider(cognito));
  registry.Add(NewMembershipProvider(cognito));
  registry.Add(NewDomainProvider());
}

absl::StatusOr<Json::Value> CallFor(Cognito& cognito,
                                    const ResourceRequest& request,
                                    absl::string_view operation,
                                    const Json::Value& body) {
  return CallInProcess(cognito,
                       {.operation = std::string(operation),
                        .headers = {{kOwnerHeader, OwnerOf(request)}},
                        .region = request.stack.region,
                        .caller = {.account_id = request.stack.account_id}},
                       body);
}

Json::Value AsApiTakes(const Json::Value& properties) {
  return ValueAsApiTakes("", properties);
}

std::string OwnerPrefix(const ResourceRequest& request) {
  return absl::StrCat(request.stack.region, "/", request.stack.stack_name, "/",
                      request.logical_id, "/");
}

std::string OwnerOf(const ResourceRequest& request) {
  return absl::StrCat(OwnerPrefix(request), request.name_suffix);
}

bool IsMissingResource(const absl::Status& status) {
  const std::optional<aws::Error> error = aws::ErrorOf(status);
  if (!error.has_value()) return absl::IsNotFound(status);
  return error->code == "ResourceNotFoundException" ||
         error->code == "UserNotFoundException";
}

}  // namespace byoshin::local::cognito

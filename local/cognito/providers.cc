#include "local/cognito/providers.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
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
#include "local/wire/model.h"
#include "local/wire/model_data.h"
#include "local/wire/models.h"

namespace byoshin::local::cognito {
namespace {

using cloudformation::ResourceRequest;

// A value of a template as the API takes it. Templates may write numbers and
// booleans as texts, and texts as numbers.
Json::Value AsApiTakes(const wire::Shape& shape, Json::Value value) {
  if (shape.type() == wire::ShapeType::kStructure && value.isObject()) {
    for (const wire::Shape::Member member : shape.members()) {
      const std::string name(member.name());
      if (!value.isMember(name)) continue;
      value[name] = AsApiTakes(member.shape(), value[name]);
    }
  } else if ((shape.type() == wire::ShapeType::kList && value.isArray()) ||
             (shape.type() == wire::ShapeType::kMap && value.isObject())) {
    for (Json::Value& element : value) {
      element = AsApiTakes(shape.element(), element);
    }
  }
  if (!cloudformation::IsScalar(value)) return value;
  const std::string text = cloudformation::ScalarText(value);
  std::int64_t number = 0;
  switch (shape.type()) {
    case wire::ShapeType::kText:
      return text;
    case wire::ShapeType::kBoolean:
      return text == "true" || text == "false" ? Json::Value(text == "true")
                                               : value;
    case wire::ShapeType::kInteger:
      return absl::SimpleAtoi(text, &number) ? Json::Value(Json::Int64(number))
                                             : value;
    default:
      return value;
  }
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
  const std::optional<wire::Shape> input =
      wire::kCognitoidpModel.InputOf(operation);
  return CallInProcess(cognito,
                       {.operation = std::string(operation),
                        .headers = {{kOwnerHeader, OwnerOf(request)}},
                        .region = request.stack.region,
                        .caller = {.account_id = request.stack.account_id}},
                       input.has_value() ? AsApiTakes(*input, body) : body);
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

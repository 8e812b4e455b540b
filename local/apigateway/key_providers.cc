#include <json/json.h>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/random/random.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/apigateway/definition.h"
#include "local/apigateway/registry.h"
#include "local/apigateway/rest_api.h"
#include "local/apigateway/throttle.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::BoolProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceRequest;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

// Stored with the resource, though not a property of templates: a key must be
// the same after a restart.
constexpr char kKeyValue[] = "Value";
constexpr std::size_t kKeyLength = 40;

std::string NewKeyValue() {
  constexpr absl::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
  absl::BitGen random;
  std::string value;
  for (std::size_t i = 0; i < kKeyLength; ++i) {
    value += kLetters[absl::Uniform<std::size_t>(random, 0, kLetters.size())];
  }
  return value;
}

Definition ApiKeyDefinition() {
  return {.type = "AWS::ApiGateway::ApiKey",
          .schema = {.acted_on = {"Description", "Enabled", "Name",
                                  "Tags[].Key", "Tags[].Value", "Value"},
                     .create_only = {"Value"},
                     .attributes = {"APIKeyId"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                const absl::StatusOr<bool> enabled =
                    BoolProperty(request.properties, "Enabled", false);
                if (!enabled.ok()) return enabled.status();
                std::string& value = state.attributes[kKeyValue];
                if (value.empty()) value = Text(request, "Value");
                if (value.empty()) value = registry.KeyValue(state.physical_id);
                if (value.empty()) value = NewKeyValue();
                state.attributes["APIKeyId"] = state.physical_id;
                registry.PutKey({.id = state.physical_id,
                                 .value = value,
                                 .enabled = *enabled,
                                 .name = TextProperty(request.properties,
                                                      "Name", state.physical_id)
                                             .value_or(""),
                                 .description = Text(request, "Description"),
                                 .tags = ReadTags(request)});
                return absl::OkStatus();
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeleteKey(request.physical_id);
              }};
}

Definition UsagePlanDefinition() {
  return {.type = "AWS::ApiGateway::UsagePlan",
          .schema = {.acted_on = {"ApiStages[].ApiId", "ApiStages[].Stage",
                                  "Throttle.RateLimit", "Throttle.BurstLimit",
                                  "Description", "UsagePlanName", "Tags[].Key",
                                  "Tags[].Value"},
                     .attributes = {"Id"}},
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                UsagePlan plan{
                    .id = state.physical_id,
                    .name = TextProperty(request.properties, "UsagePlanName",
                                         state.physical_id)
                                .value_or(""),
                    .description = Text(request, "Description"),
                    .tags = ReadTags(request)};
                for (const Json::Value& stage :
                     PropertyAt(request.properties, "ApiStages")) {
                  plan.stages.push_back(
                      {.api_id = TextProperty(stage, "ApiId").value_or(""),
                       .stage = TextProperty(stage, "Stage").value_or("")});
                }
                absl::StatusOr<std::optional<ThrottleLimits>> limits =
                    ReadThrottle(request.properties, "Throttle.RateLimit",
                                 "Throttle.BurstLimit");
                if (!limits.ok()) return limits.status();
                plan.throttle = *limits;
                registry.PutPlan(std::move(plan));
                state.attributes = {{"Id", state.physical_id}};
                return absl::OkStatus();
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.DeletePlan(request.physical_id);
              }};
}

Definition UsagePlanKeyDefinition() {
  return {.type = "AWS::ApiGateway::UsagePlanKey",
          .schema = {.acted_on = {"UsagePlanId", "KeyId"},
                     .inert = {{"KeyType", "API_KEY is the only one there is"}},
                     .required = {"UsagePlanId", "KeyId", "KeyType"},
                     .create_only = {"UsagePlanId", "KeyId", "KeyType"},
                     .attributes = {"Id"}},
          .new_id =
              [](const ResourceRequest& request) {
                return absl::StrCat(Text(request, "KeyId"), ":",
                                    Text(request, "UsagePlanId"));
              },
          .put =
              [](Registry& registry, const ResourceRequest& request,
                 ResourceState& state) {
                state.attributes = {{"Id", state.physical_id}};
                return registry.AddKeyToPlan(Text(request, "UsagePlanId"),
                                             Text(request, "KeyId"));
              },
          .remove =
              [](Registry& registry, const ResourceRequest& request) {
                registry.RemoveKeyFromPlan(Text(request, "UsagePlanId"),
                                           Text(request, "KeyId"));
              }};
}

}  // namespace

std::vector<Definition> KeyDefinitions() {
  return {ApiKeyDefinition(), UsagePlanDefinition(), UsagePlanKeyDefinition()};
}

}  // namespace byoshin::local::apigateway

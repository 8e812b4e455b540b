#include "local/apigateway/definition.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "local/cloudformation/properties.h"

namespace byoshin::local::apigateway {
namespace {

using cloudformation::NumberProperty;
using cloudformation::PropertyAt;
using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;
using cloudformation::TextProperty;

class Provider final : public ResourceProvider {
 public:
  Provider(Registry& registry, Definition definition)
      : registry_(registry), definition_(std::move(definition)) {}

  absl::string_view type() const override { return definition_.type; }
  const ResourceSchema& schema() const override { return definition_.schema; }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    ResourceState state{.physical_id =
                            definition_.new_id
                                ? definition_.new_id(request)
                                : absl::AsciiStrToLower(request.name_suffix)};
    return Put(request, std::move(state));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, {.physical_id = request.physical_id});
  }

  absl::Status Delete(const ResourceRequest& request) override {
    if (definition_.remove) definition_.remove(registry_, request);
    return absl::OkStatus();
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    return Put(request, state).status();
  }

 private:
  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    ResourceState state) {
    if (absl::Status status = definition_.put(registry_, request, state);
        !status.ok()) {
      return status;
    }
    return state;
  }

  Registry& registry_;
  const Definition definition_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewProvider(Registry& registry,
                                              Definition definition) {
  return std::make_unique<Provider>(registry, std::move(definition));
}

std::string Text(const ResourceRequest& request, absl::string_view path) {
  return TextProperty(request.properties, path).value_or("");
}

Tags ReadTags(const ResourceRequest& request) {
  Tags tags;
  for (const Json::Value& tag : PropertyAt(request.properties, "Tags")) {
    tags[TextProperty(tag, "Key").value_or("")] =
        TextProperty(tag, "Value").value_or("");
  }
  return tags;
}

absl::StatusOr<std::optional<ThrottleLimits>> ReadThrottle(
    const Json::Value& settings, absl::string_view rate_path,
    absl::string_view burst_path) {
  if (PropertyAt(settings, rate_path).isNull()) return std::nullopt;
  const absl::StatusOr<double> rate = NumberProperty(settings, rate_path, 0);
  if (!rate.ok()) return rate.status();
  const absl::StatusOr<double> burst =
      NumberProperty(settings, burst_path, *rate);
  if (!burst.ok()) return burst.status();
  return ThrottleLimits{.rate = *rate, .burst = *burst};
}

}  // namespace byoshin::local::apigateway

#include "local/appsync/cloudformation/part_provider.h"

#include <json/json.h>

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/cloudformation/plane_calls.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::appsync {
namespace {

using cloudformation::ResourceProvider;
using cloudformation::ResourceRequest;
using cloudformation::ResourceSchema;
using cloudformation::ResourceState;

class PartProvider final : public ResourceProvider {
 public:
  PartProvider(Plane plane, PartType type)
      : plane_(std::move(plane)), type_(std::move(type)) {}

  absl::string_view type() const override { return type_.type; }
  const ResourceSchema& schema() const override { return type_.schema; }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    if (!type_.chosen_id) return std::nullopt;
    const absl::StatusOr<Json::Value> found =
        CallPlane(plane_, request,
                  absl::StrCat("GET ", type_.path(request), "/",
                               type_.chosen_id(request)));
    if (IsMissingPart(found.status())) return std::nullopt;
    if (!found.ok()) return found.status();
    return type_.state(request, (*found)[type_.member]);
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    return Put(request, type_.path(request));
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    return Put(request, PathOf(request));
  }

  absl::Status Delete(const ResourceRequest& request) override {
    absl::Status deleted =
        CallPlane(plane_, request, absl::StrCat("DELETE ", PathOf(request)))
            .status();
    return IsMissingPart(deleted) ? absl::OkStatus() : deleted;
  }

 private:
  std::string PathOf(const ResourceRequest& request) const {
    return absl::StrCat(type_.path(request), "/",
                        type_.id(request.physical_id));
  }

  absl::StatusOr<ResourceState> Put(const ResourceRequest& request,
                                    const std::string& path) {
    const absl::StatusOr<Json::Value> put =
        CallPlane(plane_, request, absl::StrCat("POST ", path),
                  RequestOf(request.properties));
    if (!put.ok()) return put.status();
    return type_.state(request, (*put)[type_.member]);
  }

  const Plane plane_;
  const PartType type_;
};

}  // namespace

std::unique_ptr<ResourceProvider> NewPartProvider(Plane plane, PartType type) {
  return std::make_unique<PartProvider>(std::move(plane), std::move(type));
}

}  // namespace byoshin::local::appsync

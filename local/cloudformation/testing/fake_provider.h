// A provider of resources that are only remembered, and that can be told to
// fail.
//
//   FakeWorld world;
//   registry.Add(std::make_unique<FakeProvider>("Test::Thing", schema, world));
//   ...
//   world.calls;   // {"create A", "update B", "delete C"}
//   world.things;  // what there is now, by physical id
#ifndef BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_FAKE_PROVIDER_H_
#define BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_FAKE_PROVIDER_H_

#include <json/json.h>

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/cloudformation/properties.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::cloudformation::testing {

// What the fake providers of a test have made and been asked.
struct FakeWorld {
  std::vector<std::string> calls{};
  std::map<std::string, std::string> things{};  // properties as JSON
  std::set<std::string> restored{};             // physical ids
  // "create A": asked to do this, a provider fails.
  std::set<std::string> failures{};
  std::map<std::string, std::string> fingerprints{};  // by logical id
  // The data of a thing, as DescribeData() returns them, by physical id.
  std::map<std::string, std::string> data{};
  // Physical ids that Delete() refuses, and DeleteNew() unless there are data.
  std::set<std::string> is_protected{};
  // What physical ids begin with, by type.
  std::map<std::string, std::string> id_prefixes{};
  // What the attribute Arn begins with.
  std::string arn_prefix{};
  // Nothing is done any more, as if the process had been killed.
  bool dead = false;
};

// Not thread-safe. Every attribute is "<physical id>.<attribute>".
class FakeProvider final : public ResourceProvider {
 public:
  FakeProvider(std::string type, ResourceSchema schema, FakeWorld& world)
      : type_(std::move(type)), schema_(std::move(schema)), world_(world) {}

  absl::string_view type() const override { return type_; }
  const ResourceSchema& schema() const override { return schema_; }

  absl::StatusOr<std::string> Fingerprint(
      const ResourceRequest& request) override {
    return world_.fingerprints[request.logical_id];
  }

  absl::StatusOr<std::optional<ResourceState>> Find(
      const ResourceRequest& request) override {
    if (world_.dead) return absl::UnavailableError("dead");
    const std::string id = IdOf(request);
    if (world_.things.count(id) == 0) return std::nullopt;
    return StateOf(id);
  }

  absl::StatusOr<bool> IsMissing(const ResourceRequest& request) override {
    return world_.things.count(request.physical_id) == 0;
  }

  // By the property "Fixed".
  absl::Status CheckTakeUp(const ResourceRequest& request) override {
    const Json::Value there = *json::ParseValue(world_.things[IdOf(request)]);
    if (there["Fixed"] == request.properties["Fixed"]) return absl::OkStatus();
    return absl::FailedPreconditionError("its Fixed differs");
  }

  absl::StatusOr<std::optional<std::string>> FindSuffix(
      const ResourceRequest& request) override {
    for (const auto& [id, thing] : world_.things) {
      std::optional<std::string> suffix =
          SuffixOfGeneratedName(request, kMaxNameLength, id);
      if (suffix.has_value()) return suffix;
    }
    return std::nullopt;
  }

  absl::StatusOr<ResourceState> Create(
      const ResourceRequest& request) override {
    if (absl::Status asked = Ask("create", request); !asked.ok()) return asked;
    const std::string id = IdOf(request);
    if (world_.things.count(id) != 0) {
      return absl::AlreadyExistsError(absl::StrCat(id, " exists"));
    }
    return Put(id, request);
  }

  absl::StatusOr<ResourceState> Update(const ResourceRequest& request,
                                       const Json::Value&) override {
    if (absl::Status asked = Ask("update", request); !asked.ok()) return asked;
    return Put(request.physical_id, request);
  }

  absl::Status Delete(const ResourceRequest& request) override {
    if (absl::Status asked = Ask("delete", request); !asked.ok()) return asked;
    if (world_.is_protected.count(request.physical_id) != 0) {
      return absl::FailedPreconditionError("it is protected");
    }
    world_.things.erase(request.physical_id);
    world_.data.erase(request.physical_id);
    return absl::OkStatus();
  }

  absl::Status DeleteNew(const ResourceRequest& request) override {
    if (world_.data[request.physical_id].empty()) {
      world_.is_protected.erase(request.physical_id);
    }
    return Delete(request);
  }

  absl::StatusOr<std::string> DescribeData(
      const ResourceRequest& request) override {
    return world_.data[request.physical_id];
  }

  absl::Status Restore(const ResourceRequest& request,
                       const ResourceState& state) override {
    world_.restored.insert(state.physical_id);
    return Ask("restore", request);
  }

 private:
  static constexpr std::size_t kMaxNameLength = 200;

  absl::Status Ask(absl::string_view what, const ResourceRequest& request) {
    if (world_.dead) return absl::UnavailableError("dead");
    std::string call = absl::StrCat(what, " ", request.logical_id);
    world_.calls.push_back(call);
    if (world_.failures.count(call) == 0) return absl::OkStatus();
    return absl::UnavailableError("told to fail");
  }

  // The property "Name", if there is one.
  std::string IdOf(const ResourceRequest& request) {
    const std::string name =
        TextProperty(request.properties, "Name").value_or("");
    return absl::StrCat(
        world_.id_prefixes[type_],
        name.empty() ? GeneratedName(request, kMaxNameLength) : name);
  }

  ResourceState Put(const std::string& id, const ResourceRequest& request) {
    world_.things[id] = json::WriteValue(request.properties);
    return StateOf(id);
  }

  ResourceState StateOf(const std::string& id) const {
    ResourceState state{.physical_id = id};
    for (const std::string& attribute : schema_.attributes) {
      state.attributes[attribute] = absl::StrCat(
          attribute == "Arn" ? world_.arn_prefix : "", id, ".", attribute);
    }
    return state;
  }

  const std::string type_;
  const ResourceSchema schema_;
  FakeWorld& world_;
};

}  // namespace byoshin::local::cloudformation::testing

#endif  // BYOSHIN_LOCAL_CLOUDFORMATION_TESTING_FAKE_PROVIDER_H_

#include "local/apigateway/rest_api.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace byoshin::local::apigateway {
namespace {

using Resources = std::map<std::string, Resource>;
using Parts = std::vector<std::string>;

constexpr absl::string_view kAnyMethod = "ANY";

bool IsGreedy(absl::string_view part) { return absl::EndsWith(part, "+}"); }
bool IsParameter(absl::string_view part) {
  return absl::StartsWith(part, "{") && absl::EndsWith(part, "}");
}

// The name in "{name}" or "{name+}".
std::string ParameterName(absl::string_view part) {
  const std::size_t braces = IsGreedy(part) ? 3 : 2;
  return std::string(part.substr(1, part.size() - braces));
}

class Finder {
 public:
  Finder(const Resources& resources, const Parts& parts)
      : resources_(resources), parts_(parts) {}

  std::optional<Match> Find(const Resource& from, std::size_t depth,
                            const Match& so_far) const {
    if (depth == parts_.size()) return so_far;
    for (const Kind kind : {Kind::kLiteral, Kind::kParameter, Kind::kGreedy}) {
      for (const auto& [id, child] : resources_) {
        if (child.parent_id != from.id || KindOf(child) != kind) continue;
        if (std::optional<Match> match = Enter(child, depth, so_far)) {
          return match;
        }
      }
    }
    return std::nullopt;
  }

 private:
  enum class Kind { kLiteral, kParameter, kGreedy };

  static Kind KindOf(const Resource& resource) {
    if (!IsParameter(resource.path_part)) return Kind::kLiteral;
    return IsGreedy(resource.path_part) ? Kind::kGreedy : Kind::kParameter;
  }

  std::optional<Match> Enter(const Resource& child, std::size_t depth,
                             Match match) const {
    match.resource = &child;
    absl::StrAppend(&match.resource_path, "/", child.path_part);
    switch (KindOf(child)) {
      case Kind::kLiteral:
        if (child.path_part != parts_[depth]) return std::nullopt;
        break;
      case Kind::kParameter:
        match.parameters[ParameterName(child.path_part)] = parts_[depth];
        break;
      case Kind::kGreedy:
        match.parameters[ParameterName(child.path_part)] =
            absl::StrJoin(absl::MakeConstSpan(parts_).subspan(depth), "/");
        return match;
    }
    return Find(child, depth + 1, match);
  }

  const Resources& resources_;
  const Parts& parts_;
};

}  // namespace

std::optional<Match> FindResource(const Resources& resources,
                                  absl::string_view root_resource_id,
                                  absl::string_view path) {
  const auto root = resources.find(std::string(root_resource_id));
  if (root == resources.end()) return std::nullopt;
  const Parts parts = absl::StrSplit(path, '/', absl::SkipEmpty());
  std::optional<Match> match =
      Finder(resources, parts)
          .Find(root->second, 0, Match{.resource = &root->second});
  if (match.has_value() && match->resource_path.empty()) {
    match->resource_path.push_back('/');
  }
  return match;
}

const Method* FindMethod(const Resource& resource,
                         absl::string_view http_method) {
  auto found = resource.methods.find(std::string(http_method));
  if (found == resource.methods.end()) {
    found = resource.methods.find(std::string(kAnyMethod));
  }
  return found == resource.methods.end() ? nullptr : &found->second;
}

const std::pair<const MethodKey, MethodSettings>* FindThrottle(
    const Stage& stage, const MethodKey& method) {
  const auto& [path, http_method] = method;
  for (const MethodKey& key :
       {method, MethodKey(path, kAll), MethodKey(kAll, http_method),
        MethodKey(kAll, kAll)}) {
    const auto found = stage.settings.find(key);
    if (found != stage.settings.end() && found->second.throttle.has_value()) {
      return &*found;
    }
  }
  return nullptr;
}

bool Holds(const UsagePlan& plan, absl::string_view key_id) {
  return std::find(plan.key_ids.begin(), plan.key_ids.end(), key_id) !=
         plan.key_ids.end();
}

}  // namespace byoshin::local::apigateway

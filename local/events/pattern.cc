#include "local/events/pattern.h"

#include <json/json.h>

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/events/value_matcher.h"

namespace byoshin::local::events {
namespace {

constexpr char kOr[] = "$or";
// With fewer, "$or" would be pointless.
constexpr unsigned kMinAlternatives = 2;

absl::Status InvalidPattern(absl::string_view reason) {
  return absl::InvalidArgumentError(
      absl::StrCat("Event pattern is not valid. Reason: ", reason));
}

// The values that are not objects, of nested lists, too.
void AddLeaves(const Json::Value& value,
               std::vector<const Json::Value*>& leaves) {
  if (value.isArray()) {
    for (const Json::Value& element : value) AddLeaves(element, leaves);
  } else if (!value.isObject()) {
    leaves.push_back(&value);
  }
}

bool MatchesLeaf(const std::vector<ValueMatcher>& matchers,
                 const Json::Value* value) {
  std::vector<const Json::Value*> leaves;
  if (value != nullptr) AddLeaves(*value, leaves);
  return std::any_of(
      matchers.begin(), matchers.end(),
      [&](const ValueMatcher& matcher) { return matcher.MatchesAny(leaves); });
}

const Json::Value& NoFields() {
  static const auto& none = *new Json::Value(Json::objectValue);
  return none;
}

}  // namespace

// The part of a pattern for one object: all of it must match.
struct EventPattern::Node {
  std::map<std::string, std::vector<ValueMatcher>> leaves;
  std::map<std::string, std::shared_ptr<const Node>> objects;
  // One of these, unless there are none.
  std::vector<std::shared_ptr<const Node>> alternatives;
};

absl::Status EventPattern::AddAlternatives(const Json::Value& json,
                                           Node& node) {
  if (!json.isArray() || json.size() < kMinAlternatives) {
    return InvalidPattern(
        absl::StrCat("\"", kOr, "\" must be an array of at least two objects"));
  }
  for (const Json::Value& alternative : json) {
    absl::StatusOr<std::shared_ptr<const Node>> parsed = ParseNode(alternative);
    if (!parsed.ok()) return parsed.status();
    node.alternatives.push_back(*std::move(parsed));
  }
  return absl::OkStatus();
}

absl::Status EventPattern::AddMember(const std::string& name,
                                     const Json::Value& json, Node& node) {
  if (name == kOr) return AddAlternatives(json, node);
  if (json.isObject()) {
    absl::StatusOr<std::shared_ptr<const Node>> object = ParseNode(json);
    if (!object.ok()) return object.status();
    node.objects.emplace(name, *std::move(object));
    return absl::OkStatus();
  }
  if (!json.isArray()) {
    return InvalidPattern(
        absl::StrCat("\"", name, "\" must be an object or an array"));
  }
  if (json.empty()) return InvalidPattern("Empty arrays are not allowed");
  std::vector<ValueMatcher>& matchers = node.leaves[name];
  for (const Json::Value& element : json) {
    absl::StatusOr<ValueMatcher> matcher = ValueMatcher::Parse(element);
    if (!matcher.ok()) return InvalidPattern(matcher.status().message());
    matchers.push_back(*std::move(matcher));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::shared_ptr<const EventPattern::Node>>
EventPattern::ParseNode(const Json::Value& json) {
  if (!json.isObject()) return InvalidPattern("Filter is not an object");
  if (json.empty()) return InvalidPattern("Empty objects are not allowed");
  auto node = std::make_shared<Node>();
  for (auto member = json.begin(); member != json.end(); ++member) {
    absl::Status added = AddMember(member.name(), *member, *node);
    if (!added.ok()) return added;
  }
  return std::shared_ptr<const Node>(std::move(node));
}

absl::StatusOr<EventPattern> EventPattern::Parse(absl::string_view text) {
  if (text.size() > kMaxPatternBytes) {
    return InvalidPattern(
        absl::StrCat("it is longer than ", kMaxPatternBytes, " bytes"));
  }
  const absl::StatusOr<Json::Value> json = json::ParseValue(text);
  if (!json.ok()) return InvalidPattern(json.status().message());
  absl::StatusOr<std::shared_ptr<const Node>> root = ParseNode(*json);
  if (!root.ok()) return root.status();
  return EventPattern(*std::move(root));
}

bool EventPattern::Matches(const Json::Value& event) const {
  return MatchesNode(*root_, event);
}

bool EventPattern::MatchesNode(const Node& node, const Json::Value& value) {
  if (value.isObject()) return MatchesObject(node, value);
  if (!value.isArray() || value.empty()) {
    return MatchesObject(node, NoFields());
  }
  return std::any_of(
      value.begin(), value.end(),
      [&](const Json::Value& element) { return MatchesNode(node, element); });
}

bool EventPattern::MatchesObject(const Node& node, const Json::Value& object) {
  for (const auto& [name, matchers] : node.leaves) {
    const Json::Value* value =
        object.find(name.data(), name.data() + name.size());
    if (!MatchesLeaf(matchers, value)) return false;
  }
  for (const auto& [name, child] : node.objects) {
    const Json::Value* value =
        object.find(name.data(), name.data() + name.size());
    if (!MatchesNode(*child, value == nullptr ? NoFields() : *value)) {
      return false;
    }
  }
  return node.alternatives.empty() ||
         std::any_of(node.alternatives.begin(), node.alternatives.end(),
                     [&](const std::shared_ptr<const Node>& alternative) {
                       return MatchesObject(*alternative, object);
                     });
}

}  // namespace byoshin::local::events

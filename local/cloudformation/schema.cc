#include "local/cloudformation/schema.h"

#include <json/json.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "local/cloudformation/functions.h"
#include "local/cloudformation/provider.h"

namespace byoshin::local::cloudformation {

struct SchemaTree::Node {
  bool leaf = false;        // may be a text, a number or a boolean
  bool everything = false;  // anything may be here and below
  std::map<std::string, std::unique_ptr<Node>> members;
  std::unique_ptr<Node> any_member;
  std::unique_ptr<Node> element;

  bool HasMembers() const { return !members.empty() || any_member != nullptr; }

  const Node* Member(const std::string& name) const {
    const auto found = members.find(name);
    return found != members.end() ? found->second.get() : any_member.get();
  }
};

SchemaTree::SchemaTree(const ResourceSchema& schema)
    : root_(std::make_unique<Node>()), required_(schema.required) {
  for (const std::string& path : schema.acted_on) {
    Insert(path, /*everything=*/false);
  }
  for (const InertProperty& inert : schema.inert) {
    Insert(inert.path, /*everything=*/true);
  }
}

SchemaTree::~SchemaTree() = default;
SchemaTree::SchemaTree(SchemaTree&&) noexcept = default;
SchemaTree& SchemaTree::operator=(SchemaTree&&) noexcept = default;

void SchemaTree::Insert(absl::string_view path, bool everything) {
  const auto step = [](std::unique_ptr<Node>& to) {
    if (to == nullptr) to = std::make_unique<Node>();
    return to.get();
  };
  Node* node = root_.get();
  for (absl::string_view segment : absl::StrSplit(path, '.')) {
    if (segment == "**") {
      everything = true;
      break;
    }
    int lists = 0;
    while (absl::ConsumeSuffix(&segment, "[]")) ++lists;
    node = step(segment == "*" ? node->any_member
                               : node->members[std::string(segment)]);
    for (; lists > 0; --lists) node = step(node->element);
  }
  node->leaf = true;
  node->everything |= everything;
}

std::vector<SchemaMistake> SchemaTree::Check(
    const Json::Value& properties) const {
  std::vector<SchemaMistake> mistakes;
  CheckMembers(properties, *root_, "", mistakes);
  for (const std::string& name : required_) {
    if (!properties.isMember(name)) {
      mistakes.push_back(
          {.path = name, .what = "is required", .at = &properties});
    }
  }
  return mistakes;
}

void SchemaTree::CheckMembers(const Json::Value& object, const Node& node,
                              const std::string& path,
                              std::vector<SchemaMistake>& mistakes) const {
  for (const std::string& name : object.getMemberNames()) {
    const std::string inner =
        path.empty() ? name : absl::StrCat(path, ".", name);
    if (const Node* member = node.Member(name)) {
      CheckValue(object[name], *member, inner, mistakes);
    } else {
      mistakes.push_back({.path = inner,
                          .what = "is unknown: the local cloud neither acts on "
                                  "it nor knows that it needs no effect",
                          .at = &object[name]});
    }
  }
}

void SchemaTree::CheckValue(const Json::Value& value, const Node& node,
                            const std::string& path,
                            std::vector<SchemaMistake>& mistakes) const {
  if (node.everything) return;
  const auto mistake = [&](absl::string_view what) {
    mistakes.push_back({.path = path, .what = std::string(what), .at = &value});
  };
  if (std::optional<FunctionCall> call =
          CallIn(value, FunctionContext::kProperties)) {
    if (call->name == "Fn::If" && call->argument->isArray() &&
        call->argument->size() == 3) {
      CheckValue((*call->argument)[1], node, path, mistakes);
      CheckValue((*call->argument)[2], node, path, mistakes);
    } else if (*call->argument != Json::Value("AWS::NoValue") && !node.leaf &&
               node.element == nullptr) {
      mistake("must be an object");
    }
    return;
  }
  if (value.isObject()) {
    if (node.HasMembers()) {
      CheckMembers(value, node, path, mistakes);
    } else {
      mistake("must not be an object");
    }
    return;
  }
  if (value.isArray()) {
    if (node.element == nullptr) {
      mistake("must not be a list");
      return;
    }
    for (const Json::Value& element : value) {
      CheckValue(element, *node.element, absl::StrCat(path, "[]"), mistakes);
    }
    return;
  }
  // A single text is accepted as a list of one.
  const bool list_of_one = node.element != nullptr && node.element->leaf;
  if (!node.leaf && !list_of_one) {
    mistake(node.element != nullptr ? "must be a list of objects"
                                    : "must be an object");
  }
}

}  // namespace byoshin::local::cloudformation

#include "local/appsync/graphql/validation.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validator.h"

namespace byoshin::local::appsync::graphql {

using SelectionKind = ast::Selection::Kind;

Error ValidationError(absl::string_view type, const Location& location,
                      absl::string_view description, absl::string_view path) {
  Error error;
  error.message =
      absl::StrCat("Validation error of type ", type, ": ", description);
  if (!path.empty()) absl::StrAppend(&error.message, " @ '", path, "'");
  error.locations = {{location}};
  return error;
}

std::vector<Error> Validate(const Schema& schema, const ast::Document& document,
                            const ValidationOptions& options) {
  return Validator(schema, document, options).Validate();
}

Validator::Validator(const Schema& schema, const ast::Document& document,
                     const ValidationOptions& options)
    : schema_(schema), document_(document), options_(options) {
  for (const ast::Fragment& fragment : document.fragments) {
    fragments_.emplace(fragment.name, &fragment);
  }
}

void Validator::FailAt(absl::string_view type, const Location& location,
                       absl::string_view description, absl::string_view path) {
  if (errors_.size() >= kMaxValidationErrors) return;
  errors_.push_back(ValidationError(type, location, description, path));
}

void Validator::Fail(absl::string_view type, const Location& location,
                     absl::string_view description) {
  if (errors_.size() >= kMaxValidationErrors) return;
  FailAt(type, location, description, PathText());
}

std::string Validator::PathText() const {
  std::string text;
  absl::string_view slash;
  for (const absl::string_view name : path_) {
    const size_t room = kMaxPathText - text.size();
    if (slash.size() + name.size() > room) {
      // Names are ASCII.
      return absl::StrCat(text, slash, name.substr(0, room), "...");
    }
    absl::StrAppend(&text, slash, name);
    slash = "/";
  }
  return text;
}

std::vector<Error> Validator::Validate() {
  CheckDefinitions();
  CheckNames();
  for (const ast::Operation& operation : document_.operations) {
    CheckOperation(operation);
  }
  for (const ast::Fragment& fragment : document_.fragments) {
    CheckFragment(fragment);
  }
  CheckFragmentCycles();
  CheckUnusedFragments();
  for (const ast::Operation& operation : document_.operations) {
    CheckVariableUses(operation);
  }
  // What follows relies on everything so far.
  if (!errors_.empty()) return std::move(errors_);
  for (const ast::Operation& operation : document_.operations) {
    CheckSize(operation);
  }
  if (!errors_.empty()) return std::move(errors_);
  return CheckFieldMerging(schema_, document_, fragments_);
}

void Validator::CheckDefinitions() {
  const auto fail = [this](const Location& location, absl::string_view what) {
    Fail("NonExecutableDefinition", location,
         absl::StrCat(what, " definition is not executable"));
  };
  for (const ast::SchemaDefinition& schema : document_.schemas) {
    fail(schema.location, "Schema");
  }
  for (const ast::TypeDefinition& type : document_.types) {
    fail(type.location, absl::StrCat("Type '", type.name, "'"));
  }
  for (const ast::DirectiveDefinition& directive : document_.directives) {
    fail(directive.location, absl::StrCat("Directive '", directive.name, "'"));
  }
}

void Validator::CheckNames() {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::Operation& operation : document_.operations) {
    if (operation.name.empty()) {
      if (document_.operations.size() > 1) {
        Fail("LoneAnonymousOperationViolation", operation.location,
             "Anonymous operation with other operations.");
      }
    } else if (!names.insert(operation.name).second) {
      Fail("DuplicateOperationName", operation.location,
           absl::StrCat("There can be only one operation named '",
                        operation.name, "'"));
    }
  }
  names.clear();
  for (const ast::Fragment& fragment : document_.fragments) {
    if (!names.insert(fragment.name).second) {
      Fail("DuplicateFragmentName", fragment.location,
           absl::StrCat("There can be only one fragment named '", fragment.name,
                        "'"));
    }
  }
}

void Validator::CheckOperation(const ast::Operation& operation) {
  content_ = &contents_[&operation];
  const NamedType* root = schema_.RootType(operation.type);
  if (root == nullptr) {
    Fail("UnknownType", operation.location,
         absl::StrCat("Schema is not configured for ",
                      ast::OperationTypeName(operation.type), " operations"));
  }
  CheckVariableDefinitions(operation);
  static constexpr absl::string_view kLocations[] = {"QUERY", "MUTATION",
                                                     "SUBSCRIPTION"};
  CheckDirectives(operation.directives,
                  kLocations[static_cast<size_t>(operation.type)]);
  if (operation.type == OperationType::kSubscription && root != nullptr) {
    CheckSubscription(operation);
  }
  CheckSelections(operation.selections, root);
}

void Validator::CollectRootKeys(
    absl::Span<const ast::Selection> selections,
    absl::flat_hash_set<const ast::Fragment*>& visited,
    std::vector<const ast::Selection*>& roots) {
  for (const ast::Selection& selection : selections) {
    if (selection.kind == SelectionKind::kField) {
      roots.push_back(&selection);
    } else if (selection.kind == SelectionKind::kInlineFragment) {
      CollectRootKeys(selection.selections, visited, roots);
    } else if (const auto found = fragments_.find(selection.name);
               found != fragments_.end() &&
               visited.insert(found->second).second) {
      CollectRootKeys(found->second->selections, visited, roots);
    }
  }
}

void Validator::CheckSubscription(const ast::Operation& operation) {
  absl::flat_hash_set<const ast::Fragment*> visited;
  std::vector<const ast::Selection*> roots;
  CollectRootKeys(operation.selections, visited, roots);
  for (const ast::Selection* root : roots) {
    if (root->response_key() != roots.front()->response_key()) {
      Fail("SubscriptionMultipleRootFields", operation.location,
           absl::StrCat("Subscription operation '", operation.name,
                        "' must have exactly one root field"));
      return;
    }
    if (absl::StartsWith(root->name, "__")) {
      Fail("SubscriptionIntrospectionRootField", root->location,
           absl::StrCat("Subscription operation '", operation.name,
                        "' root field '", root->name,
                        "' cannot be an introspection field"));
      return;
    }
  }
}

void Validator::CheckFragment(const ast::Fragment& fragment) {
  content_ = &contents_[&fragment];
  const NamedType* type = schema_.Find(fragment.type);
  path_ = {fragment.name};
  if (type == nullptr) {
    FailAt("UnknownType", fragment.type_location,
           absl::StrCat("Unknown type ", fragment.type), "");
  } else if (!type->is_composite()) {
    Fail("FragmentTypeConditionInvalid", fragment.type_location,
         "Fragment type condition is invalid, must be on "
         "Object/Interface/Union");
    type = nullptr;
  }
  CheckDirectives(fragment.directives, "FRAGMENT_DEFINITION");
  CheckSelections(fragment.selections, type);
  path_.clear();
}

bool Validator::ReachesItself(
    const ast::Fragment& fragment,
    absl::flat_hash_map<const ast::Fragment*, int>& states) {
  constexpr int kOpen = 1;
  constexpr int kDone = 2;
  // Not recursive: a document may have thousands of fragments in a chain.
  std::vector<std::pair<const ast::Fragment*, size_t>> open = {{&fragment, 0}};
  states[&fragment] = kOpen;
  while (!open.empty()) {
    auto& [current, next] = open.back();
    const std::vector<const ast::Fragment*>& spreads =
        contents_[current].spreads;
    if (next == spreads.size()) {
      states[current] = kDone;
      open.pop_back();
      continue;
    }
    const ast::Fragment* spread = spreads[next++];
    int& state = states[spread];
    if (state == kOpen) return true;
    if (state == kDone) continue;
    state = kOpen;
    open.emplace_back(spread, 0);
  }
  return false;
}

void Validator::CheckFragmentCycles() {
  absl::flat_hash_map<const ast::Fragment*, int> states;
  for (const ast::Fragment& fragment : document_.fragments) {
    if (states[&fragment] != 0 || !ReachesItself(fragment, states)) continue;
    Fail("FragmentCycle", fragment.location, "Fragment cycles not allowed");
    return;
  }
}

std::vector<const Validator::Content*> Validator::ContentsOf(
    const ast::Operation& operation) {
  std::vector<const Content*> contents = {&contents_[&operation]};
  absl::flat_hash_set<const ast::Fragment*> visited;
  for (size_t i = 0; i < contents.size(); ++i) {
    for (const ast::Fragment* fragment : contents[i]->spreads) {
      if (visited.insert(fragment).second) {
        contents.push_back(&contents_.at(fragment));
      }
    }
  }
  return contents;
}

void Validator::CheckUnusedFragments() {
  absl::flat_hash_set<const ast::Fragment*> used;
  std::vector<const Content*> contents;
  for (const ast::Operation& operation : document_.operations) {
    contents.push_back(&contents_[&operation]);
  }
  for (size_t i = 0; i < contents.size(); ++i) {
    for (const ast::Fragment* fragment : contents[i]->spreads) {
      if (used.insert(fragment).second) {
        contents.push_back(&contents_.at(fragment));
      }
    }
  }
  for (const ast::Fragment& fragment : document_.fragments) {
    if (used.contains(&fragment)) continue;
    Fail("UnusedFragment", fragment.location,
         absl::StrCat("Unused fragment ", fragment.name));
  }
}

Validator::Size Validator::SizeOf(absl::Span<const ast::Selection> selections) {
  Size size;
  for (const ast::Selection& selection : selections) {
    Size inner;
    if (selection.kind == SelectionKind::kFragmentSpread) {
      const ast::Fragment* fragment = fragments_.at(selection.name);
      const auto known = sizes_.find(fragment);
      inner =
          known != sizes_.end() ? known->second : SizeOf(fragment->selections);
      sizes_[fragment] = inner;
    } else {
      inner = SizeOf(selection.selections);
      if (selection.kind == SelectionKind::kField) {
        ++inner.fields;
        ++inner.depth;
        inner.path_bytes +=
            inner.fields * (selection.response_key().size() + 1);
      }
    }
    size.fields = std::min(size.fields + inner.fields, kMaxExpandedFields + 1);
    size.depth = std::max(size.depth, inner.depth);
    size.path_bytes =
        std::min(size.path_bytes + inner.path_bytes, kMaxSelectionBytes + 1);
  }
  return size;
}

void Validator::CheckSize(const ast::Operation& operation) {
  const Size size = SizeOf(operation.selections);
  if (size.fields > kMaxExpandedFields) {
    Fail("QueryTooComplex", operation.location,
         absl::StrCat("The operation selects more than ", kMaxExpandedFields,
                      " fields"));
  } else if (size.path_bytes > kMaxSelectionBytes) {
    Fail("QueryTooComplex", operation.location,
         absl::StrCat("The paths of the selected fields are longer than ",
                      kMaxSelectionBytes, " bytes"));
  }
  if (options_.query_depth_limit.has_value() &&
      size.depth > static_cast<size_t>(*options_.query_depth_limit)) {
    Fail("QueryDepthLimitExceeded", operation.location,
         absl::StrCat("The operation is ", size.depth,
                      " levels deep, and the limit is ",
                      *options_.query_depth_limit));
  }
}

}  // namespace byoshin::local::appsync::graphql

#include "local/dynamodb/expressions/document_path.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {

using PathRefs = std::vector<const DocumentPath*>;

std::string ElementText(const PathElement& element) {
  return element.kind == PathElement::Kind::kIndex
             ? absl::StrCat("[", element.index, "]")
             : element.name;
}

const AttributeValue* Child(const AttributeValue& value,
                            const PathElement& element) {
  if (element.kind == PathElement::Kind::kIndex) {
    if (!value.is(AttributeType::kList)) return nullptr;
    const AttributeValue::List& list = value.list();
    return element.index < list.size() ? &list[element.index] : nullptr;
  }
  if (!value.is(AttributeType::kMap)) return nullptr;
  return value.map().Find(element.name);
}

std::optional<AttributeValue> ProjectValue(const PathRefs& paths, size_t depth,
                                           const AttributeValue& value);

// The part of a map that the paths select, by their elements at `depth`.
Item ProjectMap(const PathRefs& paths, size_t depth, const Item& map) {
  std::map<absl::string_view, PathRefs> by_name;
  for (const DocumentPath* path : paths) {
    const PathElement& element = (*path)[depth];
    if (element.kind == PathElement::Kind::kName) {
      by_name[element.name].push_back(path);
    }
  }
  Item projected;
  for (const auto& [name, below] : by_name) {
    const AttributeValue* value = map.Find(name);
    if (value == nullptr) continue;
    std::optional<AttributeValue> part = ProjectValue(below, depth + 1, *value);
    if (part.has_value()) projected.Set(name, *std::move(part));
  }
  return projected;
}

AttributeValue::List ProjectList(const PathRefs& paths, size_t depth,
                                 const AttributeValue::List& list) {
  std::map<size_t, PathRefs> by_index;
  for (const DocumentPath* path : paths) {
    const PathElement& element = (*path)[depth];
    if (element.kind == PathElement::Kind::kIndex &&
        element.index < list.size()) {
      by_index[element.index].push_back(path);
    }
  }
  AttributeValue::List projected;
  for (const auto& [index, below] : by_index) {
    std::optional<AttributeValue> part =
        ProjectValue(below, depth + 1, list[index]);
    if (part.has_value()) projected.push_back(*std::move(part));
  }
  return projected;
}

std::optional<AttributeValue> ProjectValue(const PathRefs& paths, size_t depth,
                                           const AttributeValue& value) {
  for (const DocumentPath* path : paths) {
    if (path->size() == depth) return value;
  }
  // A map or list without selected elements is omitted.
  if (value.is(AttributeType::kMap)) {
    Item map = ProjectMap(paths, depth, value.map());
    if (!map.empty()) return AttributeValue(std::move(map));
  } else if (value.is(AttributeType::kList)) {
    AttributeValue::List list = ProjectList(paths, depth, value.list());
    if (!list.empty()) return AttributeValue(std::move(list));
  }
  return std::nullopt;
}

enum class Relation { kDisjoint, kOverlap, kConflict };

Relation Relate(const DocumentPath& a, const DocumentPath& b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    if (a[i].kind != b[i].kind) return Relation::kConflict;
    if (a[i] != b[i]) return Relation::kDisjoint;
  }
  return Relation::kOverlap;
}

std::string PairError(absl::string_view how, const DocumentPath& a,
                      const DocumentPath& b) {
  return absl::StrCat("Two document paths ", how,
                      " with each other; must remove or rewrite one of these "
                      "paths; path one: ",
                      PathText(a), ", path two: ", PathText(b));
}

}  // namespace

std::string PathText(const DocumentPath& path) {
  return absl::StrCat(
      "[",
      absl::StrJoin(path, ", ",
                    [](std::string* out, const PathElement& element) {
                      absl::StrAppend(out, ElementText(element));
                    }),
      "]");
}

const AttributeValue* Resolve(const DocumentPath& path, const Item& item) {
  const AttributeValue* value = item.Find(path[0].name);
  for (size_t i = 1; i < path.size() && value != nullptr; ++i) {
    value = Child(*value, path[i]);
  }
  return value;
}

Item Project(absl::Span<const DocumentPath> paths, const Item& item) {
  PathRefs refs;
  refs.reserve(paths.size());
  for (const DocumentPath& path : paths) refs.push_back(&path);
  return ProjectMap(refs, 0, item);
}

absl::Status CheckDisjoint(absl::Span<const DocumentPath> paths) {
  std::string conflict;
  for (size_t second = 1; second < paths.size(); ++second) {
    for (size_t first = 0; first < second; ++first) {
      const Relation relation = Relate(paths[first], paths[second]);
      if (relation == Relation::kOverlap) {
        return ValidationError(
            PairError("overlap", paths[first], paths[second]));
      }
      if (relation == Relation::kConflict && conflict.empty()) {
        conflict = PairError("conflict", paths[first], paths[second]);
      }
    }
  }
  // AWS reports overlaps first, wherever they are.
  if (!conflict.empty()) return ValidationError(conflict);
  return absl::OkStatus();
}

}  // namespace byoshin::local::dynamodb

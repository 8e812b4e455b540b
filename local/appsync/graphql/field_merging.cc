// Whether fields with the same response key can be one.
//
// The specification compares every field with every other, which takes squared
// time for many fields of one name, and more with fragments. Here, the fields
// of a name are compared with one of them, since what is compared is
// transitive:
//
// - the shapes of all their types must be the same, and those of all that is
//   selected within them together;
// - fields that can be of the same object must be the same field with the same
//   arguments: those of interfaces and unions with those of each object type.
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validation.h"
#include "local/appsync/graphql/validator.h"

namespace byoshin::local::appsync::graphql {
namespace {

struct MergedField {
  const ast::Selection* node;
  const NamedType* parent;
  Type type;
};
using MergedFields = std::vector<MergedField>;
// By response key, in the order of the text.
using FieldGroups = std::vector<std::pair<absl::string_view, MergedFields>>;

bool SameShape(const Type& a, const Type& b) {
  if (a.modifiers != b.modifiers) return false;
  if (a.named->is_leaf() || b.named->is_leaf()) return a.named == b.named;
  return true;
}

// Adds the values that it compares to `steps`.
bool SameValue(const ast::Value& a, const ast::Value& b, size_t& steps) {
  ++steps;
  if (a.kind != b.kind || a.string != b.string) return false;
  if (a.elements.size() != b.elements.size() ||
      a.fields.size() != b.fields.size()) {
    return false;
  }
  for (size_t i = 0; i < a.elements.size(); ++i) {
    if (!SameValue(a.elements[i], b.elements[i], steps)) return false;
  }
  for (const ast::ObjectField& field : a.fields) {
    bool same = false;
    for (const ast::ObjectField& other : b.fields) {
      ++steps;
      same |= other.name == field.name &&
              SameValue(field.value, other.value, steps);
    }
    if (!same) return false;
  }
  const bool has_text = a.elements.empty() && a.fields.empty() &&
                        a.kind != ast::Value::Kind::kString &&
                        a.kind != ast::Value::Kind::kList &&
                        a.kind != ast::Value::Kind::kObject;
  return !has_text || a.text == b.text;
}

bool SameArguments(const ast::Selection& a, const ast::Selection& b,
                   size_t& steps) {
  if (&a == &b) return true;
  if (a.arguments.size() != b.arguments.size()) return false;
  for (const ast::Argument& argument : a.arguments) {
    bool same = false;
    for (const ast::Argument& other : b.arguments) {
      ++steps;
      same |= other.name == argument.name &&
              SameValue(argument.value, other.value, steps);
    }
    if (!same) return false;
  }
  return true;
}

class MergeChecker {
 public:
  MergeChecker(const Schema& schema,
               const absl::flat_hash_map<absl::string_view,
                                         const ast::Fragment*>& fragments)
      : schema_(schema), fragments_(fragments) {}

  void Check(const ast::Operation& operation);
  std::vector<Error> Take() { return std::move(errors_); }

 private:
  struct Collector {
    FieldGroups groups;
    absl::flat_hash_map<absl::string_view, size_t> index;
    // A fragment adds nothing when it comes again.
    absl::flat_hash_set<const ast::Fragment*> visited;
  };

  // False if the checks are over.
  bool Step(const Location& location);
  void Fail(const MergedField& a, const MergedField& b,
            absl::string_view reason);
  void Collect(absl::Span<const ast::Selection> selections,
               const NamedType* parent, Collector& collector);
  FieldGroups GroupsWithin(absl::Span<const MergedField> fields);
  const FieldDefinition* Definition(const NamedType& parent,
                                    absl::string_view name) const;

  void CheckShapes(const FieldGroups& groups);
  void CheckSame(const FieldGroups& groups);
  void CheckSame(const MergedFields& fields);

  const Schema& schema_;
  const absl::flat_hash_map<absl::string_view, const ast::Fragment*>&
      fragments_;
  size_t steps_ = 0;
  std::vector<Error> errors_;
};

bool MergeChecker::Step(const Location& location) {
  if (!errors_.empty()) return false;
  if (++steps_ <= kMaxMergeSteps) return true;
  errors_.push_back(ValidationError(
      "QueryTooComplex", location,
      "The document has too many fields with the same name", ""));
  return false;
}

void MergeChecker::Fail(const MergedField& a, const MergedField& b,
                        absl::string_view reason) {
  errors_.push_back(
      ValidationError("FieldsConflict", a.node->location,
                      absl::StrCat(a.node->response_key(), ": ", reason), ""));
  errors_.back().locations->push_back(b.node->location);
}

const FieldDefinition* MergeChecker::Definition(const NamedType& parent,
                                                absl::string_view name) const {
  if (name == "__typename") return schema_.typename_field();
  if (name == "__schema") return schema_.schema_field();
  if (name == "__type") return schema_.type_field();
  return parent.FindField(name);
}

void MergeChecker::Collect(absl::Span<const ast::Selection> selections,
                           const NamedType* parent, Collector& collector) {
  for (const ast::Selection& selection : selections) {
    if (!Step(selection.location)) return;
    switch (selection.kind) {
      case ast::Selection::Kind::kField: {
        const FieldDefinition* field = Definition(*parent, selection.name);
        if (field == nullptr) break;
        const auto [at, added] = collector.index.emplace(
            selection.response_key(), collector.groups.size());
        if (added) {
          collector.groups.emplace_back(selection.response_key(),
                                        MergedFields());
        }
        collector.groups[at->second].second.push_back(
            {.node = &selection, .parent = parent, .type = field->type});
        break;
      }
      case ast::Selection::Kind::kFragmentSpread: {
        const ast::Fragment* fragment = fragments_.at(selection.name);
        if (collector.visited.insert(fragment).second) {
          Collect(fragment->selections, schema_.Find(fragment->type),
                  collector);
        }
        break;
      }
      case ast::Selection::Kind::kInlineFragment:
        Collect(selection.selections,
                selection.name.empty() ? parent : schema_.Find(selection.name),
                collector);
        break;
    }
  }
}

FieldGroups MergeChecker::GroupsWithin(absl::Span<const MergedField> fields) {
  Collector collector;
  for (const MergedField& field : fields) {
    Collect(field.node->selections, field.type.named, collector);
  }
  return std::move(collector.groups);
}

void MergeChecker::CheckShapes(const FieldGroups& groups) {
  for (const auto& [key, fields] : groups) {
    const MergedField& first = fields.front();
    for (const MergedField& field : fields) {
      if (!Step(field.node->location)) return;
      if (SameShape(first.type, field.type)) continue;
      Fail(first, field,
           absl::StrCat("they return differing types ", first.type.ToString(),
                        " and ", field.type.ToString()));
      return;
    }
    CheckShapes(GroupsWithin(fields));
    if (!errors_.empty()) return;
  }
}

void MergeChecker::CheckSame(const MergedFields& fields) {
  const MergedField& first = fields.front();
  for (const MergedField& field : fields) {
    if (!Step(field.node->location)) return;
    if (first.node->name != field.node->name) {
      Fail(first, field,
           absl::StrCat(first.node->name, " and ", field.node->name,
                        " are different fields"));
      return;
    }
    if (!SameArguments(*first.node, *field.node, steps_)) {
      Fail(first, field, "they have differing arguments");
      return;
    }
  }
  CheckSame(GroupsWithin(fields));
}

void MergeChecker::CheckSame(const FieldGroups& groups) {
  for (const auto& [key, fields] : groups) {
    // In the order of the text, so that errors don't depend on addresses.
    std::vector<std::pair<const NamedType*, MergedFields>> by_object;
    MergedFields of_abstract;
    for (const MergedField& field : fields) {
      if (field.parent->kind != TypeKind::kObject) {
        of_abstract.push_back(field);
        continue;
      }
      size_t at = 0;
      while (at < by_object.size() && by_object[at].first != field.parent) {
        ++at;
      }
      if (at == by_object.size())
        by_object.emplace_back(field.parent, MergedFields());
      by_object[at].second.push_back(field);
    }
    if (by_object.empty()) CheckSame(of_abstract);
    for (auto& [object, own] : by_object) {
      own.insert(own.end(), of_abstract.begin(), of_abstract.end());
      CheckSame(own);
    }
    if (!errors_.empty()) return;
  }
}

void MergeChecker::Check(const ast::Operation& operation) {
  Collector collector;
  Collect(operation.selections, schema_.RootType(operation.type), collector);
  CheckShapes(collector.groups);
  if (errors_.empty()) CheckSame(collector.groups);
}

}  // namespace

std::vector<Error> CheckFieldMerging(
    const Schema& schema, const ast::Document& document,
    const absl::flat_hash_map<absl::string_view, const ast::Fragment*>&
        fragments) {
  MergeChecker checker(schema, fragments);
  for (const ast::Operation& operation : document.operations) {
    checker.Check(operation);
  }
  return checker.Take();
}

}  // namespace byoshin::local::appsync::graphql

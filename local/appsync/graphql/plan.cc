#include "local/appsync/graphql/plan.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

// With fewer fields, looking through them is faster than an index.
constexpr size_t kIndexedFields = 16;

const FieldDefinition* DefinitionOf(const Schema& schema, const NamedType& type,
                                    absl::string_view name) {
  if (name == "__typename") return schema.typename_field();
  if (&type == schema.query_type()) {
    if (name == "__schema") return schema.schema_field();
    if (name == "__type") return schema.type_field();
  }
  return type.FindField(name);
}

void ListSelections(const PreparedDocument& document,
                    absl::Span<const ast::Selection> selections,
                    const std::string& prefix, std::vector<std::string>& list,
                    absl::flat_hash_set<std::string>& seen) {
  for (const ast::Selection& selection : selections) {
    switch (selection.kind) {
      case ast::Selection::Kind::kField: {
        std::string name = absl::StrCat(prefix, selection.response_key());
        if (seen.insert(name).second) list.push_back(name);
        ListSelections(document, selection.selections, absl::StrCat(name, "/"),
                       list, seen);
        break;
      }
      case ast::Selection::Kind::kFragmentSpread: {
        const ast::Fragment* fragment = document.FindFragment(selection.name);
        if (fragment != nullptr) {
          ListSelections(document, fragment->selections, prefix, list, seen);
        }
        break;
      }
      case ast::Selection::Kind::kInlineFragment:
        ListSelections(document, selection.selections, prefix, list, seen);
        break;
    }
  }
}

}  // namespace

bool Planner::IsIncluded(const ast::Selection& selection) const {
  for (const ast::Directive& directive : selection.directives) {
    const bool skip = directive.name == "skip";
    if (!skip && directive.name != "include") continue;
    const ast::Argument* condition = directive.Find("if");
    if (condition == nullptr) continue;
    bool value = condition->value.boolean;
    if (condition->value.kind == ast::Value::Kind::kVariable) {
      const Data* given = variables_.Find(condition->value.text);
      value = given != nullptr && given->is_boolean() && given->boolean();
    }
    if (value == skip) return false;
  }
  return true;
}

PlannedField* Planner::Find(const Collection& collection,
                            absl::string_view key) {
  if (collection.fields.size() < kIndexedFields) {
    for (PlannedField* field : collection.fields) {
      if (field->key.string() == key) return field;
    }
    return nullptr;
  }
  const auto found = collection.index.find(key);
  return found == collection.index.end() ? nullptr : found->second;
}

void Planner::Add(const ast::Selection& selection, Collection& collection) {
  const absl::string_view key = selection.response_key();
  if (PlannedField* field = Find(collection, key)) {
    field->nodes.push_back(&selection);
    return;
  }
  const FieldDefinition* definition =
      DefinitionOf(document_.schema(), collection.type, selection.name);
  // Not in a valid document.
  if (definition == nullptr) return;
  PlannedField& field = fields_.emplace_back();
  field.planner = this;
  field.parent = &collection.type;
  field.field = definition;
  field.nodes.push_back(&selection);
  field.key = Data::String(key);
  field.arguments = Data::EmptyObject();
  if (!definition->arguments.empty()) {
    const CoercedArguments& arguments = ArgumentsOf(selection, *definition);
    field.arguments = arguments.values;
    field.problem = arguments.problem;
  }
  collection.fields.push_back(&field);
  if (collection.fields.size() < kIndexedFields) return;
  if (collection.index.empty()) {
    for (PlannedField* known : collection.fields) {
      collection.index.emplace(known->key.string(), known);
    }
  }
  collection.index.emplace(field.key.string(), &field);
}

const CoercedArguments& Planner::ArgumentsOf(
    const ast::Selection& selection, const FieldDefinition& definition) {
  const auto [at, added] =
      arguments_.try_emplace(std::pair(&selection, &definition));
  if (added) {
    at->second =
        CoerceArguments(definition.arguments, selection.arguments, variables_);
  }
  return at->second;
}

void Planner::Collect(absl::Span<const ast::Selection> selections,
                      Collection& collection) {
  for (const ast::Selection& selection : selections) {
    ++visited_selections_;
    if (!IsIncluded(selection)) continue;
    if (selection.kind == ast::Selection::Kind::kField) {
      Add(selection, collection);
      continue;
    }
    absl::string_view condition = selection.name;
    absl::Span<const ast::Selection> inner = selection.selections;
    if (selection.kind == ast::Selection::Kind::kFragmentSpread) {
      const ast::Fragment* fragment = document_.FindFragment(selection.name);
      if (fragment == nullptr || !collection.visited.insert(fragment).second) {
        continue;
      }
      condition = fragment->type;
      inner = fragment->selections;
    }
    if (!condition.empty()) {
      const NamedType* type = document_.schema().Find(condition);
      if (type == nullptr || !type->MayBe(collection.type)) continue;
    }
    Collect(inner, collection);
  }
}

PlannedFields Planner::Root(const NamedType& type,
                            const ast::Operation& operation) {
  Collection collection = {
      .type = type, .fields = {}, .index = {}, .visited = {}};
  Collect(operation.selections, collection);
  return std::move(collection.fields);
}

const PlannedFields& Planner::Children(PlannedField& field,
                                       const NamedType& type) {
  for (const auto& [known, fields] : field.children) {
    if (known == &type) return fields;
  }
  Collection collection = {
      .type = type, .fields = {}, .index = {}, .visited = {}};
  for (const ast::Selection* node : field.nodes) {
    Collect(node->selections, collection);
  }
  return field.children.emplace_back(&type, std::move(collection.fields))
      .second;
}

const NamedType* ObjectTypeOf(const Schema& schema, const NamedType& type,
                              const Data& value) {
  if (type.kind == TypeKind::kObject) return &type;
  const Data* name = value.Find("__typename");
  if (name == nullptr || !name->is_string()) return nullptr;
  const NamedType* found = schema.Find(name->string());
  return found != nullptr && type.MayBe(*found) ? found : nullptr;
}

const NamedType& FieldRequest::parent_type() const { return *field_.parent; }
const FieldDefinition& FieldRequest::field() const { return *field_.field; }
const Data& FieldRequest::arguments() const { return field_.arguments; }
Location FieldRequest::location() const {
  return field_.nodes.front()->location;
}

std::vector<std::string> FieldRequest::SelectionSetList() const {
  std::vector<std::string> list;
  absl::flat_hash_set<std::string> seen;
  for (const ast::Selection* node : field_.nodes) {
    ListSelections(field_.planner->document(), node->selections, "", list,
                   seen);
  }
  return list;
}

std::string FieldRequest::SelectionSetGraphQL() const {
  return PrintSelections(field_.nodes.front()->selections);
}

}  // namespace byoshin::local::appsync::graphql

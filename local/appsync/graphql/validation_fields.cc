#include <optional>
#include <string>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/literals.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validator.h"

namespace byoshin::local::appsync::graphql {

const FieldDefinition* Validator::FindField(const NamedType& parent,
                                            absl::string_view name) const {
  if (name == "__typename") return schema_.typename_field();
  if (&parent == schema_.query_type() &&
      options_.introspection == Introspection::kEnabled) {
    if (name == "__schema") return schema_.schema_field();
    if (name == "__type") return schema_.type_field();
  }
  return parent.FindField(name);
}

void Validator::CheckSelections(absl::Span<const ast::Selection> selections,
                                const NamedType* parent) {
  for (const ast::Selection& selection : selections) {
    switch (selection.kind) {
      case ast::Selection::Kind::kField:
        path_.push_back(selection.name);
        CheckField(selection, parent);
        path_.pop_back();
        break;
      case ast::Selection::Kind::kFragmentSpread:
        CheckSpread(selection, parent);
        break;
      case ast::Selection::Kind::kInlineFragment:
        CheckInlineFragment(selection, parent);
        break;
    }
  }
}

void Validator::CheckField(const ast::Selection& field,
                           const NamedType* parent) {
  CheckDirectives(field.directives, "FIELD");
  const FieldDefinition* definition =
      parent == nullptr ? nullptr : FindField(*parent, field.name);
  if (definition == nullptr) {
    if (parent != nullptr) {
      Fail("FieldUndefined", field.location,
           absl::StrCat("Field '", field.name, "' in type '", parent->name,
                        "' is undefined"));
    }
    for (const ast::Argument& argument : field.arguments) {
      CheckUniqueObjectFields(argument.value);
      UseVariables(argument.value, Type(), false);
    }
    CheckSelections(field.selections, nullptr);
    return;
  }
  CheckArguments(field.arguments, definition->arguments, field.location,
                 "field");
  CheckLeaf(field, definition->type);
  CheckSelections(field.selections, definition->type.named->is_composite()
                                        ? definition->type.named
                                        : nullptr);
}

void Validator::CheckLeaf(const ast::Selection& field, const Type& type) {
  if (type.named->is_leaf() && !field.selections.empty()) {
    Fail("SubSelectionNotAllowed", field.location,
         absl::StrCat("Sub selection not allowed on leaf type ",
                      type.ToString(), " of field ", field.name));
  }
  if (!type.named->is_leaf() && field.selections.empty()) {
    Fail("SubSelectionRequired", field.location,
         absl::StrCat("Sub selection required for type ", type.named->name,
                      " of field ", field.name));
  }
}

bool Validator::CanOverlap(const NamedType& parent,
                           const NamedType& type) const {
  return absl::c_any_of(type.possible_types, [&](const NamedType* object) {
    return parent.MayBe(*object);
  });
}

void Validator::CheckSpread(const ast::Selection& spread,
                            const NamedType* parent) {
  CheckDirectives(spread.directives, "FRAGMENT_SPREAD");
  const auto found = fragments_.find(spread.name);
  if (found == fragments_.end()) {
    Fail("UndefinedFragment", spread.location,
         absl::StrCat("Undefined fragment ", spread.name));
    return;
  }
  content_->spreads.push_back(found->second);
  const NamedType* type = schema_.Find(found->second->type);
  if (parent == nullptr || type == nullptr || !type->is_composite() ||
      CanOverlap(*parent, *type)) {
    return;
  }
  Fail("InvalidFragmentType", spread.location,
       absl::StrCat("Fragment ", spread.name,
                    " cannot be spread here as objects of type ", parent->name,
                    " can never be of type ", type->name));
}

void Validator::CheckInlineFragment(const ast::Selection& fragment,
                                    const NamedType* parent) {
  CheckDirectives(fragment.directives, "INLINE_FRAGMENT");
  const NamedType* type = parent;
  if (!fragment.name.empty()) {
    type = schema_.Find(fragment.name);
    if (type == nullptr) {
      FailAt("UnknownType", fragment.name_location,
             absl::StrCat("Unknown type ", fragment.name), "");
    } else if (!type->is_composite()) {
      Fail("InlineFragmentTypeConditionInvalid", fragment.name_location,
           "Inline fragment type condition is invalid, must be on "
           "Object/Interface/Union");
      type = nullptr;
    } else if (parent != nullptr && !CanOverlap(*parent, *type)) {
      Fail("InvalidFragmentType", fragment.location,
           absl::StrCat("Fragment cannot be spread here as objects of type ",
                        parent->name, " can never be of type ", type->name));
    }
    path_.push_back(fragment.name);
    CheckSelections(fragment.selections, type);
    path_.pop_back();
    return;
  }
  CheckSelections(fragment.selections, type);
}

void Validator::CheckUniqueObjectFields(const ast::Value& value) {
  for (const ast::Value& element : value.elements) {
    CheckUniqueObjectFields(element);
  }
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::ObjectField& field : value.fields) {
    if (!names.insert(field.name).second) {
      Fail(
          "UniqueObjectFieldName", field.location,
          absl::StrCat("There can be only one field named '", field.name, "'"));
    }
    CheckUniqueObjectFields(field.value);
  }
}

void Validator::CheckValue(const ast::Argument& argument,
                           const InputValue& definition) {
  const std::optional<LiteralProblem> problem =
      CheckLiteral(definition.type, argument.value, argument.name);
  if (!problem.has_value()) return;
  if (argument.value.kind == ast::Value::Kind::kNull) {
    Fail(
        "NullValueForNonNullArgument", argument.location,
        absl::StrCat("Null value for non-null field argument ", argument.name));
    return;
  }
  Fail("WrongType", argument.location,
       absl::StrCat("argument '", problem->path, "' with value '",
                    DescribeValue(*problem->value), "' ", problem->tail));
}

void Validator::CheckArguments(absl::Span<const ast::Argument> arguments,
                               absl::Span<const InputValue> definitions,
                               const Location& location,
                               absl::string_view what) {
  absl::flat_hash_set<absl::string_view> given;
  for (const ast::Argument& argument : arguments) {
    if (!given.insert(argument.name).second) {
      Fail("DuplicateArgumentNames", argument.location,
           absl::StrCat("There can be only one argument named '", argument.name,
                        "'"));
    }
    CheckUniqueObjectFields(argument.value);
    const auto definition = absl::c_find_if(
        definitions,
        [&](const InputValue& value) { return value.name == argument.name; });
    if (definition == definitions.end()) {
      Fail("UnknownArgument", argument.location,
           absl::StrCat("Unknown ", what, " argument ", argument.name));
      UseVariables(argument.value, Type(), false);
      continue;
    }
    CheckValue(argument, *definition);
    UseVariables(argument.value, definition->type,
                 definition->default_value != nullptr);
  }
  for (const InputValue& definition : definitions) {
    if (!definition.is_required() || given.contains(definition.name)) continue;
    Fail(what == "field" ? "MissingFieldArgument" : "MissingDirectiveArgument",
         location,
         absl::StrCat("Missing ", what, " argument ", definition.name));
  }
}

void Validator::CheckDirectives(absl::Span<const ast::Directive> directives,
                                absl::string_view location) {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::Directive& directive : directives) {
    const DirectiveDefinition* definition =
        schema_.FindDirective(directive.name);
    if (definition == nullptr) {
      Fail("UnknownDirective", directive.location,
           absl::StrCat("Unknown directive ", directive.name));
      for (const ast::Argument& argument : directive.arguments) {
        UseVariables(argument.value, Type(), false);
      }
      continue;
    }
    if (!definition->AllowedOn(location)) {
      Fail("MisplacedDirective", directive.location,
           absl::StrCat("Directive ", directive.name, " not allowed here"));
    }
    if (!names.insert(directive.name).second && !definition->repeatable) {
      Fail("DuplicateDirectiveName", directive.location,
           absl::StrCat("There can be only one directive named '",
                        directive.name, "' here"));
    }
    CheckArguments(directive.arguments, definition->arguments,
                   directive.location, "directive");
  }
}

}  // namespace byoshin::local::appsync::graphql

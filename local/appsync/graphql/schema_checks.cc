#include <optional>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/literals.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/schema_builder.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Whether a field of type `actual` can stand for one of type `expected`.
bool IsSubtype(const Type& actual, const Type& expected) {
  if (actual == expected) return true;
  if (expected.is_non_null()) {
    return actual.is_non_null() && IsSubtype(actual.Inner(), expected.Inner());
  }
  if (actual.is_non_null()) return IsSubtype(actual.Inner(), expected);
  if (expected.is_list()) {
    return actual.is_list() && IsSubtype(actual.Inner(), expected.Inner());
  }
  if (actual.is_list()) return false;
  return expected.named->is_abstract() &&
         (expected.named->MayBe(*actual.named) ||
          actual.named->Implements(*expected.named));
}

// Input objects that can't be given, since they contain themselves.
class InputCycles {
 public:
  // A type that is part of a cycle; null if there is none.
  const NamedType* Find(const NamedType& type) {
    State& state = states_[&type];
    if (state == State::kDone) return nullptr;
    if (state == State::kOpen) return &type;
    state = State::kOpen;
    for (const InputValue& field : type.input_fields) {
      // A list, or null, ends a cycle.
      if (field.type.modifiers != "!" ||
          field.type.named->kind != TypeKind::kInputObject) {
        continue;
      }
      if (const NamedType* found = Find(*field.type.named)) return found;
    }
    states_[&type] = State::kDone;
    return nullptr;
  }

 private:
  enum class State { kNew, kOpen, kDone };
  absl::flat_hash_map<const NamedType*, State> states_;
};

}  // namespace

Location SchemaBuilder::LocationOf(const NamedType& type) const {
  const auto found = locations_.find(&type);
  return found == locations_.end() ? Location() : found->second;
}

void SchemaBuilder::CheckName(absl::string_view name,
                              const Location& location) {
  if (!absl::StartsWith(name, "__")) return;
  // The built-in types are declared without this check.
  Fail(location, absl::StrCat("Name '", name,
                              "' must not begin with '__', which is reserved "
                              "for introspection."));
}

void SchemaBuilder::CheckTypes() {
  for (const NamedType* type : schema_->types_) {
    if (type->built_in) continue;
    const Location location = LocationOf(*type);
    switch (type->kind) {
      case TypeKind::kObject:
      case TypeKind::kInterface:
        if (type->fields.empty()) {
          Fail(location, absl::StrCat("Type '", type->name,
                                      "' must define one or more fields."));
        }
        CheckInterfaces(*type);
        break;
      case TypeKind::kUnion:
        if (type->possible_types.empty()) {
          Fail(location, absl::StrCat("Union '", type->name,
                                      "' must define one or more types."));
        }
        break;
      case TypeKind::kEnum:
        if (type->values.empty()) {
          Fail(location, absl::StrCat("Enum '", type->name,
                                      "' must define one or more values."));
        }
        break;
      case TypeKind::kInputObject:
        if (type->input_fields.empty()) {
          Fail(location, absl::StrCat("Input object '", type->name,
                                      "' must define one or more fields."));
        }
        break;
      case TypeKind::kScalar:
        break;
    }
  }
}

void SchemaBuilder::CheckInterfaces(const NamedType& type) {
  for (const NamedType* interface : type.interfaces) {
    CheckImplementation(type, *interface);
    for (const NamedType* inherited : interface->interfaces) {
      if (inherited == &type) {
        Fail(LocationOf(type),
             absl::StrCat("Interface '", type.name, "' cannot implement '",
                          interface->name, "', which implements it."));
      } else if (!type.Implements(*inherited)) {
        Fail(LocationOf(type),
             absl::StrCat("Type '", type.name, "' must implement '",
                          inherited->name, "' because '", interface->name,
                          "' does."));
      }
    }
  }
}

void SchemaBuilder::CheckImplementation(const NamedType& type,
                                        const NamedType& interface) {
  for (const FieldDefinition& expected : interface.fields) {
    CheckField(type, interface, expected);
  }
}

void SchemaBuilder::CheckField(const NamedType& type,
                               const NamedType& interface,
                               const FieldDefinition& expected) {
  const Location location = LocationOf(type);
  const std::string theirs =
      absl::StrCat("'", interface.name, ".", expected.name, "'");
  const FieldDefinition* field = type.FindField(expected.name);
  if (field == nullptr) {
    Fail(location,
         absl::StrCat("Type '", type.name,
                      "' does not have the interface field ", theirs, "."));
    return;
  }
  const std::string ours = absl::StrCat("'", type.name, ".", field->name, "'");
  if (!IsSubtype(field->type, expected.type)) {
    Fail(location, absl::StrCat("Interface field ", theirs, " has type '",
                                expected.type.ToString(), "', but ", ours,
                                " has type '", field->type.ToString(), "'."));
  }
  for (const InputValue& argument : expected.arguments) {
    const InputValue* found = field->FindArgument(argument.name);
    if (found == nullptr) {
      Fail(location,
           absl::StrCat("Interface field ", theirs, " has argument '",
                        argument.name, "', but ", ours, " does not."));
    } else if (!(found->type == argument.type)) {
      Fail(location,
           absl::StrCat("Argument '", argument.name, "' of interface field ",
                        theirs, " has type '", argument.type.ToString(),
                        "', but that of ", ours, " has type '",
                        found->type.ToString(), "'."));
    }
  }
  for (const InputValue& argument : field->arguments) {
    if (argument.is_required() &&
        expected.FindArgument(argument.name) == nullptr) {
      Fail(location, absl::StrCat("Field ", ours, " has required argument '",
                                  argument.name, "', which interface field ",
                                  theirs, " does not have."));
    }
  }
}

void SchemaBuilder::CheckInputCycles() {
  InputCycles cycles;
  for (const NamedType* type : schema_->types_) {
    if (type->kind != TypeKind::kInputObject) continue;
    const NamedType* found = cycles.Find(*type);
    if (found == nullptr) continue;
    Fail(LocationOf(*found),
         absl::StrCat("Input object '", found->name,
                      "' contains itself through fields that are not null, so "
                      "that it can never be given."));
    return;
  }
}

void SchemaBuilder::CheckUse(const ast::Directive& directive,
                             absl::string_view location) {
  const DirectiveDefinition* definition =
      schema_->FindDirective(directive.name);
  if (definition == nullptr) {
    Fail(directive.location,
         absl::StrCat("Unknown directive '@", directive.name, "'."));
    return;
  }
  if (!definition->AllowedOn(location)) {
    Fail(directive.location,
         absl::StrCat("Directive '@", directive.name, "' is not allowed on ",
                      location, "."));
  }
  absl::flat_hash_set<absl::string_view> given;
  for (const ast::Argument& argument : directive.arguments) {
    const InputValue* expected = definition->FindArgument(argument.name);
    if (!given.insert(argument.name).second) {
      Fail(argument.location,
           absl::StrCat("There can be only one argument named '", argument.name,
                        "'."));
    } else if (expected == nullptr) {
      Fail(argument.location,
           absl::StrCat("Unknown argument '", argument.name,
                        "' of directive '@", directive.name, "'."));
    } else if (const std::optional<LiteralProblem> problem = CheckLiteral(
                   expected->type, argument.value, argument.name)) {
      Fail(argument.location,
           absl::StrCat("Argument '", problem->path, "' of directive '@",
                        directive.name, "' with value '",
                        PrintValue(*problem->value), "' ", problem->tail, "."));
    }
  }
  for (const InputValue& expected : definition->arguments) {
    if (expected.is_required() && !given.contains(expected.name)) {
      Fail(directive.location,
           absl::StrCat("Directive '@", directive.name,
                        "' needs the argument '", expected.name, "'."));
    }
  }
}

void SchemaBuilder::CheckUses(absl::Span<const ast::Directive> directives,
                              absl::string_view location) {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::Directive& directive : directives) {
    CheckUse(directive, location);
    const DirectiveDefinition* definition =
        schema_->FindDirective(directive.name);
    if (!names.insert(directive.name).second && definition != nullptr &&
        !definition->repeatable) {
      Fail(directive.location, absl::StrCat("Directive '@", directive.name,
                                            "' can be used only once here."));
    }
  }
}

void SchemaBuilder::CheckArgumentUses(
    absl::Span<const ast::InputValueDefinition> values,
    absl::string_view location) {
  for (const ast::InputValueDefinition& value : values) {
    CheckUses(value.directives, location);
  }
}

void SchemaBuilder::CheckDirectiveUses(const ast::Document& document) {
  for (const ast::SchemaDefinition& schema : document.schemas) {
    CheckUses(schema.directives, "SCHEMA");
  }
  for (const ast::TypeDefinition& type : document.types) {
    CheckUses(type.directives, ast::NameOf(type.kind));
    for (const ast::FieldDefinition& field : type.fields) {
      CheckUses(field.directives, "FIELD_DEFINITION");
      CheckArgumentUses(field.arguments, "ARGUMENT_DEFINITION");
    }
    CheckArgumentUses(type.input_fields, "INPUT_FIELD_DEFINITION");
    for (const ast::EnumValueDefinition& value : type.values) {
      CheckUses(value.directives, "ENUM_VALUE");
    }
  }
  for (const ast::DirectiveDefinition& directive : document.directives) {
    CheckArgumentUses(directive.arguments, "ARGUMENT_DEFINITION");
  }
}

void SchemaBuilder::CheckSubscriptions() {
  if (schema_->subscription_ == nullptr) return;
  for (const FieldDefinition& field : schema_->subscription_->fields) {
    for (const std::string& mutation : field.subscribes_to) {
      if (schema_->mutation_ != nullptr &&
          schema_->mutation_->FindField(mutation) != nullptr) {
        continue;
      }
      Fail(LocationOf(*schema_->subscription_),
           absl::StrCat("Subscription field '", field.name,
                        "' names the mutation '", mutation,
                        "', which does not exist."));
    }
  }
}

}  // namespace byoshin::local::appsync::graphql

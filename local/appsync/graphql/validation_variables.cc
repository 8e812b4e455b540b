#include <optional>
#include <string>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/literals.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/validator.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Whether a variable of type `variable` can be given where an `expected` is.
bool IsCompatible(const Type& variable, const Type& expected) {
  if (expected.is_non_null()) {
    return variable.is_non_null() &&
           IsCompatible(variable.Inner(), expected.Inner());
  }
  if (variable.is_non_null()) return IsCompatible(variable.Inner(), expected);
  if (expected.is_list() || variable.is_list()) {
    return expected.is_list() && variable.is_list() &&
           IsCompatible(variable.Inner(), expected.Inner());
  }
  return variable.named == expected.named;
}

}  // namespace

void Validator::CheckVariableDefinitions(const ast::Operation& operation) {
  absl::flat_hash_set<absl::string_view> names;
  for (const ast::VariableDefinition& variable : operation.variables) {
    if (!names.insert(variable.name).second) {
      Fail("DuplicateVariableName", variable.location,
           absl::StrCat("There can be only one variable named '", variable.name,
                        "'"));
    }
    CheckDirectives(variable.directives, "VARIABLE_DEFINITION");
    const Type type = schema_.Resolve(variable.type);
    if (type.named == nullptr) {
      Fail("UnknownType", variable.type.location,
           absl::StrCat("Unknown type ", variable.type.name));
      continue;
    }
    if (!type.named->is_input()) {
      Fail("NonInputTypeOnVariable", variable.location,
           absl::StrCat("Input variable ", variable.name, " type ",
                        variable.type.name, " is not an input type"));
      continue;
    }
    if (!variable.default_value.has_value()) continue;
    CheckUniqueObjectFields(*variable.default_value);
    if (CheckLiteral(type, *variable.default_value, variable.name)
            .has_value()) {
      Fail("BadValueForDefaultArg", variable.location,
           absl::StrCat("Bad default value ",
                        DescribeValue(*variable.default_value), " for type ",
                        variable.type.ToString()));
    }
  }
}

void Validator::UseVariables(const ast::Value& value, const Type& type,
                             bool has_default) {
  using Kind = ast::Value::Kind;
  if (value.kind == Kind::kVariable) {
    content_->variables.push_back({.variable = &value,
                                   .expected = type,
                                   .has_default = has_default,
                                   .path = PathText()});
    return;
  }
  const Type nullable = type.named == nullptr ? type : type.Nullable();
  for (const ast::Value& element : value.elements) {
    UseVariables(element, nullable.is_list() ? nullable.Inner() : Type(),
                 false);
  }
  // A list may be given as its only element.
  Type object = nullable;
  while (object.named != nullptr && !object.modifiers.empty()) {
    object = object.Inner();
  }
  for (const ast::ObjectField& field : value.fields) {
    const InputValue* definition =
        object.named == nullptr ? nullptr
                                : object.named->FindInputField(field.name);
    UseVariables(field.value, definition == nullptr ? Type() : definition->type,
                 definition != nullptr && definition->default_value != nullptr);
  }
}

void Validator::CheckVariableUse(const ast::VariableDefinition& definition,
                                 const VariableUse& use) {
  const Type type = schema_.Resolve(definition.type);
  if (type.named == nullptr || use.expected.named == nullptr) return;
  Type expected = use.expected;
  if (expected.is_non_null() && !type.is_non_null()) {
    const bool has_value =
        definition.default_value.has_value() &&
        definition.default_value->kind != ast::Value::Kind::kNull;
    if (has_value || use.has_default) expected = expected.Inner();
  }
  if (IsCompatible(type, expected)) return;
  FailAt("VariableTypeMismatch", use.variable->location,
         absl::StrCat("Variable type '", definition.type.ToString(),
                      "' doesn't match expected type '",
                      use.expected.ToString(), "'"),
         use.path);
}

void Validator::CheckVariableUses(const ast::Operation& operation) {
  absl::flat_hash_map<absl::string_view, const ast::VariableDefinition*>
      defined;
  for (const ast::VariableDefinition& variable : operation.variables) {
    defined.emplace(variable.name, &variable);
  }
  absl::flat_hash_set<absl::string_view> used;
  for (const Content* content : ContentsOf(operation)) {
    for (const VariableUse& use : content->variables) {
      if (errors_.size() >= kMaxValidationErrors) return;
      const auto found = defined.find(use.variable->text);
      if (found == defined.end()) {
        FailAt("UndefinedVariable", use.variable->location,
               absl::StrCat("Undefined variable ", use.variable->text),
               use.path);
        continue;
      }
      used.insert(use.variable->text);
      CheckVariableUse(*found->second, use);
    }
  }
  for (const ast::VariableDefinition& variable : operation.variables) {
    if (used.contains(variable.name)) continue;
    Fail("UnusedVariable", variable.location,
         absl::StrCat("Unused variable ", variable.name));
  }
}

}  // namespace byoshin::local::appsync::graphql

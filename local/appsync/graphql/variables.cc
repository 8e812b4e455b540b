#include "local/appsync/graphql/variables.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/literals.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Coerces the value of one variable. AppSync names the variable when a null is
// wrong, and the innermost field when anything else is.
class VariableCoercion {
 public:
  explicit VariableCoercion(const ast::VariableDefinition& variable)
      : variable_(variable) {}

  // std::nullopt after an error.
  std::optional<Data> Coerce(const Type& type, const Data& value,
                             absl::string_view name);
  const Error& error() const { return error_; }
  std::optional<Data> FailNull(const Type& type);

 private:
  std::optional<Data> Invalid(absl::string_view name,
                              absl::string_view problem);
  std::optional<Data> CoerceList(const Type& type, const Data& value,
                                 absl::string_view name);
  std::optional<Data> CoerceObject(const NamedType& type, const Data& value,
                                   absl::string_view name);
  std::optional<Data> CoerceEnum(const NamedType& type, const Data& value,
                                 absl::string_view name);

  const ast::VariableDefinition& variable_;
  Error error_;
};

std::optional<Data> VariableCoercion::FailNull(const Type& type) {
  error_.message = absl::StrCat("Variable '", variable_.name,
                                "' has coerced Null value for NonNull type '",
                                type.ToString(), "'");
  error_.locations = {{variable_.location}};
  return std::nullopt;
}

std::optional<Data> VariableCoercion::Invalid(absl::string_view name,
                                              absl::string_view problem) {
  error_.message =
      absl::StrCat("Variable '", name, "' has an invalid value. ", problem);
  error_.locations = {{variable_.location}};
  return std::nullopt;
}

std::optional<Data> VariableCoercion::CoerceList(const Type& type,
                                                 const Data& value,
                                                 absl::string_view name) {
  std::vector<Data> elements;
  if (!value.is_array()) {
    std::optional<Data> element = Coerce(type.Inner(), value, name);
    if (!element.has_value()) return std::nullopt;
    elements.push_back(*std::move(element));
    return Data::Array(std::move(elements));
  }
  elements.reserve(value.size());
  for (const Data& given : value.elements()) {
    std::optional<Data> element = Coerce(type.Inner(), given, name);
    if (!element.has_value()) return std::nullopt;
    elements.push_back(*std::move(element));
  }
  return Data::Array(std::move(elements));
}

std::optional<Data> VariableCoercion::CoerceObject(const NamedType& type,
                                                   const Data& value,
                                                   absl::string_view name) {
  if (!value.is_object()) {
    return Invalid(
        name,
        absl::StrCat("Expected type 'Map' but was '", json::DescribeType(value),
                     "'. Variables for input objects must be an "
                     "instance of type 'Map'."));
  }
  for (const Data::Member& member : value.members()) {
    if (type.FindInputField(member.name()) != nullptr) continue;
    // With the space at its end, and without a location, as AppSync has it.
    error_.message = absl::StrCat(
        "The variables input contains a field that is not defined for input "
        "object type '",
        type.name, "' ");
    return std::nullopt;
  }
  json::ObjectBuilder object;
  for (const InputValue& field : type.input_fields) {
    const Data* given = value.Find(field.name);
    if (given == nullptr) {
      if (field.default_value != nullptr) {
        object.Set(field.name, field.default_data);
      } else if (field.type.is_non_null()) {
        return FailNull(field.type);
      }
      continue;
    }
    std::optional<Data> member = Coerce(field.type, *given, field.name);
    if (!member.has_value()) return std::nullopt;
    object.Set(field.name, *std::move(member));
  }
  return std::move(object).Build();
}

std::optional<Data> VariableCoercion::CoerceEnum(const NamedType& type,
                                                 const Data& value,
                                                 absl::string_view name) {
  if (value.is_string() && type.FindValue(value.string()) != nullptr) {
    return value;
  }
  return Invalid(
      name, absl::StrCat("Invalid input for Enum '", type.name,
                         "'. No value found for name '", JavaText(value), "'"));
}

std::optional<Data> VariableCoercion::Coerce(const Type& type,
                                             const Data& value,
                                             absl::string_view name) {
  if (value.is_null()) {
    if (type.is_non_null()) return FailNull(type);
    return Data();
  }
  const Type nullable = type.Nullable();
  if (nullable.is_list()) return CoerceList(nullable, value, name);
  const NamedType& named = *nullable.named;
  if (named.kind == TypeKind::kInputObject) {
    return CoerceObject(named, value, name);
  }
  if (named.kind == TypeKind::kEnum) return CoerceEnum(named, value, name);
  Coerced coerced = ParseScalar(named.scalar, value);
  if (!coerced.ok()) return Invalid(name, coerced.problem);
  return std::move(coerced.value);
}

}  // namespace

CoercedVariables CoerceVariables(const Schema& schema,
                                 const ast::Operation& operation,
                                 const Data& given) {
  CoercedVariables result;
  if (!given.is_null() && !given.is_object()) {
    result.errors.push_back({.message = "Variables must be an object.",
                             .path = std::nullopt,
                             .locations = std::nullopt,
                             .details = std::nullopt});
    return result;
  }
  json::ObjectBuilder values;
  for (const ast::VariableDefinition& variable : operation.variables) {
    const Type type = schema.Resolve(variable.type);
    const Data* value = given.Find(variable.name);
    VariableCoercion coercion(variable);
    std::optional<Data> coerced;
    if (value != nullptr) {
      coerced = coercion.Coerce(type, *value, variable.name);
    } else if (variable.default_value.has_value()) {
      coerced = LiteralData(type, *variable.default_value);
    } else if (type.is_non_null()) {
      coercion.FailNull(type);
    } else {
      continue;
    }
    if (!coerced.has_value()) {
      result.errors.push_back(coercion.error());
      // As AppSync: the first one ends it.
      return result;
    }
    values.Set(variable.name, *std::move(coerced));
  }
  result.values = std::move(values).Build();
  return result;
}

CoercedArguments CoerceArguments(absl::Span<const InputValue> definitions,
                                 absl::Span<const ast::Argument> arguments,
                                 const Data& variables) {
  CoercedArguments result;
  if (definitions.empty()) return result;
  json::ObjectBuilder values;
  for (const InputValue& definition : definitions) {
    CoercedLiteral literal;
    for (const ast::Argument& argument : arguments) {
      if (argument.name != definition.name) continue;
      literal = CoerceLiteral(definition.type, argument.value, variables);
      break;
    }
    if (!literal.problem.empty()) {
      result.problem = std::move(literal.problem);
      return result;
    }
    if (literal.value.has_value()) {
      values.Set(definition.name, *std::move(literal.value));
    } else if (definition.default_value != nullptr) {
      values.Set(definition.name, definition.default_data);
    } else if (definition.type.is_non_null()) {
      result.problem = absl::StrCat("Missing field argument ", definition.name);
      return result;
    }
  }
  result.values = std::move(values).Build();
  return result;
}

Data LiteralData(const Type& type, const ast::Value& literal) {
  return CoerceLiteral(type, literal, Data::EmptyObject())
      .value.value_or(Data());
}

}  // namespace byoshin::local::appsync::graphql

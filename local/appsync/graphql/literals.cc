#include "local/appsync/graphql/literals.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

using ValueKind = ast::Value::Kind;

const ast::ObjectField* FindObjectField(const ast::Value& object,
                                        absl::string_view name) {
  for (const ast::ObjectField& field : object.fields) {
    if (field.name == name) return &field;
  }
  return nullptr;
}

LiteralProblem ProblemAt(absl::string_view path, const ast::Value& value,
                         std::string tail) {
  return {.path = std::string(path), .value = &value, .tail = std::move(tail)};
}

std::optional<LiteralProblem> CheckObject(const NamedType& type,
                                          const ast::Value& value,
                                          const std::string& path) {
  if (value.kind != ValueKind::kObject) {
    return ProblemAt(path, value, "must be an object type");
  }
  std::vector<absl::string_view> missing;
  for (const InputValue& field : type.input_fields) {
    if (field.is_required() && FindObjectField(value, field.name) == nullptr) {
      missing.push_back(field.name);
    }
  }
  if (!missing.empty()) {
    return ProblemAt(path, value,
                     absl::StrCat("is missing required fields '[",
                                  absl::StrJoin(missing, ", "), "]'"));
  }
  for (const ast::ObjectField& field : value.fields) {
    const InputValue* definition = type.FindInputField(field.name);
    if (definition == nullptr) {
      return ProblemAt(path, value,
                       absl::StrCat("contains a field not in '", type.name,
                                    "': '", field.name, "'"));
    }
    std::optional<LiteralProblem> problem = CheckLiteral(
        definition->type, field.value, absl::StrCat(path, ".", field.name));
    if (problem.has_value()) return problem;
  }
  return std::nullopt;
}

std::optional<LiteralProblem> CheckList(const Type& type,
                                        const ast::Value& value,
                                        absl::string_view path) {
  if (value.kind != ValueKind::kList) {
    return CheckLiteral(type.Inner(), value, path);
  }
  for (size_t i = 0; i < value.elements.size(); ++i) {
    std::optional<LiteralProblem> problem = CheckLiteral(
        type.Inner(), value.elements[i], absl::StrCat(path, "[", i, "]"));
    if (problem.has_value()) return problem;
  }
  return std::nullopt;
}

CoercedLiteral CoerceObject(const NamedType& type, const ast::Value& value,
                            const Data& variables) {
  json::ObjectBuilder object;
  for (const InputValue& definition : type.input_fields) {
    const ast::ObjectField* field = FindObjectField(value, definition.name);
    CoercedLiteral member;
    if (field != nullptr) {
      member = CoerceLiteral(definition.type, field->value, variables);
      if (!member.problem.empty()) return member;
    }
    if (!member.value.has_value()) {
      if (definition.default_value != nullptr) {
        member.value = definition.default_data;
      } else if (definition.type.is_non_null()) {
        return {.value = std::nullopt,
                .problem = absl::StrCat("Field '", definition.name,
                                        "' has coerced Null value for NonNull "
                                        "type '",
                                        definition.type.ToString(), "'")};
      } else {
        continue;
      }
    }
    object.Set(definition.name, *std::move(member.value));
  }
  return {.value = std::move(object).Build(), .problem = ""};
}

CoercedLiteral CoerceList(const Type& type, const ast::Value& value,
                          const Data& variables) {
  std::vector<Data> elements;
  if (value.kind != ValueKind::kList) {
    CoercedLiteral element = CoerceLiteral(type.Inner(), value, variables);
    if (!element.value.has_value()) return element;
    elements.push_back(*std::move(element.value));
    return {.value = Data::Array(std::move(elements)), .problem = ""};
  }
  elements.reserve(value.elements.size());
  for (const ast::Value& literal : value.elements) {
    CoercedLiteral element = CoerceLiteral(type.Inner(), literal, variables);
    if (!element.problem.empty()) return element;
    if (!element.value.has_value() && type.Inner().is_non_null()) {
      return {.value = std::nullopt,
              .problem = absl::StrCat("Variable '", literal.text,
                                      "' has coerced Null value for NonNull "
                                      "type '",
                                      type.Inner().ToString(), "'")};
    }
    elements.push_back(std::move(element.value).value_or(Data()));
  }
  return {.value = Data::Array(std::move(elements)), .problem = ""};
}

CoercedLiteral CoerceVariable(const Type& type, const ast::Value& value,
                              const Data& variables) {
  const Data* given = variables.Find(value.text);
  if (given == nullptr) return {};
  if (given->is_null() && type.is_non_null()) {
    return {.value = std::nullopt,
            .problem = absl::StrCat("Variable '", value.text,
                                    "' has coerced Null value for NonNull type "
                                    "'",
                                    type.ToString(), "'")};
  }
  return {.value = *given, .problem = ""};
}

}  // namespace

std::optional<LiteralProblem> CheckLiteral(const Type& type,
                                           const ast::Value& value,
                                           absl::string_view name) {
  if (value.kind == ValueKind::kVariable) return std::nullopt;
  if (type.is_non_null()) {
    if (value.kind == ValueKind::kNull) {
      return ProblemAt(name, value, "must not be null");
    }
    return CheckLiteral(type.Inner(), value, name);
  }
  if (value.kind == ValueKind::kNull) return std::nullopt;
  if (type.is_list()) return CheckList(type, value, name);
  const NamedType& named = *type.named;
  switch (named.kind) {
    case TypeKind::kInputObject:
      return CheckObject(named, value, std::string(name));
    case TypeKind::kEnum:
      if (value.kind == ValueKind::kEnum &&
          named.FindValue(value.text) != nullptr) {
        return std::nullopt;
      }
      break;
    case TypeKind::kScalar:
      if (ParseScalarLiteral(named.scalar, value).ok()) return std::nullopt;
      break;
    default:
      return std::nullopt;
  }
  return ProblemAt(name, value,
                   absl::StrCat("is not a valid '", named.name, "'"));
}

CoercedLiteral CoerceLiteral(const Type& type, const ast::Value& value,
                             const Data& variables) {
  if (value.kind == ValueKind::kVariable) {
    return CoerceVariable(type, value, variables);
  }
  if (value.kind == ValueKind::kNull) return {.value = Data(), .problem = ""};
  if (type.is_non_null()) return CoerceLiteral(type.Inner(), value, variables);
  if (type.is_list()) return CoerceList(type, value, variables);
  const NamedType& named = *type.named;
  if (named.kind == TypeKind::kInputObject) {
    return CoerceObject(named, value, variables);
  }
  if (named.kind == TypeKind::kEnum) {
    return {.value = Data::String(value.text), .problem = ""};
  }
  return {.value = ParseScalarLiteral(named.scalar, value).value,
          .problem = ""};
}

}  // namespace byoshin::local::appsync::graphql

// Default values of arguments and of fields of input objects. A default value
// that leaves out fields of an input object has the defaults of those, wherever
// they are declared, so these are coerced first.
#include <cstddef>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/literals.h"
#include "local/appsync/graphql/printer.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/graphql/schema_builder.h"
#include "local/appsync/graphql/variables.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Defaults within defaults multiply, so that a short schema could ask for more
// than any server can hold.
constexpr size_t kMaxDefaultBytes = size_t{1} << 20;
// Of all together.
constexpr size_t kMaxDefaultsBytes = size_t{4} << 20;
// So that requests with them can be nested, too.
constexpr size_t kMaxDefaultDepth = json::kMaxDataDepth / 2;

}  // namespace

void SchemaBuilder::CoerceDefaultsWithin(const NamedType& type,
                                         const ast::Value& literal) {
  if (default_depth_ > kMaxDefaultDepth) {
    return Fail(literal.location, "The default value is nested too deep.");
  }
  ++default_depth_;
  for (const ast::Value& element : literal.elements) {
    CoerceDefaultsWithin(type, element);
  }
  if (literal.kind == ast::Value::Kind::kObject &&
      type.kind == TypeKind::kInputObject) {
    CoerceDefaultsOfFields(*schema_->by_name_[type.name], literal);
  }
  --default_depth_;
}

void SchemaBuilder::CoerceDefaultsOfFields(NamedType& object,
                                           const ast::Value& literal) {
  for (InputValue& field : object.input_fields) {
    const ast::Value* given = nullptr;
    for (const ast::ObjectField& member : literal.fields) {
      if (member.name == field.name) given = &member.value;
    }
    if (given != nullptr) {
      CoerceDefaultsWithin(*field.type.named, *given);
    } else {
      CoerceDefault(field,
                    absl::StrCat("'", object.name, ".", field.name, "'"));
    }
  }
}

void SchemaBuilder::CoerceDefault(InputValue& value, const std::string& where) {
  if (value.default_value == nullptr) return;
  const auto fail = [&](absl::string_view problem) {
    Fail(value.default_value->location,
         absl::StrCat("The default value of ", where, " ", problem, "."));
  };
  // Not kept as a reference: others are added meanwhile.
  const DefaultState state = default_states_[&value];
  if (state == DefaultState::kDone) return;
  if (state == DefaultState::kOpen) return fail("contains itself");
  if (default_depth_ > kMaxDefaultDepth) return fail("is nested too deep");
  default_states_[&value] = DefaultState::kOpen;
  const std::optional<LiteralProblem> problem =
      CheckLiteral(value.type, *value.default_value, value.name);
  if (problem.has_value()) {
    fail(absl::StrCat("is wrong: '", problem->path, "' with value '",
                      PrintValue(*problem->value), "' ", problem->tail));
  } else {
    CoerceDefaultsWithin(*value.type.named, *value.default_value);
  }
  default_states_[&value] = DefaultState::kDone;
  // What is made of others that are wrong would be wrong, too.
  if (!errors_.empty()) return;
  value.default_data = LiteralData(value.type, *value.default_value);
  const size_t bytes = value.default_data.JsonSize();
  default_bytes_ += bytes;
  if (bytes > kMaxDefaultBytes) {
    fail(absl::StrCat("is larger than ", kMaxDefaultBytes, " bytes"));
  } else if (default_bytes_ > kMaxDefaultsBytes) {
    fail(absl::StrCat("and those before it are larger than ", kMaxDefaultsBytes,
                      " bytes together"));
  } else if (value.default_data.depth() > kMaxDefaultDepth) {
    fail("is nested too deep");
  }
}

void SchemaBuilder::CoerceDefaults() {
  for (NamedType& type : schema_->storage_) {
    for (InputValue& field : type.input_fields) {
      CoerceDefault(field, absl::StrCat("'", type.name, ".", field.name, "'"));
    }
    for (FieldDefinition& field : type.fields) {
      for (InputValue& argument : field.arguments) {
        CoerceDefault(argument,
                      absl::StrCat("'", type.name, ".", field.name,
                                   "' argument '", argument.name, "'"));
      }
    }
  }
  for (DirectiveDefinition& directive : schema_->directives_) {
    for (InputValue& argument : directive.arguments) {
      CoerceDefault(argument, absl::StrCat("directive '@", directive.name,
                                           "' argument '", argument.name, "'"));
    }
  }
}

}  // namespace byoshin::local::appsync::graphql

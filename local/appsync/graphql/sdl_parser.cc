#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/lexer.h"
#include "local/appsync/graphql/parser_base.h"

namespace byoshin::local::appsync::graphql {
namespace {

constexpr absl::string_view kDirectiveLocations[] = {
    "QUERY",
    "MUTATION",
    "SUBSCRIPTION",
    "FIELD",
    "FRAGMENT_DEFINITION",
    "FRAGMENT_SPREAD",
    "INLINE_FRAGMENT",
    "VARIABLE_DEFINITION",
    "SCHEMA",
    "SCALAR",
    "OBJECT",
    "FIELD_DEFINITION",
    "ARGUMENT_DEFINITION",
    "INTERFACE",
    "UNION",
    "ENUM",
    "ENUM_VALUE",
    "INPUT_OBJECT",
    "INPUT_FIELD_DEFINITION",
};

std::optional<ast::TypeKind> KindOfKeyword(absl::string_view keyword) {
  if (keyword == "scalar") return ast::TypeKind::kScalar;
  if (keyword == "type") return ast::TypeKind::kObject;
  if (keyword == "interface") return ast::TypeKind::kInterface;
  if (keyword == "union") return ast::TypeKind::kUnion;
  if (keyword == "enum") return ast::TypeKind::kEnum;
  if (keyword == "input") return ast::TypeKind::kInputObject;
  return std::nullopt;
}

// Whether an extension adds anything.
bool ExtendsSomething(const ast::TypeDefinition& type) {
  return !type.directives.empty() || !type.interfaces.empty() ||
         !type.fields.empty() || !type.members.empty() ||
         !type.values.empty() || !type.input_fields.empty();
}

}  // namespace

bool SdlParser::IsTypeSystemKeyword(const Token& token) {
  return token.kind == Token::Kind::kName &&
         (token.text == "schema" || token.text == "directive" ||
          KindOfKeyword(token.text).has_value());
}

bool SdlParser::ParseDescription(Description& description) {
  if (!token_.IsString()) return true;
  description = std::move(token_.string);
  return Advance();
}

bool SdlParser::ParseTypeSystemDefinition(ast::Document& document) {
  Description description;
  if (!ParseDescription(description)) return false;
  if (token_.text == "schema") {
    return ParseSchema(ast::Extends::kNo, std::move(description), document);
  }
  if (token_.text == "directive") {
    return ParseDirectiveDefinition(std::move(description), document);
  }
  ast::TypeDefinition& type = document.types.emplace_back();
  type.description = std::move(description);
  return ParseTypeDefinition(type);
}

bool SdlParser::ParseExtension(ast::Document& document) {
  const Location location = token_.location;
  const Token* keyword = Peek();
  if (keyword == nullptr) return false;
  const bool known =
      keyword->kind == Token::Kind::kName &&
      (keyword->text == "schema" || KindOfKeyword(keyword->text).has_value());
  if (!known) return Unexpected(*keyword);
  if (!Advance()) return false;
  if (token_.text == "schema") {
    return ParseSchema(ast::Extends::kYes, std::nullopt, document);
  }
  ast::TypeDefinition& type = document.types.emplace_back();
  type.extends = ast::Extends::kYes;
  if (!ParseTypeDefinition(type)) return false;
  type.location = location;
  return ExtendsSomething(type) || Unexpected(token_);
}

bool SdlParser::ParseSchema(ast::Extends extends, Description description,
                            ast::Document& document) {
  ast::SchemaDefinition& schema = document.schemas.emplace_back();
  schema.extends = extends;
  schema.description = std::move(description);
  schema.location = token_.location;
  if (!Advance() ||
      !ParseDirectives(Variables::kForbidden, schema.directives)) {
    return false;
  }
  const auto operation = [&] {
    return ParseRootOperation(schema.operations.emplace_back());
  };
  if (extends == ast::Extends::kNo) return ParseMany("{", "}", operation);
  if (!ParseOptionalMany("{", "}", operation)) return false;
  const bool empty = schema.directives.empty() && schema.operations.empty();
  return !empty || Unexpected(token_);
}

bool SdlParser::ParseRootOperation(ast::RootOperation& operation) {
  if (token_.IsKeyword("mutation")) {
    operation.operation = ast::OperationType::kMutation;
  } else if (token_.IsKeyword("subscription")) {
    operation.operation = ast::OperationType::kSubscription;
  } else if (token_.kind == Token::Kind::kName && token_.text != "query") {
    return Unexpected(token_);
  }
  absl::string_view keyword;
  if (!ParseName(keyword) || !Expect(":")) return false;
  operation.location = token_.location;
  return ParseName(operation.type);
}

bool SdlParser::ParseTypeDefinition(ast::TypeDefinition& type) {
  type.location = token_.location;
  type.kind = KindOfKeyword(token_.text).value_or(ast::TypeKind::kScalar);
  if (!Advance() || !ParseName(type.name)) return false;
  const bool may_implement = type.kind == ast::TypeKind::kObject ||
                             type.kind == ast::TypeKind::kInterface;
  if (may_implement && token_.IsKeyword("implements")) {
    if (!Advance() || !ParseDelimited("&", type.interfaces)) return false;
  }
  return ParseDirectives(Variables::kForbidden, type.directives) &&
         ParseTypeBody(type);
}

bool SdlParser::ParseTypeBody(ast::TypeDefinition& type) {
  switch (type.kind) {
    case ast::TypeKind::kScalar:
      return true;
    case ast::TypeKind::kObject:
    case ast::TypeKind::kInterface:
      return ParseOptionalMany(
          "{", "}", [&] { return ParseField(type.fields.emplace_back()); });
    case ast::TypeKind::kUnion: {
      bool has_members = false;
      return Skip("=", has_members) &&
             (!has_members || ParseDelimited("|", type.members));
    }
    case ast::TypeKind::kEnum:
      return ParseOptionalMany(
          "{", "}", [&] { return ParseEnumValue(type.values.emplace_back()); });
    case ast::TypeKind::kInputObject:
      return ParseInputValues("{", "}", type.input_fields);
  }
  return false;
}

bool SdlParser::ParseDirectiveDefinition(Description description,
                                         ast::Document& document) {
  ast::DirectiveDefinition& directive = document.directives.emplace_back();
  directive.description = std::move(description);
  directive.location = token_.location;
  if (!Advance() || !Expect("@") || !ParseName(directive.name) ||
      !ParseInputValues("(", ")", directive.arguments)) {
    return false;
  }
  directive.repeatable = token_.IsKeyword("repeatable");
  if (directive.repeatable && !Advance()) return false;
  bool leading = false;
  if (!ExpectKeyword("on") || !Skip("|", leading)) return false;
  bool more = false;
  do {
    const Token token = token_;
    if (!ParseNamedReference(directive.locations.emplace_back())) return false;
    if (!absl::c_linear_search(kDirectiveLocations, token.text)) {
      return Unexpected(token);
    }
    if (!Skip("|", more)) return false;
  } while (more);
  return true;
}

bool SdlParser::ParseField(ast::FieldDefinition& field) {
  if (!ParseDescription(field.description)) return false;
  field.location = token_.location;
  return ParseName(field.name) && ParseInputValues("(", ")", field.arguments) &&
         Expect(":") && ParseType(field.type) &&
         ParseDirectives(Variables::kForbidden, field.directives);
}

bool SdlParser::ParseInputValues(
    absl::string_view open, absl::string_view close,
    std::vector<ast::InputValueDefinition>& values) {
  return ParseOptionalMany(
      open, close, [&] { return ParseInputValue(values.emplace_back()); });
}

bool SdlParser::ParseInputValue(ast::InputValueDefinition& value) {
  if (!ParseDescription(value.description)) return false;
  value.location = token_.location;
  if (!ParseName(value.name) || !Expect(":") || !ParseType(value.type)) {
    return false;
  }
  bool has_default = false;
  if (!Skip("=", has_default)) return false;
  if (has_default &&
      !ParseValue(Variables::kForbidden, value.default_value.emplace())) {
    return false;
  }
  return ParseDirectives(Variables::kForbidden, value.directives);
}

bool SdlParser::ParseEnumValue(ast::EnumValueDefinition& value) {
  if (!ParseDescription(value.description)) return false;
  value.location = token_.location;
  if (token_.IsKeyword("true") || token_.IsKeyword("false") ||
      token_.IsKeyword("null")) {
    return FailAt(token_.location,
                  absl::StrCat("Name \"", token_.text,
                               "\" is reserved and cannot be used for an enum "
                               "value."));
  }
  return ParseName(value.name) &&
         ParseDirectives(Variables::kForbidden, value.directives);
}

bool SdlParser::ParseNamedReference(ast::NamedReference& reference) {
  reference.location = token_.location;
  return ParseName(reference.name);
}

bool SdlParser::ParseDelimited(absl::string_view delimiter,
                               std::vector<ast::NamedReference>& references) {
  bool more = false;
  if (!Skip(delimiter, more)) return false;
  do {
    if (!ParseNamedReference(references.emplace_back()) ||
        !Skip(delimiter, more)) {
      return false;
    }
  } while (more);
  return true;
}

}  // namespace byoshin::local::appsync::graphql

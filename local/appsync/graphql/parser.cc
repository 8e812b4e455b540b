#include "local/appsync/graphql/parser.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/lexer.h"
#include "local/appsync/graphql/parser_base.h"

namespace byoshin::local::appsync::graphql {
namespace {

class DocumentParser : public SdlParser {
 public:
  using SdlParser::SdlParser;

  bool Parse(ast::Document& document) {
    if (!Start()) return false;
    do {
      if (!ParseDefinition(document)) return false;
    } while (token_.kind != Token::Kind::kEnd);
    return true;
  }

 private:
  bool ParseDefinition(ast::Document& document);
  bool ParseOperation(ast::Operation& operation);
  bool ParseVariable(ast::VariableDefinition& variable);
  bool ParseFragment(ast::Fragment& fragment);
  bool ParseSelections(std::vector<ast::Selection>& selections);
  bool ParseSelection(ast::Selection& selection);
  bool ParseField(ast::Selection& selection);
  bool ParseSpread(ast::Selection& selection);
};

bool DocumentParser::ParseDefinition(ast::Document& document) {
  if (token_.Is("{")) {
    return ParseOperation(document.operations.emplace_back());
  }
  const bool has_description = token_.IsString();
  const Token* keyword = has_description ? Peek() : &token_;
  if (keyword == nullptr) return false;
  if (IsTypeSystemKeyword(*keyword)) return ParseTypeSystemDefinition(document);
  if (keyword->kind != Token::Kind::kName) return Unexpected(*keyword);
  if (has_description) {
    return FailAt(token_.location,
                  "Unexpected description, descriptions are supported only on "
                  "definitions.");
  }
  if (token_.text == "query" || token_.text == "mutation" ||
      token_.text == "subscription") {
    return ParseOperation(document.operations.emplace_back());
  }
  if (token_.text == "fragment") {
    return ParseFragment(document.fragments.emplace_back());
  }
  if (token_.text == "extend") return ParseExtension(document);
  return Unexpected(token_);
}

bool DocumentParser::ParseOperation(ast::Operation& operation) {
  operation.location = token_.location;
  if (token_.Is("{")) return ParseSelections(operation.selections);
  if (token_.text == "mutation") {
    operation.type = ast::OperationType::kMutation;
  } else if (token_.text == "subscription") {
    operation.type = ast::OperationType::kSubscription;
  }
  if (!Advance()) return false;
  if (token_.kind == Token::Kind::kName && !ParseName(operation.name)) {
    return false;
  }
  return ParseOptionalMany(
             "(", ")",
             [&] {
               return ParseVariable(operation.variables.emplace_back());
             }) &&
         ParseDirectives(Variables::kAllowed, operation.directives) &&
         ParseSelections(operation.selections);
}

bool DocumentParser::ParseVariable(ast::VariableDefinition& variable) {
  variable.location = token_.location;
  if (!Expect("$") || !ParseName(variable.name) || !Expect(":") ||
      !ParseType(variable.type)) {
    return false;
  }
  bool has_default = false;
  if (!Skip("=", has_default)) return false;
  if (has_default &&
      !ParseValue(Variables::kForbidden, variable.default_value.emplace())) {
    return false;
  }
  return ParseDirectives(Variables::kForbidden, variable.directives);
}

bool DocumentParser::ParseFragment(ast::Fragment& fragment) {
  fragment.location = token_.location;
  if (!Advance()) return false;
  if (token_.IsKeyword("on")) return Unexpected(token_);
  if (!ParseName(fragment.name) || !ExpectKeyword("on")) return false;
  fragment.type_location = token_.location;
  return ParseName(fragment.type) &&
         ParseDirectives(Variables::kAllowed, fragment.directives) &&
         ParseSelections(fragment.selections);
}

bool DocumentParser::ParseSelections(std::vector<ast::Selection>& selections) {
  const Nesting nesting(*this);
  return nesting.ok() && ParseMany("{", "}", [&] {
           return ParseSelection(selections.emplace_back());
         });
}

bool DocumentParser::ParseSelection(ast::Selection& selection) {
  selection.location = token_.location;
  return token_.Is("...") ? ParseSpread(selection) : ParseField(selection);
}

bool DocumentParser::ParseField(ast::Selection& selection) {
  if (!ParseName(selection.name)) return false;
  bool aliased = false;
  if (!Skip(":", aliased)) return false;
  if (aliased) {
    selection.alias = selection.name;
    if (!ParseName(selection.name)) return false;
  }
  if (!ParseArguments(Variables::kAllowed, selection.arguments) ||
      !ParseDirectives(Variables::kAllowed, selection.directives)) {
    return false;
  }
  return !token_.Is("{") || ParseSelections(selection.selections);
}

bool DocumentParser::ParseSpread(ast::Selection& selection) {
  if (!Advance()) return false;
  const bool has_condition = token_.IsKeyword("on");
  if (!has_condition && token_.kind == Token::Kind::kName) {
    selection.kind = ast::Selection::Kind::kFragmentSpread;
    return ParseName(selection.name) &&
           ParseDirectives(Variables::kAllowed, selection.directives);
  }
  selection.kind = ast::Selection::Kind::kInlineFragment;
  if (has_condition) {
    if (!Advance()) return false;
    selection.name_location = token_.location;
    if (!ParseName(selection.name)) return false;
  }
  return ParseDirectives(Variables::kAllowed, selection.directives) &&
         ParseSelections(selection.selections);
}

}  // namespace

ParsedDocument ParseDocument(absl::string_view text,
                             const ParseLimits& limits) {
  ParsedDocument parsed;
  if (text.size() > limits.bytes) {
    parsed.error.message = absl::StrCat(
        "Syntax Error: Document is longer than ", limits.bytes, " bytes.");
    parsed.error.locations = {{Location{.line = 1, .column = 1}}};
    return parsed;
  }
  auto document = std::make_shared<ast::Document>();
  document->text = std::string(text);
  DocumentParser parser(document->text, limits);
  if (parser.Parse(*document)) {
    document->tokens = parser.tokens();
    parsed.document = std::move(document);
  } else {
    parsed.error = parser.error();
  }
  return parsed;
}

}  // namespace byoshin::local::appsync::graphql

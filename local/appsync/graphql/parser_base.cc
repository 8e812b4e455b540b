#include "local/appsync/graphql/parser_base.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/lexer.h"
#include "local/appsync/graphql/parser.h"

namespace byoshin::local::appsync::graphql {
namespace {

std::string DescribeToken(const Token& token) {
  switch (token.kind) {
    case Token::Kind::kEnd:
      return "<EOF>";
    case Token::Kind::kPunctuator:
      return absl::StrCat("\"", token.text, "\"");
    case Token::Kind::kName:
      return absl::StrCat("Name ", json::Excerpt(token.text));
    case Token::Kind::kInt:
      return absl::StrCat("Int ", json::Excerpt(token.text));
    case Token::Kind::kFloat:
      return absl::StrCat("Float ", json::Excerpt(token.text));
    case Token::Kind::kString:
      return absl::StrCat("String ", json::Excerpt(token.string));
    case Token::Kind::kBlockString:
      return absl::StrCat("BlockString ", json::Excerpt(token.string));
  }
  return "";
}

}  // namespace

bool ParserBase::Lex(Token& token) {
  if (!lexer_.Next(token)) {
    error_ = lexer_.error();
    return false;
  }
  if (token.kind != Token::Kind::kEnd && ++tokens_ > limits_.tokens) {
    return FailAt(token.location,
                  absl::StrCat("Document contains more than ", limits_.tokens,
                               " tokens. Parsing aborted."));
  }
  return true;
}

bool ParserBase::Start() { return Lex(token_); }

bool ParserBase::Advance() {
  if (peeked_.has_value()) {
    token_ = *std::move(peeked_);
    peeked_.reset();
    return true;
  }
  return Lex(token_);
}

const Token* ParserBase::Peek() {
  if (!peeked_.has_value()) {
    Token token;
    if (!Lex(token)) return nullptr;
    peeked_ = std::move(token);
  }
  return &*peeked_;
}

bool ParserBase::FailAt(const Location& location, std::string message) {
  error_.message = absl::StrCat("Syntax Error: ", message);
  error_.locations = {{location}};
  return false;
}

bool ParserBase::Unexpected(const Token& token) {
  return FailAt(token.location,
                absl::StrCat("Unexpected ", DescribeToken(token), "."));
}

bool ParserBase::Expect(absl::string_view punctuator) {
  if (token_.Is(punctuator)) return Advance();
  return FailAt(token_.location,
                absl::StrCat("Expected \"", punctuator, "\", found ",
                             DescribeToken(token_), "."));
}

bool ParserBase::ExpectKeyword(absl::string_view keyword) {
  if (token_.IsKeyword(keyword)) return Advance();
  return FailAt(token_.location,
                absl::StrCat("Expected \"", keyword, "\", found ",
                             DescribeToken(token_), "."));
}

bool ParserBase::Skip(absl::string_view punctuator, bool& there) {
  there = token_.Is(punctuator);
  return !there || Advance();
}

bool ParserBase::ParseName(absl::string_view& name) {
  if (token_.kind != Token::Kind::kName) {
    return FailAt(token_.location, absl::StrCat("Expected Name, found ",
                                                DescribeToken(token_), "."));
  }
  name = token_.text;
  return Advance();
}

bool ParserBase::ParseMany(absl::string_view open, absl::string_view close,
                           absl::FunctionRef<bool()> item) {
  if (!Expect(open)) return false;
  bool closed = false;
  do {
    if (!item() || !Skip(close, closed)) return false;
  } while (!closed);
  return true;
}

bool ParserBase::ParseOptionalMany(absl::string_view open,
                                   absl::string_view close,
                                   absl::FunctionRef<bool()> item) {
  return !token_.Is(open) || ParseMany(open, close, item);
}

bool ParserBase::Nesting::ok() const {
  if (parser_.depth_ <= parser_.limits_.depth) return true;
  return parser_.FailAt(parser_.token_.location,
                        absl::StrCat("Document is nested deeper than ",
                                     parser_.limits_.depth, " levels."));
}

bool ParserBase::ParseNameValue(ast::Value& value) {
  using Kind = ast::Value::Kind;
  value.text = token_.text;
  if (token_.text == "true" || token_.text == "false") {
    value.kind = Kind::kBoolean;
    value.boolean = token_.text == "true";
  } else {
    value.kind = token_.text == "null" ? Kind::kNull : Kind::kEnum;
  }
  return Advance();
}

bool ParserBase::ParseList(Variables variables, ast::Value& value) {
  value.kind = ast::Value::Kind::kList;
  if (!Advance()) return false;
  while (!token_.Is("]")) {
    if (!ParseValue(variables, value.elements.emplace_back())) return false;
  }
  return Advance();
}

bool ParserBase::ParseObject(Variables variables, ast::Value& value) {
  value.kind = ast::Value::Kind::kObject;
  if (!Advance()) return false;
  while (!token_.Is("}")) {
    ast::ObjectField& field = value.fields.emplace_back();
    field.location = token_.location;
    if (!ParseName(field.name) || !Expect(":") ||
        !ParseValue(variables, field.value)) {
      return false;
    }
  }
  return Advance();
}

bool ParserBase::ParseValue(Variables variables, ast::Value& value) {
  const Nesting nesting(*this);
  if (!nesting.ok()) return false;
  value.location = token_.location;
  value.text = token_.text;
  switch (token_.kind) {
    case Token::Kind::kPunctuator:
      break;
    case Token::Kind::kName:
      return ParseNameValue(value);
    case Token::Kind::kInt:
      value.kind = ast::Value::Kind::kInt;
      return Advance();
    case Token::Kind::kFloat:
      value.kind = ast::Value::Kind::kFloat;
      return Advance();
    case Token::Kind::kString:
    case Token::Kind::kBlockString:
      value.kind = ast::Value::Kind::kString;
      value.string = std::move(token_.string);
      return Advance();
    case Token::Kind::kEnd:
      return Unexpected(token_);
  }
  if (token_.Is("[")) return ParseList(variables, value);
  if (token_.Is("{")) return ParseObject(variables, value);
  if (!token_.Is("$")) return Unexpected(token_);
  if (variables == Variables::kForbidden) {
    const Token dollar = token_;
    if (!Advance()) return false;
    if (token_.kind == Token::Kind::kName) {
      return FailAt(dollar.location,
                    absl::StrCat("Unexpected variable \"$", token_.text,
                                 "\" in constant value."));
    }
    return Unexpected(dollar);
  }
  value.kind = ast::Value::Kind::kVariable;
  return Advance() && ParseName(value.text);
}

bool ParserBase::ParseType(ast::TypeReference& type) {
  const Nesting nesting(*this);
  if (!nesting.ok()) return false;
  type.location = token_.location;
  bool list = false;
  if (!Skip("[", list)) return false;
  if (list) {
    const Location location = type.location;
    if (!ParseType(type) || !Expect("]")) return false;
    type.location = location;
    type.modifiers += '[';
  } else if (!ParseName(type.name)) {
    return false;
  }
  bool non_null = false;
  if (!Skip("!", non_null)) return false;
  if (non_null) type.modifiers += '!';
  return true;
}

bool ParserBase::ParseArguments(Variables variables,
                                std::vector<ast::Argument>& arguments) {
  return ParseOptionalMany("(", ")", [&] {
    ast::Argument& argument = arguments.emplace_back();
    argument.location = token_.location;
    return ParseName(argument.name) && Expect(":") &&
           ParseValue(variables, argument.value);
  });
}

bool ParserBase::ParseDirectives(Variables variables,
                                 std::vector<ast::Directive>& directives) {
  while (token_.Is("@")) {
    ast::Directive& directive = directives.emplace_back();
    directive.location = token_.location;
    if (!Advance() || !ParseName(directive.name) ||
        !ParseArguments(variables, directive.arguments)) {
      return false;
    }
  }
  return true;
}

}  // namespace byoshin::local::appsync::graphql

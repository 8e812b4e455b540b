// What the parsers of executable documents and of schemas share. Only for
// parser.cc and sdl_parser.cc.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_BASE_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_BASE_H_

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/lexer.h"
#include "local/appsync/graphql/parser.h"

namespace byoshin::local::appsync::graphql {

// Whether variables may be part of a value.
enum class Variables { kForbidden, kAllowed };

// Functions return false after an error, which error() then has.
class ParserBase {
 public:
  ParserBase(absl::string_view text, const ParseLimits& limits)
      : lexer_(text), limits_(limits) {}

  const Error& error() const { return error_; }
  // So far.
  size_t tokens() const { return tokens_; }

 protected:
  // Loads the first token.
  bool Start();
  bool Advance();
  // The token after the current one; null after an error.
  const Token* Peek();

  bool Unexpected(const Token& token);
  bool FailAt(const Location& location, std::string message);

  bool Expect(absl::string_view punctuator);
  bool ExpectKeyword(absl::string_view keyword);
  // Takes the token if it is there.
  bool Skip(absl::string_view punctuator, bool& there);
  bool ParseName(absl::string_view& name);
  // Items between brackets, at least one. Nothing if `open` is not there.
  bool ParseOptionalMany(absl::string_view open, absl::string_view close,
                         absl::FunctionRef<bool()> item);
  bool ParseMany(absl::string_view open, absl::string_view close,
                 absl::FunctionRef<bool()> item);

  bool ParseValue(Variables variables, ast::Value& value);
  bool ParseType(ast::TypeReference& type);
  bool ParseArguments(Variables variables,
                      std::vector<ast::Argument>& arguments);
  bool ParseDirectives(Variables variables,
                       std::vector<ast::Directive>& directives);

  // Counts what is within each other, while it exists.
  class Nesting {
   public:
    explicit Nesting(ParserBase& parser) : parser_(parser) { ++parser_.depth_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;
    ~Nesting() { --parser_.depth_; }

    // Reports an error if it is too deep.
    bool ok() const;

   private:
    ParserBase& parser_;
  };

  Token token_;

 private:
  bool Lex(Token& token);
  bool ParseNameValue(ast::Value& value);
  bool ParseList(Variables variables, ast::Value& value);
  bool ParseObject(Variables variables, ast::Value& value);

  Lexer lexer_;
  const ParseLimits limits_;
  std::optional<Token> peeked_;
  size_t tokens_ = 0;
  size_t depth_ = 0;
  Error error_;
};

// Definitions of a schema.
class SdlParser : public ParserBase {
 public:
  using ParserBase::ParserBase;

 protected:
  // Whether the current token begins one, maybe after a description.
  static bool IsTypeSystemKeyword(const Token& token);
  bool ParseTypeSystemDefinition(ast::Document& document);
  bool ParseExtension(ast::Document& document);

 private:
  using Description = std::optional<std::string>;

  bool ParseDescription(Description& description);
  bool ParseSchema(ast::Extends extends, Description description,
                   ast::Document& document);
  bool ParseTypeDefinition(ast::TypeDefinition& type);
  bool ParseTypeBody(ast::TypeDefinition& type);
  bool ParseDirectiveDefinition(Description description,
                                ast::Document& document);
  bool ParseRootOperation(ast::RootOperation& operation);
  bool ParseField(ast::FieldDefinition& field);
  bool ParseInputValue(ast::InputValueDefinition& value);
  bool ParseInputValues(absl::string_view open, absl::string_view close,
                        std::vector<ast::InputValueDefinition>& values);
  bool ParseEnumValue(ast::EnumValueDefinition& value);
  bool ParseNamedReference(ast::NamedReference& reference);
  bool ParseDelimited(absl::string_view delimiter,
                      std::vector<ast::NamedReference>& references);
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PARSER_BASE_H_

// Splits expressions into tokens.
//
//   std::vector<Token> tokens = Tokenize("a >= :low");
//   // kName "a", kSymbol ">=", kValueRef ":low", kEnd ""
//
// Every text can be split: an invalid token has the kind kInvalid, and the
// parser rejects it in its place, as AWS does.
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_LEXER_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_LEXER_H_

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace byoshin::local::dynamodb {

struct Token {
  enum class Kind {
    kName,      // letters, digits, _; a letter first. Also keywords.
    kNameRef,   // #name
    kValueRef,  // :value
    kIndex,     // digits
    kSymbol,    // ( ) [ ] . , = <> < <= > >= + -
    kInvalid,   // any other character
    kEnd,       // the last token, without text
  };
  Kind kind = Kind::kEnd;
  absl::string_view text{};
};

// The views are into `text`.
std::vector<Token> Tokenize(absl::string_view text);

// Syntax error; token: "<token>", near: "<its surroundings>" where `at` is the
// unexpected token.
std::string DescribeSyntaxError(absl::string_view text,
                                const std::vector<Token>& tokens, size_t at);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_LEXER_H_

// Expressions cut into tokens.
//
//   std::vector<Token> tokens = Tokenize("a >= :low");
//   // kName "a", kSymbol ">=", kValueRef ":low", kEnd ""
//
// Every text can be cut: what is no token becomes one of kind kInvalid, and the
// parser refuses it where it stands, as AWS does.
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

// Syntax error; token: "<token>", near: "<what stands around it>"
// where `at` is the token that should not be where it is.
std::string DescribeSyntaxError(absl::string_view text,
                                const std::vector<Token>& tokens, size_t at);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_LEXER_H_

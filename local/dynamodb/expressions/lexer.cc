#include "local/dynamodb/expressions/lexer.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"

namespace byoshin::local::dynamodb {
namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

bool IsDigit(char c) {
  return absl::ascii_isdigit(static_cast<unsigned char>(c));
}

bool IsNamePart(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// The number of characters at the start of `text` that satisfy `is`.
size_t CountWhile(absl::string_view text, bool (*is)(char)) {
  return static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is) -
                             text.begin());
}

Token Make(Token::Kind kind, absl::string_view text, size_t length) {
  return {.kind = kind, .text = text.substr(0, length)};
}

// The first token of `text`, which is not empty and does not start with a
// space.
Token First(absl::string_view text) {
  const char c = text[0];
  if (IsDigit(c)) {
    return Make(Token::Kind::kIndex, text, CountWhile(text, IsDigit));
  }
  if (absl::ascii_isalpha(static_cast<unsigned char>(c))) {
    return Make(Token::Kind::kName, text, CountWhile(text, IsNamePart));
  }
  if (c == '#' || c == ':') {
    const size_t length = CountWhile(text.substr(1), IsNamePart);
    if (length > 0) {
      return Make(c == '#' ? Token::Kind::kNameRef : Token::Kind::kValueRef,
                  text, length + 1);
    }
  }
  for (absl::string_view symbol : {"<>", "<=", ">="}) {
    if (absl::StartsWith(text, symbol)) {
      return Make(Token::Kind::kSymbol, text, symbol.size());
    }
  }
  if (absl::string_view("()[].,=<>+-").find(c) != absl::string_view::npos) {
    return Make(Token::Kind::kSymbol, text, 1);
  }
  // A whole character, so that the error that quotes it is UTF-8.
  return Make(Token::Kind::kInvalid, text,
              std::max<size_t>(1, json::Utf8SequenceLength(text)));
}

}  // namespace

std::vector<Token> Tokenize(absl::string_view text) {
  std::vector<Token> tokens;
  for (;;) {
    text.remove_prefix(CountWhile(text, IsSpace));
    if (text.empty()) break;
    tokens.push_back(First(text));
    text.remove_prefix(tokens.back().text.size());
  }
  tokens.push_back({.kind = Token::Kind::kEnd, .text = text});
  return tokens;
}

std::string DescribeSyntaxError(absl::string_view text,
                                const std::vector<Token>& tokens, size_t at) {
  const bool at_end = tokens[at].kind == Token::Kind::kEnd;
  const auto offset = [&](const char* place) {
    return static_cast<size_t>(place - text.data());
  };
  const auto end_of = [&](const Token& token) {
    return offset(token.text.data()) + token.text.size();
  };
  const size_t from = offset(tokens[at > 0 ? at - 1 : at].text.data());
  // The end is not shown as a token, nor are the spaces before it.
  size_t to =
      at_end ? (at > 0 ? end_of(tokens[at - 1]) : from) : end_of(tokens[at]);
  if (!at_end && tokens[at + 1].kind != Token::Kind::kEnd) {
    to = end_of(tokens[at + 1]);
  }
  return absl::StrCat("Syntax error; token: \"",
                      at_end ? absl::string_view("<EOF>") : tokens[at].text,
                      "\", near: \"", text.substr(from, to - from), "\"");
}

}  // namespace byoshin::local::dynamodb

// Splits a document into tokens. Only for parser.cc and its parts.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LEXER_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LEXER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kPunctuator,
    kName,
    kInt,
    kFloat,
    kString,
    kBlockString,
  };
  Kind kind = Kind::kEnd;
  Location location;
  // As it is written. A view of the document.
  absl::string_view text;
  // The content of a string.
  std::string string;

  bool Is(absl::string_view punctuator) const {
    return kind == Kind::kPunctuator && text == punctuator;
  }
  bool IsKeyword(absl::string_view keyword) const {
    return kind == Kind::kName && text == keyword;
  }
  bool IsString() const {
    return kind == Kind::kString || kind == Kind::kBlockString;
  }
};

// The line and column of the byte at `offset`.
Location LocationAt(absl::string_view text, size_t offset);

class Lexer {
 public:
  // `text` must outlive the lexer and its tokens.
  explicit Lexer(absl::string_view text) : text_(text) {}

  // False if there is an error.
  bool Next(Token& token);
  // With a location.
  const Error& error() const { return error_; }

 private:
  bool Fail(size_t offset, absl::string_view message);
  // A message about the character at `offset`.
  bool FailAtCharacter(size_t offset, absl::string_view message);
  bool SkipIgnored();
  bool SkipComment();
  void BeginLine(size_t offset);
  // Goes on by one character; false if it is not one.
  bool TakeCharacter();
  bool LexNumber(Token& token);
  bool LexDigits(size_t& at);
  bool LexString(Token& token);
  bool LexEscape(std::string& out);
  bool LexUnicodeEscape(std::string& out);
  bool LexBlockString(Token& token);
  char At(size_t offset) const {
    return offset < text_.size() ? text_[offset] : '\0';
  }
  bool StartsWith(size_t offset, absl::string_view prefix) const {
    return text_.substr(offset, prefix.size()) == prefix;
  }

  const absl::string_view text_;
  size_t at_ = 0;
  uint32_t line_ = 1;
  size_t line_start_ = 0;
  // Bytes of this line beyond one for each UTF-16 code unit.
  size_t excess_bytes_ = 0;
  Error error_;
};

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_LEXER_H_

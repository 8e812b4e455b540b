#include "local/appsync/graphql/lexer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "local/appsync/graphql/error.h"

namespace byoshin::local::appsync::graphql {
namespace {

constexpr absl::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr absl::string_view kBlockQuote = "\"\"\"";
constexpr absl::string_view kEscapedBlockQuote = "\\\"\"\"";

bool IsNameStart(char c) { return absl::ascii_isalpha(c) || c == '_'; }
bool IsNameContinue(char c) { return absl::ascii_isalnum(c) || c == '_'; }

// How many UTF-16 code units a character of UTF-8 of this length is.
size_t CodeUnits(size_t utf8_length) { return utf8_length == 4 ? 2 : 1; }

bool IsScalarValue(uint32_t code) {
  return code < 0xD800 || (code > 0xDFFF && code <= 0x10FFFF);
}
bool IsLeadingSurrogate(uint32_t code) {
  return code >= 0xD800 && code <= 0xDBFF;
}
bool IsTrailingSurrogate(uint32_t code) {
  return code >= 0xDC00 && code <= 0xDFFF;
}

std::optional<uint32_t> HexDigit(char c) {
  if (c >= '0' && c <= '9') return static_cast<uint32_t>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<uint32_t>(c - 'a' + 10);
  if (c >= 'A' && c <= 'F') return static_cast<uint32_t>(c - 'A' + 10);
  return std::nullopt;
}

std::optional<uint32_t> FourHexDigits(absl::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t code = 0;
  for (size_t i = 0; i < 4; ++i) {
    const std::optional<uint32_t> digit = HexDigit(text[i]);
    if (!digit.has_value()) return std::nullopt;
    code = code << 4 | *digit;
  }
  return code;
}

size_t IndentOf(absl::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

// Removes what the layout of a block string adds: common indentation, and blank
// lines at both ends.
std::string Dedented(const std::vector<std::string>& lines) {
  size_t common = std::string::npos;
  size_t first = lines.size();
  size_t end = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    const size_t indent = IndentOf(lines[i]);
    if (indent == lines[i].size()) continue;
    first = std::min(first, i);
    end = i + 1;
    if (i != 0) common = std::min(common, indent);
  }
  std::string out;
  for (size_t i = first; i < end; ++i) {
    if (i != first) out += '\n';
    const absl::string_view line = lines[i];
    absl::StrAppend(&out,
                    i == 0 ? line : line.substr(std::min(common, line.size())));
  }
  return out;
}

}  // namespace

Location LocationAt(absl::string_view text, size_t offset) {
  offset = std::min(offset, text.size());
  Location location = {.line = 1, .column = 1};
  size_t i = 0;
  while (i < offset) {
    const bool return_then_feed =
        text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n';
    if (text[i] == '\n' || text[i] == '\r') {
      ++location.line;
      location.column = 1;
      i += return_then_feed ? 2 : 1;
      continue;
    }
    const size_t length =
        std::max<size_t>(1, json::Utf8SequenceLength(text.substr(i)));
    location.column += static_cast<uint32_t>(CodeUnits(length));
    i += length;
  }
  return location;
}

bool Lexer::Fail(size_t offset, absl::string_view message) {
  error_.message = absl::StrCat("Syntax Error: ", message);
  error_.locations = {{LocationAt(text_, offset)}};
  return false;
}

bool Lexer::FailAtCharacter(size_t offset, absl::string_view message) {
  if (offset >= text_.size()) {
    return Fail(offset, absl::StrCat(message, " <EOF>."));
  }
  const absl::string_view rest = text_.substr(offset);
  const size_t length = json::Utf8SequenceLength(rest);
  return Fail(offset,
              absl::StrCat(message, " ",
                           length == 0 ? "a byte that is not UTF-8"
                                       : json::Excerpt(rest.substr(0, length)),
                           "."));
}

void Lexer::BeginLine(size_t offset) {
  ++line_;
  line_start_ = offset;
  excess_bytes_ = 0;
}

bool Lexer::TakeCharacter() {
  const char c = text_[at_];
  if (c == '\n' || c == '\r') {
    at_ += StartsWith(at_, "\r\n") ? 2 : 1;
    BeginLine(at_);
    return true;
  }
  if (static_cast<unsigned char>(c) < 0x80) {
    ++at_;
    return true;
  }
  const size_t length = json::Utf8SequenceLength(text_.substr(at_));
  if (length == 0) return false;
  excess_bytes_ += length - CodeUnits(length);
  at_ += length;
  return true;
}

bool Lexer::SkipComment() {
  while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') {
    if (!TakeCharacter()) return FailAtCharacter(at_, "Invalid character:");
  }
  return true;
}

bool Lexer::SkipIgnored() {
  while (at_ < text_.size()) {
    switch (text_[at_]) {
      case ' ':
      case '\t':
      case ',':
      case '\n':
      case '\r':
        TakeCharacter();
        continue;
      case '#':
        if (!SkipComment()) return false;
        continue;
      default:
        break;
    }
    if (!StartsWith(at_, kByteOrderMark)) return true;
    TakeCharacter();
  }
  return true;
}

bool Lexer::Next(Token& token) {
  if (!SkipIgnored()) return false;
  token.location = {
      .line = line_,
      .column = static_cast<uint32_t>(at_ - line_start_ - excess_bytes_ + 1)};
  token.string.clear();
  const size_t start = at_;
  if (at_ >= text_.size()) {
    token.kind = Token::Kind::kEnd;
    token.text = text_.substr(text_.size());
    return true;
  }
  const char c = text_[at_];
  if (IsNameStart(c)) {
    while (IsNameContinue(At(at_))) ++at_;
    token.kind = Token::Kind::kName;
  } else if (c == '-' || absl::ascii_isdigit(c)) {
    if (!LexNumber(token)) return false;
  } else if (c == '"') {
    const bool lexed =
        StartsWith(at_, kBlockQuote) ? LexBlockString(token) : LexString(token);
    if (!lexed) return false;
  } else if (absl::string_view("!$&():=@[]{|}").find(c) !=
             absl::string_view::npos) {
    ++at_;
    token.kind = Token::Kind::kPunctuator;
  } else if (StartsWith(at_, "...")) {
    at_ += 3;
    token.kind = Token::Kind::kPunctuator;
  } else {
    return FailAtCharacter(at_, "Unexpected character:");
  }
  token.text = text_.substr(start, at_ - start);
  return true;
}

bool Lexer::LexDigits(size_t& at) {
  if (!absl::ascii_isdigit(At(at))) {
    return FailAtCharacter(at, "Invalid number, expected digit but got:");
  }
  while (absl::ascii_isdigit(At(at))) ++at;
  return true;
}

bool Lexer::LexNumber(Token& token) {
  token.kind = Token::Kind::kInt;
  size_t at = at_;
  if (At(at) == '-') ++at;
  if (At(at) == '0') {
    ++at;
    if (absl::ascii_isdigit(At(at))) {
      return FailAtCharacter(at, "Invalid number, unexpected digit after 0:");
    }
  } else if (!LexDigits(at)) {
    return false;
  }
  if (At(at) == '.') {
    token.kind = Token::Kind::kFloat;
    if (!LexDigits(++at)) return false;
  }
  if (At(at) == 'e' || At(at) == 'E') {
    token.kind = Token::Kind::kFloat;
    ++at;
    if (At(at) == '+' || At(at) == '-') ++at;
    if (!LexDigits(at)) return false;
  }
  if (At(at) == '.' || IsNameStart(At(at))) {
    return FailAtCharacter(at, "Invalid number, expected digit but got:");
  }
  at_ = at;
  return true;
}

bool Lexer::LexString(Token& token) {
  token.kind = Token::Kind::kString;
  ++at_;
  while (at_ < text_.size() && text_[at_] != '\n' && text_[at_] != '\r') {
    const size_t begin = at_;
    switch (text_[at_]) {
      case '"':
        ++at_;
        return true;
      case '\\':
        if (!LexEscape(token.string)) return false;
        break;
      default:
        if (!TakeCharacter()) {
          return FailAtCharacter(at_, "Invalid character within String:");
        }
        token.string.append(text_.data() + begin, at_ - begin);
    }
  }
  return Fail(at_, "Unterminated string.");
}

bool Lexer::LexEscape(std::string& out) {
  static constexpr absl::string_view kEscapes = "\"\\/bfnrt";
  static constexpr absl::string_view kMeanings = "\"\\/\b\f\n\r\t";
  const char c = At(at_ + 1);
  if (c == 'u') return LexUnicodeEscape(out);
  const size_t index = c == '\0' ? absl::string_view::npos : kEscapes.find(c);
  if (index == absl::string_view::npos) {
    return Fail(at_, "Invalid character escape sequence.");
  }
  out += kMeanings[index];
  at_ += 2;
  return true;
}

bool Lexer::LexUnicodeEscape(std::string& out) {
  constexpr absl::string_view kMessage = "Invalid Unicode escape sequence.";
  constexpr size_t kMaxDigits = 8;
  if (At(at_ + 2) == '{') {
    uint32_t code = 0;
    size_t at = at_ + 3;
    for (; At(at) != '}'; ++at) {
      const std::optional<uint32_t> digit = HexDigit(At(at));
      if (!digit.has_value() || at >= at_ + 3 + kMaxDigits || code > 0x10FFFF) {
        return Fail(at_, kMessage);
      }
      code = code << 4 | *digit;
    }
    if (at == at_ + 3 || !IsScalarValue(code)) return Fail(at_, kMessage);
    json::AppendUtf8(code, out);
    at_ = at + 1;
    return true;
  }
  const std::optional<uint32_t> code =
      FourHexDigits(text_.substr(std::min(at_ + 2, text_.size())));
  if (!code.has_value()) return Fail(at_, kMessage);
  if (IsScalarValue(*code)) {
    json::AppendUtf8(*code, out);
    at_ += 6;
    return true;
  }
  if (IsLeadingSurrogate(*code) && StartsWith(at_ + 6, "\\u")) {
    const std::optional<uint32_t> trailing =
        FourHexDigits(text_.substr(at_ + 8));
    if (trailing.has_value() && IsTrailingSurrogate(*trailing)) {
      json::AppendUtf8(
          0x10000 + ((*code - 0xD800) << 10) + (*trailing - 0xDC00), out);
      at_ += 12;
      return true;
    }
  }
  return Fail(at_, kMessage);
}

bool Lexer::LexBlockString(Token& token) {
  token.kind = Token::Kind::kBlockString;
  at_ += kBlockQuote.size();
  std::vector<std::string> lines(1);
  while (at_ < text_.size()) {
    const size_t begin = at_;
    if (StartsWith(at_, kBlockQuote)) {
      at_ += kBlockQuote.size();
      token.string = Dedented(lines);
      return true;
    }
    if (StartsWith(at_, kEscapedBlockQuote)) {
      at_ += kEscapedBlockQuote.size();
      lines.back().append(kBlockQuote.data(), kBlockQuote.size());
      continue;
    }
    const bool ends_line = text_[at_] == '\n' || text_[at_] == '\r';
    if (!TakeCharacter()) {
      return FailAtCharacter(at_, "Invalid character within String:");
    }
    if (ends_line) {
      lines.emplace_back();
    } else {
      lines.back().append(text_.data() + begin, at_ - begin);
    }
  }
  return Fail(at_, "Unterminated string.");
}

}  // namespace byoshin::local::appsync::graphql

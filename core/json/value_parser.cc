// ParseValue: a recursive-descent parser that follows the grammar of RFC 8259
// function by function.

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"
#include "core/json/value.h"

namespace byoshin::json {
namespace {

// jsoncpp counts the bytes of a key in 30 bits.
constexpr size_t kMaxTextBytes = (size_t{1} << 30) - 1;

bool IsHighSurrogate(uint32_t unit) { return unit >= 0xD800 && unit < 0xDC00; }
bool IsLowSurrogate(uint32_t unit) { return unit >= 0xDC00 && unit < 0xE000; }

// For a single use on one thread. `position_` is where the next character is
// read.
class Parser {
 public:
  explicit Parser(absl::string_view text) : text_(text) {}

  absl::StatusOr<Json::Value> ParseDocument();

 private:
  // Also records the position of the value in the text.
  absl::Status ParseAny(int depth, Json::Value& out);
  absl::Status ParseAnyKind(int depth, Json::Value& out);
  absl::Status ParseObject(int depth, Json::Value& out);
  absl::Status ParseMember(int depth, Json::Value& object);
  absl::Status ParseArray(int depth, Json::Value& out);
  absl::Status ParseNumber(Json::Value& out);
  absl::Status ParseLiteral(absl::string_view literal, Json::Value value,
                            Json::Value& out);
  absl::Status ParseString(std::string& out);
  // Consumes the unescaped characters of a string.
  void AppendPlainRun(std::string& out);
  absl::Status ParseEscape(std::string& out);
  absl::Status ParseUnicodeEscape(std::string& out);
  absl::Status ParseHexUnit(uint32_t& unit);

  bool AtEnd() const { return position_ == text_.size(); }
  bool Next(char c) const { return !AtEnd() && text_[position_] == c; }
  bool NextIsDigit() const {
    return !AtEnd() &&
           absl::ascii_isdigit(static_cast<unsigned char>(text_[position_]));
  }
  // Consumes `c` if it comes next.
  bool Skip(char c);
  // Consumes digits; false if there are none.
  bool SkipDigits();
  void SkipWhitespace();

  absl::Status ErrorAt(size_t position, absl::string_view what) const;
  // "expected ..., found ..." at the current position.
  absl::Status Expected(absl::string_view what) const;
  std::string Found() const;

  const absl::string_view text_;
  size_t position_ = 0;
};

absl::StatusOr<Json::Value> Parser::ParseDocument() {
  Json::Value value;
  SkipWhitespace();
  if (absl::Status status = ParseAny(/*depth=*/0, value); !status.ok()) {
    return status;
  }
  SkipWhitespace();
  if (!AtEnd()) return Expected("the end of the text");
  return value;
}

absl::Status Parser::ParseAny(int depth, Json::Value& out) {
  const size_t start = position_;
  absl::Status status = ParseAnyKind(depth, out);
  out.setOffsetStart(static_cast<ptrdiff_t>(start));
  out.setOffsetLimit(static_cast<ptrdiff_t>(position_));
  return status;
}

absl::Status Parser::ParseAnyKind(int depth, Json::Value& out) {
  if (AtEnd()) return Expected("a value");
  switch (text_[position_]) {
    case '{':
      return ParseObject(depth + 1, out);
    case '[':
      return ParseArray(depth + 1, out);
    case '"': {
      std::string string;
      absl::Status status = ParseString(string);
      if (status.ok()) out = Json::Value(string);
      return status;
    }
    case 't':
      return ParseLiteral("true", Json::Value(true), out);
    case 'f':
      return ParseLiteral("false", Json::Value(false), out);
    case 'n':
      return ParseLiteral("null", Json::Value(Json::nullValue), out);
    default:
      if (Next('-') || NextIsDigit()) return ParseNumber(out);
      return Expected("a value");
  }
}

absl::Status Parser::ParseObject(int depth, Json::Value& out) {
  if (depth > kMaxDepth) {
    return ErrorAt(position_,
                   absl::StrCat("nested deeper than ", kMaxDepth, " levels"));
  }
  Skip('{');
  out = Json::Value(Json::objectValue);
  SkipWhitespace();
  if (Skip('}')) return absl::OkStatus();
  while (true) {
    SkipWhitespace();
    if (absl::Status status = ParseMember(depth, out); !status.ok()) {
      return status;
    }
    SkipWhitespace();
    if (Skip('}')) return absl::OkStatus();
    if (!Skip(',')) return Expected("',' or '}'");
  }
}

absl::Status Parser::ParseMember(int depth, Json::Value& object) {
  const size_t key_position = position_;
  if (!Next('"')) return Expected("a key in double quotes");
  std::string key;
  if (absl::Status status = ParseString(key); !status.ok()) return status;
  const Json::ArrayIndex members_before = object.size();
  Json::Value& member = object[key];
  if (object.size() == members_before) {
    return ErrorAt(key_position, absl::StrCat("duplicate key ", Excerpt(key)));
  }
  SkipWhitespace();
  if (!Skip(':')) return Expected("':'");
  SkipWhitespace();
  return ParseAny(depth, member);
}

absl::Status Parser::ParseArray(int depth, Json::Value& out) {
  if (depth > kMaxDepth) {
    return ErrorAt(position_,
                   absl::StrCat("nested deeper than ", kMaxDepth, " levels"));
  }
  Skip('[');
  out = Json::Value(Json::arrayValue);
  SkipWhitespace();
  if (Skip(']')) return absl::OkStatus();
  while (true) {
    SkipWhitespace();
    Json::Value& element = out.append(Json::Value());
    if (absl::Status status = ParseAny(depth, element); !status.ok()) {
      return status;
    }
    SkipWhitespace();
    if (Skip(']')) return absl::OkStatus();
    if (!Skip(',')) return Expected("',' or ']'");
  }
}

absl::Status Parser::ParseNumber(Json::Value& out) {
  const size_t start = position_;
  bool is_integer = true;
  Skip('-');
  if (Skip('0')) {
    if (NextIsDigit()) return ErrorAt(start, "a number with a leading zero");
  } else if (!SkipDigits()) {
    return Expected("a digit");
  }
  if (Skip('.')) {
    is_integer = false;
    if (!SkipDigits()) return Expected("a digit after the decimal point");
  }
  if (Skip('e') || Skip('E')) {
    is_integer = false;
    if (!Skip('+')) Skip('-');
    if (!SkipDigits()) return Expected("a digit in the exponent");
  }

  const absl::string_view number = text_.substr(start, position_ - start);
  if (int64_t value; is_integer && absl::SimpleAtoi(number, &value)) {
    out = Json::Value(static_cast<Json::Int64>(value));
    return absl::OkStatus();
  }
  if (uint64_t value; is_integer && absl::SimpleAtoi(number, &value)) {
    out = Json::Value(static_cast<Json::UInt64>(value));
    return absl::OkStatus();
  }
  double value = 0;
  if (!absl::SimpleAtod(number, &value) || !std::isfinite(value)) {
    return ErrorAt(start, "a number too large for a double");
  }
  out = Json::Value(value);
  return absl::OkStatus();
}

absl::Status Parser::ParseLiteral(absl::string_view literal, Json::Value value,
                                  Json::Value& out) {
  if (!absl::StartsWith(text_.substr(position_), literal)) {
    return Expected("a value");
  }
  position_ += literal.size();
  out = std::move(value);
  return absl::OkStatus();
}

absl::Status Parser::ParseString(std::string& out) {
  const size_t start = position_;
  Skip('"');
  while (true) {
    AppendPlainRun(out);
    if (Skip('"')) return absl::OkStatus();
    if (AtEnd()) return ErrorAt(start, "a string that is never closed");
    if (Next('\\')) {
      if (absl::Status status = ParseEscape(out); !status.ok()) return status;
      continue;
    }
    if (static_cast<unsigned char>(text_[position_]) < 0x20) {
      return ErrorAt(position_,
                     absl::StrCat("unescaped control character: ", Found()));
    }
    const size_t length = Utf8SequenceLength(text_.substr(position_));
    if (length == 0) {
      return ErrorAt(position_, absl::StrCat("invalid UTF-8: ", Found()));
    }
    out.append(text_.data() + position_, length);
    position_ += length;
  }
}

void Parser::AppendPlainRun(std::string& out) {
  const size_t start = position_;
  while (!AtEnd()) {
    const auto byte = static_cast<unsigned char>(text_[position_]);
    if (byte < 0x20 || byte > 0x7F || byte == '"' || byte == '\\') break;
    ++position_;
  }
  out.append(text_.data() + start, position_ - start);
}

absl::Status Parser::ParseEscape(std::string& out) {
  Skip('\\');
  if (AtEnd()) return Expected("an escape sequence");
  switch (text_[position_]) {
    case '"':
    case '\\':
    case '/':
      out.push_back(text_[position_]);
      break;
    case 'b':
      out.push_back('\b');
      break;
    case 'f':
      out.push_back('\f');
      break;
    case 'n':
      out.push_back('\n');
      break;
    case 'r':
      out.push_back('\r');
      break;
    case 't':
      out.push_back('\t');
      break;
    case 'u':
      return ParseUnicodeEscape(out);
    default:
      return Expected("one of \"\\/bfnrtu after a backslash");
  }
  ++position_;
  return absl::OkStatus();
}

absl::Status Parser::ParseUnicodeEscape(std::string& out) {
  const size_t backslash = position_ - 1;
  uint32_t code_point = 0;
  if (absl::Status status = ParseHexUnit(code_point); !status.ok()) {
    return status;
  }
  if (IsHighSurrogate(code_point) && Skip('\\')) {
    uint32_t low = 0;
    if (!Next('u')) return ErrorAt(backslash, "unpaired surrogate");
    if (absl::Status status = ParseHexUnit(low); !status.ok()) return status;
    if (!IsLowSurrogate(low)) return ErrorAt(backslash, "unpaired surrogate");
    code_point = 0x10000 + ((code_point - 0xD800) << 10) + (low - 0xDC00);
  }
  if (IsHighSurrogate(code_point) || IsLowSurrogate(code_point)) {
    return ErrorAt(backslash, "unpaired surrogate");
  }
  AppendUtf8(code_point, out);
  return absl::OkStatus();
}

absl::Status Parser::ParseHexUnit(uint32_t& unit) {
  Skip('u');
  unit = 0;
  for (int i = 0; i < 4; ++i) {
    if (AtEnd() ||
        !absl::ascii_isxdigit(static_cast<unsigned char>(text_[position_]))) {
      return Expected("four hexadecimal digits after \\u");
    }
    const char digit =
        absl::ascii_tolower(static_cast<unsigned char>(text_[position_]));
    unit = unit * 16 +
           static_cast<uint32_t>(digit <= '9' ? digit - '0' : digit - 'a' + 10);
    ++position_;
  }
  return absl::OkStatus();
}

bool Parser::Skip(char c) {
  if (!Next(c)) return false;
  ++position_;
  return true;
}

bool Parser::SkipDigits() {
  const size_t start = position_;
  while (NextIsDigit()) ++position_;
  return position_ > start;
}

void Parser::SkipWhitespace() {
  while (Skip(' ') || Skip('\t') || Skip('\n') || Skip('\r')) {
  }
}

absl::Status Parser::ErrorAt(size_t position, absl::string_view what) const {
  const absl::string_view before = text_.substr(0, position);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const size_t newline = before.rfind('\n');
  const absl::string_view on_line =
      newline == absl::string_view::npos ? before : before.substr(newline + 1);
  // Continuation bytes of UTF-8 don't count as characters.
  const auto column =
      1 + std::count_if(on_line.begin(), on_line.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
      });
  return absl::InvalidArgumentError(
      absl::StrCat("line ", line, ", column ", column, ": ", what));
}

absl::Status Parser::Expected(absl::string_view what) const {
  return ErrorAt(position_,
                 absl::StrCat("expected ", what, ", found ", Found()));
}

// A word such as NaN is shown as a whole, any other printable ASCII character
// alone, and everything else as a byte.
std::string Parser::Found() const {
  constexpr size_t kLongestWord = 16;
  if (AtEnd()) return "the end of the text";
  const absl::string_view rest = text_.substr(position_, kLongestWord);
  const auto word_end = std::find_if_not(rest.begin(), rest.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c));
  });
  const auto word_length = static_cast<size_t>(word_end - rest.begin());
  if (word_length > 0)
    return absl::StrCat("'", rest.substr(0, word_length), "'");
  const auto byte = static_cast<unsigned char>(rest[0]);
  if (absl::ascii_isprint(byte))
    return absl::StrCat("'", rest.substr(0, 1), "'");
  return absl::StrCat("byte 0x", absl::Hex(byte, absl::kZeroPad2));
}

}  // namespace

absl::StatusOr<Json::Value> ParseValue(absl::string_view text) {
  if (text.size() > kMaxTextBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("a JSON text of ", text.size(), " bytes; at most ",
                     kMaxTextBytes, " are taken"));
  }
  return Parser(text).ParseDocument();
}

}  // namespace byoshin::json

// Parses JSON as Data.
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/json/data_node.h"

namespace byoshin::json {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// The length of the UTF-8 sequence at the beginning of `text`; 0 if invalid.
size_t Utf8Length(absl::string_view text) {
  const auto byte = [text](size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  const size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, and what is beyond U+10FFFF.
  const unsigned second = byte(1);
  if (first == 0xe0 && second < 0xa0) return 0;
  if (first == 0xed && second > 0x9f) return 0;
  if (first == 0xf0 && second < 0x90) return 0;
  if (first == 0xf4 && second > 0x8f) return 0;
  return length;
}

void AppendUtf8(uint32_t code, std::string& out) {
  const auto add = [&out](uint32_t byte) { out += static_cast<char>(byte); };
  if (code < 0x80) {
    add(code);
  } else if (code < 0x800) {
    add(0xc0 | code >> 6);
    add(0x80 | (code & 0x3f));
  } else if (code < 0x10000) {
    add(0xe0 | code >> 12);
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  } else {
    add(0xf0 | code >> 18);
    add(0x80 | (code >> 12 & 0x3f));
    add(0x80 | (code >> 6 & 0x3f));
    add(0x80 | (code & 0x3f));
  }
}

}  // namespace

std::string ValidUtf8(absl::string_view text) {
  constexpr uint32_t kReplacement = 0xfffd;
  std::string valid;
  while (!text.empty()) {
    const size_t length = Utf8Length(text);
    if (length == 0) {
      AppendUtf8(kReplacement, valid);
      text.remove_prefix(1);
    } else {
      absl::StrAppend(&valid, text.substr(0, length));
      text.remove_prefix(length);
    }
  }
  return valid;
}

class DataParser {
 public:
  explicit DataParser(absl::string_view text)
      : begin_(text.data()), at_(begin_), end_(begin_ + text.size()) {}

  absl::StatusOr<Data> Parse() {
    Data value;
    SkipSpaces();
    if (!Value(0, value)) return Failure();
    SkipSpaces();
    if (at_ != end_) {
      Fail("expected the end of the text");
      return Failure();
    }
    return value;
  }

 private:
  // For a surrogate without its other half.
  static constexpr uint32_t kReplacement = 0xfffd;

  bool Fail(const char* what) {
    if (failure_ == nullptr) failure_ = what;
    return false;
  }

  absl::Status Failure() const {
    int line = 1;
    int column = 1;
    for (const char* c = begin_; c != at_; ++c) {
      if (*c == '\n') {
        ++line;
        column = 1;
      } else if ((static_cast<unsigned char>(*c) & 0xc0) != 0x80) {
        ++column;
      }
    }
    return absl::InvalidArgumentError(
        absl::StrCat("line ", line, ", column ", column, ": ", failure_));
  }

  void SkipSpaces() {
    while (at_ != end_ &&
           (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
      ++at_;
    }
  }

  bool Take(char c) {
    if (at_ == end_ || *at_ != c) return false;
    ++at_;
    return true;
  }

  bool Word(absl::string_view word, Data value, Data& out) {
    if (absl::string_view(at_, end_ - at_).substr(0, word.size()) != word) {
      return Fail("expected a value");
    }
    at_ += word.size();
    out = std::move(value);
    return true;
  }

  bool Value(size_t depth, Data& out) {
    if (at_ == end_) return Fail("unexpected end of the text");
    switch (*at_) {
      case '{':
        return Object(depth + 1, out);
      case '[':
        return Array(depth + 1, out);
      case '"':
        return String(out);
      case 't':
        return Word("true", Data::Boolean(true), out);
      case 'f':
        return Word("false", Data::Boolean(false), out);
      case 'n':
        return Word("null", Data(), out);
      default:
        return Number(out);
    }
  }

  bool Array(size_t depth, Data& out) {
    if (depth > kMaxDataDepth) return Fail("nested too deep");
    ++at_;
    const size_t first = elements_.size();
    SkipSpaces();
    if (!Take(']')) {
      while (true) {
        SkipSpaces();
        Data element;
        if (!Value(depth, element)) return false;
        elements_.push_back(std::move(element));
        SkipSpaces();
        if (Take(']')) break;
        if (!Take(',')) return Fail("expected ',' or ']'");
      }
    }
    out = Data(Data::Kind::kArray,
               internal::DataNode::NewArray(elements_.data() + first,
                                            elements_.size() - first));
    elements_.resize(first);
    return true;
  }

  bool Object(size_t depth, Data& out) {
    if (depth > kMaxDataDepth) return Fail("nested too deep");
    ++at_;
    const size_t first = members_.size();
    SkipSpaces();
    if (!Take('}')) {
      while (true) {
        SkipSpaces();
        Data::Member member;
        if (at_ == end_ || *at_ != '"') return Fail("expected a member's name");
        if (!String(member.key)) return false;
        SkipSpaces();
        if (!Take(':')) return Fail("expected ':'");
        SkipSpaces();
        if (!Value(depth, member.value)) return false;
        members_.push_back(std::move(member));
        SkipSpaces();
        if (Take('}')) break;
        if (!Take(',')) return Fail("expected ',' or '}'");
      }
    }
    out = Build(first);
    members_.resize(first);
    return true;
  }

  // The object of the members from `first` on, without repeated names.
  Data Build(size_t first) {
    const size_t count = members_.size() - first;
    if (count <= internal::kMaxUnindexedMembers && Distinct(first)) {
      return Data(Data::Kind::kObject, internal::DataNode::NewObject(
                                           members_.data() + first, count));
    }
    ObjectBuilder builder;
    for (size_t i = first; i < members_.size(); ++i) {
      builder.Set(members_[i].key, std::move(members_[i].value));
    }
    return std::move(builder).Build();
  }

  bool Distinct(size_t first) const {
    for (size_t i = first; i < members_.size(); ++i) {
      for (size_t j = i + 1; j < members_.size(); ++j) {
        if (members_[i].name() == members_[j].name()) return false;
      }
    }
    return true;
  }

  bool String(Data& out) {
    ++at_;
    const char* const first = at_;
    if (!SkipPlain()) return false;
    if (*at_ == '"') {
      const absl::string_view text(first, at_ - first);
      ++at_;
      out = Data(Data::Kind::kString,
                 internal::DataNode::NewString(text, text.size() + 2));
      return true;
    }
    text_.assign(first, at_);
    while (*at_ != '"') {
      if (!Escape()) return false;
      const char* const plain = at_;
      if (!SkipPlain()) return false;
      text_.append(plain, at_);
    }
    ++at_;
    out = Data::String(text_);
    return true;
  }

  // Goes to the next quotation mark or backslash.
  bool SkipPlain() {
    while (at_ != end_) {
      const auto c = static_cast<unsigned char>(*at_);
      if (c == '"' || c == '\\') return true;
      if (c < 0x20) return Fail("a control character must be escaped");
      if (c < 0x80) {
        ++at_;
        continue;
      }
      const size_t length = Utf8Length(absl::string_view(at_, end_ - at_));
      if (length == 0) return Fail("the text is not UTF-8");
      at_ += length;
    }
    return Fail("unexpected end of a string");
  }

  // Appends what the escape sequence here stands for.
  bool Escape() {
    if (end_ - at_ < 2) return Fail("unexpected end of a string");
    static constexpr absl::string_view kLetters = "\"\\/bfnrt";
    static constexpr absl::string_view kMeanings = "\"\\/\b\f\n\r\t";
    const size_t found = kLetters.find(at_[1]);
    if (found != absl::string_view::npos) {
      text_ += kMeanings[found];
      at_ += 2;
      return true;
    }
    const std::optional<uint32_t> unit = CodeUnit();
    if (!unit) return Fail("invalid escape sequence");
    at_ += 6;
    uint32_t code = *unit;
    if (code >= 0xd800 && code < 0xe000) {
      const std::optional<uint32_t> low = CodeUnit();
      if (code < 0xdc00 && low && *low >= 0xdc00 && *low < 0xe000) {
        code = 0x10000 + ((code - 0xd800) << 10) + (*low - 0xdc00);
        at_ += 6;
      } else {
        code = kReplacement;
      }
    }
    AppendUtf8(code, text_);
    return true;
  }

  // The XXXX of the \uXXXX that stands here.
  std::optional<uint32_t> CodeUnit() const {
    if (end_ - at_ < 6 || at_[0] != '\\' || at_[1] != 'u') return std::nullopt;
    uint32_t unit = 0;
    const auto [end, error] = std::from_chars(at_ + 2, at_ + 6, unit, 16);
    if (error != std::errc() || end != at_ + 6) return std::nullopt;
    return unit;
  }

  bool SkipDigits() {
    if (at_ == end_ || !IsDigit(*at_)) return Fail("expected a digit");
    while (at_ != end_ && IsDigit(*at_)) ++at_;
    return true;
  }

  bool Number(Data& out) {
    const char* const first = at_;
    if (*at_ != '-' && !IsDigit(*at_)) return Fail("expected a value");
    if (*at_ == '-') ++at_;
    if (at_ != end_ && *at_ == '0') {
      ++at_;
      if (at_ != end_ && IsDigit(*at_)) {
        return Fail("a number can't begin with 0");
      }
    } else if (!SkipDigits()) {
      return false;
    }
    if (at_ == end_ || (*at_ != '.' && *at_ != 'e' && *at_ != 'E')) {
      int64_t value = 0;
      const auto [end, error] = std::from_chars(first, at_, value);
      out = error == std::errc()
                ? Data::Integer(value)
                : Data::BigNumber(absl::string_view(first, at_ - first));
      return true;
    }
    if (Take('.') && !SkipDigits()) return false;
    if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
      ++at_;
      if (at_ != end_ && (*at_ == '+' || *at_ == '-')) ++at_;
      if (!SkipDigits()) return false;
    }
    double value = 0;
    // Unlike std::from_chars, it gives 0 for what is too small.
    if (!absl::SimpleAtod(absl::string_view(first, at_ - first), &value) ||
        !std::isfinite(value)) {
      return Fail("a number is too large");
    }
    out = Data::Double(value);
    return true;
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  const char* failure_ = nullptr;
  // Those of the arrays and objects that are not complete yet.
  std::vector<Data> elements_;
  std::vector<Data::Member> members_;
  std::string text_;
};

absl::StatusOr<Data> Data::Parse(absl::string_view text) {
  return DataParser(text).Parse();
}

}  // namespace byoshin::json

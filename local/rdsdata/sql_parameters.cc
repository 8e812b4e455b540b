#include "local/rdsdata/sql_parameters.h"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::local::rdsdata {
namespace {

bool IsSqlSpace(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' ||
         c == '\v';
}

bool IsDigit(char c) { return c >= '0' && c <= '9'; }

bool IsIdentifierStart(char c) {
  return absl::ascii_isalpha(static_cast<unsigned char>(c)) || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Also the characters of a parameter's name.
bool IsNameCharacter(char c) { return IsIdentifierStart(c) || IsDigit(c); }

// Whether the text before a colon ends an operand, so that the colon can only
// separate the bounds of a slice.
enum class Before {
  kOther,    // an operator, a comma, the start
  kOperand,  // a name, a literal, a closing bracket
  kArray,    // the keyword ARRAY
  kOpening,  // an opening square bracket
};

class Scanner {
 public:
  Scanner(absl::string_view sql,
          const std::function<bool(absl::string_view)>& is_given)
      : sql_(sql), is_given_(is_given) {
    numbered_.sql.reserve(sql.size());
  }

  NumberedSql Run() {
    while (at_ < sql_.size()) Step();
    return std::move(numbered_);
  }

 private:
  char Peek(std::size_t ahead = 0) const {
    return at_ + ahead < sql_.size() ? sql_[at_ + ahead] : '\0';
  }
  // Copies up to `end`.
  void CopyTo(std::size_t end) {
    if (end > sql_.size()) end = sql_.size();
    absl::StrAppend(&numbered_.sql, sql_.substr(at_, end - at_));
    at_ = end;
  }

  void Step() {
    const char c = Peek();
    if (IsSqlSpace(c)) return CopyTo(at_ + 1);
    if (c == '-' && Peek(1) == '-') return CopyTo(EndOfLine(at_));
    if (c == '/' && Peek(1) == '*') return CopyTo(EndOfComment(at_));
    if (c == ':') return Colon();
    if (c == '\'') return Operand(EndOfQuoted(at_, '\''));
    if (c == '"') return Operand(EndOfQuoted(at_, '"'));
    if (c == '$') return Dollar();
    if (IsIdentifierStart(c)) return Word();
    if (IsDigit(c)) return Operand(EndOfNumber(at_));
    Bracket(c);
    CopyTo(at_ + 1);
  }

  void Operand(std::size_t end) {
    CopyTo(end);
    before_ = Before::kOperand;
  }

  void Word() {
    std::size_t end = at_;
    while (end < sql_.size() &&
           (IsNameCharacter(sql_[end]) || sql_[end] == '$')) {
      ++end;
    }
    const absl::string_view word = sql_.substr(at_, end - at_);
    const char next = end < sql_.size() ? sql_[end] : '\0';
    if (next == '\'' && absl::EqualsIgnoreCase(word, "e")) {
      return Operand(EndOfEscapedString(end));
    }
    // Literals with other prefixes end as those without.
    CopyTo(end);
    before_ = absl::EqualsIgnoreCase(word, "array") ? Before::kArray
                                                    : Before::kOperand;
  }

  // $1, $$ $$ or $tag$ $tag$.
  void Dollar() {
    std::size_t end = at_ + 1;
    if (IsDigit(Peek(1))) {
      while (end < sql_.size() && IsDigit(sql_[end])) ++end;
      if (numbered_.own_number.empty()) {
        numbered_.own_number = std::string(sql_.substr(at_, end - at_));
      }
      return Operand(end);
    }
    if (end < sql_.size() && IsIdentifierStart(sql_[end])) {
      while (end < sql_.size() && IsNameCharacter(sql_[end])) ++end;
    }
    if (end >= sql_.size() || sql_[end] != '$') {
      before_ = Before::kOther;
      return CopyTo(at_ + 1);
    }
    const absl::string_view tag = sql_.substr(at_, end + 1 - at_);
    const std::size_t close = sql_.find(tag, end + 1);
    Operand(close == absl::string_view::npos ? sql_.size()
                                             : close + tag.size());
  }

  void Colon() {
    if (Peek(1) == ':' || Peek(1) == '=') {
      before_ = Before::kOther;
      return CopyTo(at_ + 2);
    }
    std::size_t end = at_ + 1;
    while (end < sql_.size() && IsNameCharacter(sql_[end])) ++end;
    const absl::string_view name = sql_.substr(at_ + 1, end - at_ - 1);
    if (name.empty() || SeparatesBounds(name)) {
      before_ = Before::kOther;
      return CopyTo(at_ + 1);
    }
    Parameter(std::string(name));
    at_ = end;
  }

  bool SeparatesBounds(absl::string_view name) const {
    if (brackets_.empty() || brackets_.back() != Bracketing::kSubscript) {
      return false;
    }
    if (before_ == Before::kOperand) return true;
    return before_ == Before::kOpening && !is_given_(name);
  }

  void Parameter(const std::string& name) {
    const auto [found, added] = numbers_.try_emplace(name, numbers_.size() + 1);
    if (added) numbered_.names.push_back(name);
    // "x$1" would be one name.
    if (!numbered_.sql.empty() && (IsNameCharacter(numbered_.sql.back()) ||
                                   numbered_.sql.back() == '$')) {
      numbered_.sql += ' ';
    }
    absl::StrAppend(&numbered_.sql, "$", found->second);
    before_ = Before::kOperand;
  }

  // Keeps track of what the innermost bracket is.
  void Bracket(char c) {
    const Before before = before_;
    before_ = Before::kOther;
    if (c == '(') brackets_.push_back(Bracketing::kOther);
    if (c == '[') {
      brackets_.push_back(before == Before::kOperand ? Bracketing::kSubscript
                                                     : Bracketing::kOther);
      before_ = Before::kOpening;
    }
    if (c == ')' || c == ']') {
      if (!brackets_.empty()) brackets_.pop_back();
      before_ = Before::kOperand;
    }
  }

  std::size_t EndOfLine(std::size_t from) const {
    const std::size_t end = sql_.find_first_of("\r\n", from);
    return end == absl::string_view::npos ? sql_.size() : end;
  }

  // Comments nest.
  std::size_t EndOfComment(std::size_t from) const {
    int depth = 0;
    for (std::size_t i = from; i + 1 < sql_.size(); ++i) {
      if (sql_[i] == '/' && sql_[i + 1] == '*') {
        ++depth;
        ++i;
      } else if (sql_[i] == '*' && sql_[i + 1] == '/') {
        ++i;
        if (--depth == 0) return i + 1;
      }
    }
    return sql_.size();
  }

  // A quotation mark inside is doubled.
  std::size_t EndOfQuoted(std::size_t from, char quote) const {
    for (std::size_t i = from + 1; i < sql_.size(); ++i) {
      if (sql_[i] != quote) continue;
      if (i + 1 >= sql_.size() || sql_[i + 1] != quote) return i + 1;
      ++i;
    }
    return sql_.size();
  }

  // `from` is the quotation mark of E''.
  std::size_t EndOfEscapedString(std::size_t from) const {
    for (std::size_t i = from + 1; i < sql_.size(); ++i) {
      if (sql_[i] == '\\') {
        ++i;
      } else if (sql_[i] == '\'') {
        if (i + 1 < sql_.size() && sql_[i + 1] == '\'') {
          ++i;
        } else if (const std::size_t next = ContinuationAt(i + 1); next > 0) {
          i = next;
        } else {
          return i + 1;
        }
      }
    }
    return sql_.size();
  }

  // Literals that only space with a line break separates are one. Returns the
  // opening mark of the next part; 0 if there is none.
  std::size_t ContinuationAt(std::size_t from) const {
    bool line_break = false;
    std::size_t i = from;
    while (i < sql_.size()) {
      if (IsSqlSpace(sql_[i])) {
        line_break = line_break || sql_[i] == '\n' || sql_[i] == '\r';
        ++i;
      } else if (absl::StartsWith(sql_.substr(i), "--")) {
        i = EndOfLine(i);
      } else {
        break;
      }
    }
    return line_break && i < sql_.size() && sql_[i] == '\'' ? i : 0;
  }

  // Digits, and what can belong to a number: 1.5e3, 0x1F, 1_000.
  std::size_t EndOfNumber(std::size_t from) const {
    std::size_t end = from;
    while (end < sql_.size() &&
           (IsNameCharacter(sql_[end]) || sql_[end] == '.')) {
      ++end;
    }
    return end;
  }

  enum class Bracketing { kSubscript, kOther };

  const absl::string_view sql_;
  const std::function<bool(absl::string_view)>& is_given_;
  std::size_t at_ = 0;
  Before before_ = Before::kOther;
  std::vector<Bracketing> brackets_;
  std::map<std::string, std::size_t> numbers_;
  NumberedSql numbered_;
};

}  // namespace

NumberedSql NumberParameters(
    absl::string_view sql,
    const std::function<bool(absl::string_view name)>& is_given) {
  return Scanner(sql, is_given).Run();
}

}  // namespace byoshin::local::rdsdata

#include "core/generation/sql_split.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace byoshin::generation {
namespace {

bool IsIdentifierByte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return absl::ascii_isalnum(byte) || c == '_' || byte >= 0x80;
}

// Reads SQL piece by piece. A piece is a string, a quoted identifier, a
// comment, a word, or one other character.
class SqlScanner {
 public:
  explicit SqlScanner(absl::string_view sql) : sql_(sql) {}

  enum class Piece { kEnd, kSpace, kSemicolon, kOther, kUnterminated };

  // Moves past the next piece.
  Piece Next();
  std::size_t position() const { return position_; }

 private:
  absl::string_view rest() const { return sql_.substr(position_); }
  Piece SkipPast(absl::string_view end, Piece piece);
  Piece SkipQuoted(char quote, bool has_escapes);
  Piece SkipBlockComment();
  Piece SkipWord();
  // The tag at the position, such as "$$" or "$body$"; empty if there is none.
  absl::string_view DollarTag() const;

  const absl::string_view sql_;
  std::size_t position_ = 0;
};

SqlScanner::Piece SqlScanner::SkipPast(absl::string_view end, Piece piece) {
  const std::size_t found = sql_.find(end, position_);
  if (found == absl::string_view::npos) return Piece::kUnterminated;
  position_ = found + end.size();
  return piece;
}

// A doubled quote is read as the end of one string and the start of another,
// which comes to the same.
SqlScanner::Piece SqlScanner::SkipQuoted(char quote, bool has_escapes) {
  for (std::size_t i = position_ + 1; i < sql_.size(); ++i) {
    if (has_escapes && sql_[i] == '\\') {
      ++i;
    } else if (sql_[i] == quote) {
      // Within E'…', a doubled quote does not end the escapes.
      if (has_escapes && i + 1 < sql_.size() && sql_[i + 1] == quote) {
        ++i;
        continue;
      }
      position_ = i + 1;
      return Piece::kOther;
    }
  }
  return Piece::kUnterminated;
}

SqlScanner::Piece SqlScanner::SkipBlockComment() {
  int depth = 0;
  for (std::size_t i = position_; i < sql_.size(); ++i) {
    const absl::string_view two = sql_.substr(i, 2);
    if (two == "/*") {
      ++depth;
      ++i;
    } else if (two == "*/") {
      ++i;
      if (--depth == 0) {
        position_ = i + 1;
        return Piece::kSpace;
      }
    }
  }
  return Piece::kUnterminated;
}

SqlScanner::Piece SqlScanner::SkipWord() {
  const bool is_escape_prefix = rest().size() > 1 &&
                                (rest()[0] == 'E' || rest()[0] == 'e') &&
                                rest()[1] == '\'';
  if (is_escape_prefix) {
    ++position_;
    return SkipQuoted('\'', /*has_escapes=*/true);
  }
  // A "$" within a word does not start a string.
  while (position_ < sql_.size() &&
         (IsIdentifierByte(sql_[position_]) || sql_[position_] == '$')) {
    ++position_;
  }
  return Piece::kOther;
}

absl::string_view SqlScanner::DollarTag() const {
  std::size_t i = 1;
  while (i < rest().size() && IsIdentifierByte(rest()[i])) ++i;
  const bool is_tag =
      i < rest().size() && rest()[i] == '$' &&
      (i == 1 || !absl::ascii_isdigit(static_cast<unsigned char>(rest()[1])));
  return is_tag ? rest().substr(0, i + 1) : absl::string_view();
}

SqlScanner::Piece SqlScanner::Next() {
  if (rest().empty()) return Piece::kEnd;
  const char c = rest()[0];
  if (absl::StartsWith(rest(), "--")) {
    const std::size_t line = sql_.find('\n', position_);
    position_ = line == absl::string_view::npos ? sql_.size() : line + 1;
    return Piece::kSpace;
  }
  if (absl::StartsWith(rest(), "/*")) return SkipBlockComment();
  if (c == '\'' || c == '"') return SkipQuoted(c, /*has_escapes=*/false);
  if (c == '$') {
    const absl::string_view tag = DollarTag();
    if (!tag.empty()) {
      position_ += tag.size();
      return SkipPast(tag, Piece::kOther);
    }
  }
  if (IsIdentifierByte(c)) return SkipWord();
  ++position_;
  if (c == ';') return Piece::kSemicolon;
  return absl::ascii_isspace(static_cast<unsigned char>(c)) ? Piece::kSpace
                                                            : Piece::kOther;
}

}  // namespace

absl::StatusOr<std::vector<std::string>> SplitStatements(
    absl::string_view sql) {
  using Piece = SqlScanner::Piece;
  std::vector<std::string> statements;
  SqlScanner scanner(sql);
  std::size_t start = 0;
  bool has_content = false;
  while (true) {
    const std::size_t before = scanner.position();
    const Piece piece = scanner.Next();
    if (piece == Piece::kUnterminated) {
      return absl::InvalidArgumentError(absl::StrCat(
          "line ", 1 + std::count(sql.begin(), sql.begin() + before, '\n'),
          ": a string, quoted identifier or comment does not end"));
    }
    if (piece == Piece::kOther) has_content = true;
    if (piece != Piece::kEnd && piece != Piece::kSemicolon) continue;
    if (has_content) {
      statements.emplace_back(
          absl::StripAsciiWhitespace(sql.substr(start, before - start)));
    }
    if (piece == Piece::kEnd) return statements;
    start = scanner.position();
    has_content = false;
  }
}

}  // namespace byoshin::generation

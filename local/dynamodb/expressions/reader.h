// The common part of all expression parsers: tokens, paths, placeholders, and
// the errors that AWS reports only at the end.
//
//   ExpressionReader reader({.label = "ProjectionExpression", .text = text},
//                           context);
//   if (absl::Status status = reader.CheckText(); !status.ok()) return status;
//   absl::StatusOr<DocumentPath> path = reader.ReadPath();
//   if (!path.ok()) return path.status();
//   if (!reader.AtEnd()) return reader.SyntaxError();
#ifndef BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_READER_H_
#define BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_READER_H_

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/lexer.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html#limits-expression-parameters
inline constexpr size_t kMaxExpressionBytes = 4096;
inline constexpr int kMaxOperators = 300;
inline constexpr size_t kMaxInOperands = 100;

// The maximum nesting of parentheses and functions: more than kMaxOperators
// allow without redundancy, and few enough for the stack.
inline constexpr int kMaxParseDepth = 400;

struct ExpressionText {
  // AWS's name in errors: "ConditionExpression".
  absl::string_view label{};
  absl::string_view text{};
  // Keywords of this expression, in capitals; they match in any case.
  absl::Span<const absl::string_view> keywords{};
};

// Not thread-safe.
class ExpressionReader {
 public:
  // Errors that do not end the parsing: the first of each kind, without
  // "Invalid ...Expression: ". Empty if there is none.
  struct Findings {
    std::string reserved_word{};
    std::string undefined_name{};
    std::string undefined_value{};
    std::string undefined{};  // whichever of both came first
    std::string deep_path{};
    std::string operators{};  // too many of them
  };

  ExpressionReader(const ExpressionText& expression,
                   ExpressionContext& context);

  // AWS's error if the expression is empty or too long.
  absl::Status CheckText() const;

  const Token& Peek() const { return tokens_[at_]; }
  bool AtEnd() const { return Peek().kind == Token::Kind::kEnd; }
  bool AtSymbol(absl::string_view symbol) const;
  bool AtKeyword(absl::string_view keyword) const;
  // Whether a name that is not a keyword, or a #name, follows.
  bool AtPath() const;
  // Whether a name and then "(" follow.
  bool AtFunction() const;

  void Skip();
  // Skip it if it follows.
  bool TakeSymbol(absl::string_view symbol);
  bool TakeKeyword(absl::string_view keyword);
  // A syntax error if it does not follow.
  absl::Status ExpectSymbol(absl::string_view symbol);

  absl::StatusOr<DocumentPath> ReadPath();
  // Reads the rest of a path after its first element: .name and [index].
  absl::Status ReadPathTail(DocumentPath& path);
  // A :value must follow. If it is not defined, returns an arbitrary value.
  std::shared_ptr<const AttributeValue> ReadValue();

  // AWS limits their number.
  void CountOperator();

  // A syntax error at the next token.
  absl::Status SyntaxError() const;
  // "Invalid <label>: <message>"
  absl::Status Error(absl::string_view message) const;
  // The error of the first message that is not empty, or OK.
  absl::Status FirstError(absl::Span<const std::string> messages) const;

  const Findings& findings() const { return findings_; }

 private:
  absl::StatusOr<PathElement> ReadName();
  absl::StatusOr<PathElement> ReadIndex();

  ExpressionText expression_;
  ExpressionContext& context_;
  std::vector<Token> tokens_;  // the last is kEnd, and is never skipped
  size_t at_ = 0;
  int operators_ = 0;
  Findings findings_;
};

// Keeps the first error of a kind.
void NoteFirst(std::string& finding, std::string message);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_READER_H_

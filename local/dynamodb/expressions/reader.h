// What the parsers of all expressions share: tokens one after the other, paths,
// placeholders, and the errors that AWS reports only once it has read all.
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

// Parentheses and functions inside one another: more than kMaxOperators allow
// without being redundant, and few enough for the stack.
inline constexpr int kMaxParseDepth = 400;

struct ExpressionText {
  // What AWS calls it in errors: "ConditionExpression".
  absl::string_view label{};
  absl::string_view text{};
  // Words in capitals that are no names in this expression, in any case of
  // letters.
  absl::Span<const absl::string_view> keywords{};
};

// Belongs to one thread.
class ExpressionReader {
 public:
  // Problems that do not end the reading: the first of each kind, without
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

  // AWS's error if there is nothing to read, or too much.
  absl::Status CheckText() const;

  const Token& Peek() const { return tokens_[at_]; }
  bool AtEnd() const { return Peek().kind == Token::Kind::kEnd; }
  bool AtSymbol(absl::string_view symbol) const;
  bool AtKeyword(absl::string_view keyword) const;
  // Whether a name follows that is no keyword, or a #name.
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
  // What follows a path's first element, if anything: .name and [index].
  absl::Status ReadPathTail(DocumentPath& path);
  // A :value must follow. If it is not defined, some value stands for it.
  std::shared_ptr<const AttributeValue> ReadValue();

  // AWS limits how many there are.
  void CountOperator();

  // At the token that follows.
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

// Keeps the first of the problems of a kind.
void NoteFirst(std::string& finding, std::string message);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_EXPRESSIONS_READER_H_

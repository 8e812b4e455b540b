#include "local/dynamodb/expressions/condition_parser.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_checks.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/lexer.h"
#include "local/dynamodb/expressions/reader.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {
namespace {

using Kind = ConditionNode::Kind;

constexpr std::array<absl::string_view, 5> kKeywords = {"BETWEEN", "IN", "AND",
                                                        "OR", "NOT"};

constexpr std::array<Kind, 6> kComparators = {
    Kind::kEqual,          Kind::kNotEqual, Kind::kLessOrEqual,
    Kind::kGreaterOrEqual, Kind::kLess,     Kind::kGreater};

// Recursive descent. An operand and a condition can't be distinguished until
// the token after it: "(a) = :v" and "(a = :v)" start alike.
class ConditionParser {
 public:
  ConditionParser(absl::string_view label, absl::string_view text,
                  ExpressionContext& context)
      : reader_({.label = label, .text = text, .keywords = kKeywords}, context),
        checks_(label) {}

  absl::StatusOr<ParsedCondition> Parse();

 private:
  absl::StatusOr<ConditionTerm> ParseOr(int depth);
  absl::StatusOr<ConditionTerm> ParseAnd(int depth);
  absl::StatusOr<ConditionTerm> ParseNot(int depth);
  absl::StatusOr<ConditionTerm> ParseComparison(int depth);
  absl::StatusOr<ConditionTerm> ParseBetween(ConditionTerm left, int depth);
  absl::StatusOr<ConditionTerm> ParseIn(ConditionTerm left, int depth);
  absl::StatusOr<ConditionTerm> ParsePrimary(int depth);
  absl::StatusOr<ConditionTerm> ParseGroup(int depth);
  absl::StatusOr<ConditionTerm> ParseFunction(int depth);
  absl::StatusOr<ConditionTerm> ParsePath();
  absl::StatusOr<ConditionTerm> ParseOperand(int depth);
  absl::StatusOr<std::vector<ConditionTerm>> ParseOperands(int depth);

  // Parses AND or OR of `first` and what follows.
  absl::StatusOr<ConditionTerm> ParseChain(
      Kind kind, absl::string_view keyword, int depth,
      absl::StatusOr<ConditionTerm> (ConditionParser::*next)(int));

  // An error unless the term is a condition.
  absl::Status RequireCondition(const ConditionTerm& term);
  // A comparison, with its checks done.
  ConditionTerm Compare(Kind kind, std::vector<ConditionTerm> terms);

  ExpressionReader reader_;
  ConditionChecks checks_;
  std::vector<DocumentPath> paths_;
};

absl::StatusOr<ParsedCondition> ConditionParser::Parse() {
  if (absl::Status status = reader_.CheckText(); !status.ok()) return status;
  absl::StatusOr<ConditionTerm> term = ParseOr(0);
  if (!term.ok()) return term.status();
  if (term->kind == ConditionTerm::Kind::kOperand || !reader_.AtEnd()) {
    return reader_.SyntaxError();
  }
  if (absl::Status status = RequireCondition(*term); !status.ok()) {
    return status;
  }
  const ExpressionReader::Findings& found = reader_.findings();
  if (absl::Status status = reader_.FirstError(
          {found.operators, checks_.redundant_parentheses(),
           checks_.unknown_function(), checks_.misused_function(),
           found.reserved_word, checks_.condition(), found.deep_path});
      !status.ok()) {
    return status;
  }
  return ParsedCondition{.root = std::move(term->node),
                         .paths = std::move(paths_)};
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseChain(
    Kind kind, absl::string_view keyword, int depth,
    absl::StatusOr<ConditionTerm> (ConditionParser::*next)(int)) {
  absl::StatusOr<ConditionTerm> first = (this->*next)(depth);
  if (!first.ok() || !reader_.AtKeyword(keyword)) return first;
  ConditionTerm chain{.kind = ConditionTerm::Kind::kCondition};
  chain.node.kind = kind;
  if (absl::Status status = RequireCondition(*first); !status.ok()) {
    return status;
  }
  chain.node.children.push_back(std::move(first->node));
  while (reader_.TakeKeyword(keyword)) {
    reader_.CountOperator();
    absl::StatusOr<ConditionTerm> term = (this->*next)(depth);
    if (!term.ok()) return term.status();
    if (absl::Status status = RequireCondition(*term); !status.ok()) {
      return status;
    }
    chain.node.children.push_back(std::move(term->node));
  }
  return chain;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseOr(int depth) {
  return ParseChain(Kind::kOr, "OR", depth, &ConditionParser::ParseAnd);
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseAnd(int depth) {
  return ParseChain(Kind::kAnd, "AND", depth, &ConditionParser::ParseNot);
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseNot(int depth) {
  // In a loop, since hundreds may follow one another.
  int count = 0;
  while (reader_.TakeKeyword("NOT")) {
    reader_.CountOperator();
    ++count;
  }
  absl::StatusOr<ConditionTerm> term = ParseComparison(depth);
  if (!term.ok() || count == 0) return term;
  if (absl::Status status = RequireCondition(*term); !status.ok()) {
    return status;
  }
  if (count % 2 == 0) {
    term->kind = ConditionTerm::Kind::kCondition;
    term->parenthesized = false;
    return term;
  }
  ConditionTerm negation{.kind = ConditionTerm::Kind::kCondition};
  negation.node.kind = Kind::kNot;
  negation.node.children.push_back(std::move(term->node));
  return negation;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseComparison(int depth) {
  absl::StatusOr<ConditionTerm> left = ParsePrimary(depth);
  if (!left.ok() || left->kind == ConditionTerm::Kind::kCondition) return left;
  if (reader_.TakeKeyword("BETWEEN")) {
    return ParseBetween(*std::move(left), depth);
  }
  if (reader_.TakeKeyword("IN")) return ParseIn(*std::move(left), depth);
  for (Kind kind : kComparators) {
    if (!reader_.TakeSymbol(OperatorName(kind))) continue;
    reader_.CountOperator();
    absl::StatusOr<ConditionTerm> right = ParseOperand(depth);
    if (!right.ok()) return right.status();
    std::vector<ConditionTerm> terms;
    terms.push_back(*std::move(left));
    terms.push_back(*std::move(right));
    return Compare(kind, std::move(terms));
  }
  return left;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseBetween(ConditionTerm left,
                                                            int depth) {
  reader_.CountOperator();
  absl::StatusOr<ConditionTerm> lower = ParseOperand(depth);
  if (!lower.ok()) return lower.status();
  if (!reader_.TakeKeyword("AND")) return reader_.SyntaxError();
  absl::StatusOr<ConditionTerm> upper = ParseOperand(depth);
  if (!upper.ok()) return upper.status();
  std::vector<ConditionTerm> terms;
  terms.push_back(std::move(left));
  terms.push_back(*std::move(lower));
  terms.push_back(*std::move(upper));
  return Compare(Kind::kBetween, std::move(terms));
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseIn(ConditionTerm left,
                                                       int depth) {
  reader_.CountOperator();
  absl::StatusOr<std::vector<ConditionTerm>> terms = ParseOperands(depth);
  if (!terms.ok()) return terms.status();
  terms->insert(terms->begin(), std::move(left));
  return Compare(Kind::kIn, *std::move(terms));
}

ConditionTerm ConditionParser::Compare(Kind kind,
                                       std::vector<ConditionTerm> terms) {
  checks_.CheckComparison(kind, terms);
  checks_.FinishCondition(reader_.findings().undefined);
  ConditionTerm condition{.kind = ConditionTerm::Kind::kCondition};
  condition.node.kind = kind;
  for (ConditionTerm& term : terms) {
    condition.node.operands.push_back(std::move(term.operand));
  }
  return condition;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParsePrimary(int depth) {
  if (reader_.AtSymbol("(")) return ParseGroup(depth + 1);
  if (reader_.AtFunction()) return ParseFunction(depth + 1);
  if (reader_.AtPath()) return ParsePath();
  if (reader_.Peek().kind == Token::Kind::kValueRef) {
    ConditionTerm term;
    term.operand.value = reader_.ReadValue();
    term.type = term.operand.value->type();
    return term;
  }
  return reader_.SyntaxError();
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseGroup(int depth) {
  // More than this can't be useful.
  if (depth > kMaxParseDepth) {
    checks_.NoteRedundantParentheses();
    return reader_.Error(checks_.redundant_parentheses());
  }
  reader_.Skip();
  absl::StatusOr<ConditionTerm> term = ParseOr(depth);
  if (!term.ok()) return term;
  if (absl::Status status = reader_.ExpectSymbol(")"); !status.ok()) {
    return status;
  }
  if (term->parenthesized) checks_.NoteRedundantParentheses();
  term->parenthesized = true;
  if (term->IsPath() && (reader_.AtSymbol(".") || reader_.AtSymbol("["))) {
    // (a).b is a.b
    if (absl::Status status = reader_.ReadPathTail(term->operand.path);
        !status.ok()) {
      return status;
    }
    term->parenthesized = false;
    paths_.push_back(term->operand.path);
  }
  return term;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseFunction(int depth) {
  ConditionTerm term{.kind = ConditionTerm::Kind::kFunction};
  term.function = std::string(reader_.Peek().text);
  if (depth > kMaxParseDepth) {
    checks_.CheckFunction(term, {});
    return reader_.FirstError(
        {checks_.unknown_function(), ConditionChecks::Misuse(term.function)});
  }
  reader_.Skip();
  reader_.CountOperator();
  absl::StatusOr<std::vector<ConditionTerm>> arguments = ParseOperands(depth);
  if (!arguments.ok()) return arguments.status();
  checks_.CheckFunction(term, *arguments);
  if (term.function == kSizeFunction) {
    term.type = AttributeType::kNumber;
    term.operand = std::move(arguments->front().operand);
    term.operand.size = true;
    return term;
  }
  term.type = AttributeType::kBool;
  for (ConditionTerm& argument : *arguments) {
    term.node.operands.push_back(std::move(argument.operand));
  }
  return term;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParsePath() {
  absl::StatusOr<DocumentPath> path = reader_.ReadPath();
  if (!path.ok()) return path.status();
  paths_.push_back(*path);
  ConditionTerm term;
  term.operand.path = *std::move(path);
  return term;
}

absl::StatusOr<ConditionTerm> ConditionParser::ParseOperand(int depth) {
  absl::StatusOr<ConditionTerm> term = ParsePrimary(depth);
  if (term.ok() && term->kind == ConditionTerm::Kind::kCondition) {
    return reader_.SyntaxError();
  }
  return term;
}

absl::StatusOr<std::vector<ConditionTerm>> ConditionParser::ParseOperands(
    int depth) {
  if (absl::Status status = reader_.ExpectSymbol("("); !status.ok()) {
    return status;
  }
  std::vector<ConditionTerm> terms;
  do {
    absl::StatusOr<ConditionTerm> term = ParseOperand(depth);
    if (!term.ok()) return term.status();
    terms.push_back(*std::move(term));
  } while (reader_.TakeSymbol(","));
  if (absl::Status status = reader_.ExpectSymbol(")"); !status.ok()) {
    return status;
  }
  return terms;
}

absl::Status ConditionParser::RequireCondition(const ConditionTerm& term) {
  switch (term.kind) {
    case ConditionTerm::Kind::kCondition:
      return absl::OkStatus();
    case ConditionTerm::Kind::kOperand:
      return reader_.SyntaxError();
    case ConditionTerm::Kind::kFunction:
      break;
  }
  if (term.function == kSizeFunction) checks_.NoteMisuse(term.function);
  checks_.FinishCondition(reader_.findings().undefined);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<ParsedCondition> ParseCondition(absl::string_view label,
                                               absl::string_view text,
                                               ExpressionContext& context) {
  return ConditionParser(label, text, context).Parse();
}

}  // namespace byoshin::local::dynamodb

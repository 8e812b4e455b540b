#include "local/dynamodb/expressions/reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/lexer.h"
#include "local/dynamodb/expressions/reserved_words.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {}  // namespace

void NoteFirst(std::string& finding, std::string message) {
  if (finding.empty()) finding = std::move(message);
}

ExpressionReader::ExpressionReader(const ExpressionText& expression,
                                   ExpressionContext& context)
    : expression_(expression), context_(context) {
  // An expression that is too long is rejected before it is split into tokens.
  tokens_ = Tokenize(expression.text.substr(
      0,
      expression.text.size() > kMaxExpressionBytes ? 0 : kMaxExpressionBytes));
}

absl::Status ExpressionReader::CheckText() const {
  if (expression_.text.empty())
    return Error("The expression can not be empty;");
  if (expression_.text.size() > kMaxExpressionBytes) {
    return Error(absl::StrCat(
        "Expression size has exceeded the maximum allowed size; expression "
        "size: ",
        expression_.text.size()));
  }
  return absl::OkStatus();
}

bool ExpressionReader::AtSymbol(absl::string_view symbol) const {
  return Peek().kind == Token::Kind::kSymbol && Peek().text == symbol;
}

bool ExpressionReader::AtKeyword(absl::string_view keyword) const {
  return Peek().kind == Token::Kind::kName &&
         absl::EqualsIgnoreCase(Peek().text, keyword);
}

bool ExpressionReader::AtPath() const {
  if (Peek().kind == Token::Kind::kNameRef) return true;
  return Peek().kind == Token::Kind::kName &&
         std::none_of(expression_.keywords.begin(), expression_.keywords.end(),
                      [&](absl::string_view k) { return AtKeyword(k); });
}

bool ExpressionReader::AtFunction() const {
  return Peek().kind == Token::Kind::kName && AtPath() &&
         tokens_[at_ + 1].kind == Token::Kind::kSymbol &&
         tokens_[at_ + 1].text == "(";
}

void ExpressionReader::Skip() {
  if (!AtEnd()) ++at_;
}

bool ExpressionReader::TakeSymbol(absl::string_view symbol) {
  if (!AtSymbol(symbol)) return false;
  Skip();
  return true;
}

bool ExpressionReader::TakeKeyword(absl::string_view keyword) {
  if (!AtKeyword(keyword)) return false;
  Skip();
  return true;
}

absl::Status ExpressionReader::ExpectSymbol(absl::string_view symbol) {
  return TakeSymbol(symbol) ? absl::OkStatus() : SyntaxError();
}

absl::StatusOr<DocumentPath> ExpressionReader::ReadPath() {
  absl::StatusOr<PathElement> head = ReadName();
  if (!head.ok()) return head.status();
  DocumentPath path = {*std::move(head)};
  if (absl::Status status = ReadPathTail(path); !status.ok()) return status;
  return path;
}

absl::Status ExpressionReader::ReadPathTail(DocumentPath& path) {
  for (;;) {
    absl::StatusOr<PathElement> element = PathElement();
    if (TakeSymbol(".")) {
      element = ReadName();
    } else if (TakeSymbol("[")) {
      element = ReadIndex();
    } else {
      break;
    }
    if (!element.ok()) return element.status();
    path.push_back(*std::move(element));
  }
  if (path.size() > kMaxNestingLevels) {
    NoteFirst(findings_.deep_path,
              absl::StrCat("The document path has too many nesting elements; "
                           "nesting levels: ",
                           path.size()));
  }
  return absl::OkStatus();
}

absl::StatusOr<PathElement> ExpressionReader::ReadName() {
  if (!AtPath()) return SyntaxError();
  const Token token = Peek();
  Skip();
  if (token.kind == Token::Kind::kName) {
    if (IsReservedWord(token.text)) {
      NoteFirst(findings_.reserved_word,
                absl::StrCat("Attribute name is a reserved keyword; reserved "
                             "keyword: ",
                             token.text));
    }
    return PathElement{.name = std::string(token.text)};
  }
  const std::string* name = context_.FindName(token.text);
  if (name != nullptr) return PathElement{.name = *name};
  NoteFirst(findings_.undefined_name,
            absl::StrCat("An expression attribute name used in the document "
                         "path is not defined; attribute name: ",
                         token.text));
  NoteFirst(findings_.undefined, findings_.undefined_name);
  return PathElement{.name = std::string(token.text)};
}

absl::StatusOr<PathElement> ExpressionReader::ReadIndex() {
  if (Peek().kind != Token::Kind::kIndex) return SyntaxError();
  const absl::string_view digits = Peek().text;
  int32_t index = 0;
  if (!absl::SimpleAtoi(digits, &index)) {
    return Error(absl::StrCat(
        "List index is not within the allowable range; index: [", digits, "]"));
  }
  Skip();
  if (absl::Status status = ExpectSymbol("]"); !status.ok()) return status;
  return PathElement{.kind = PathElement::Kind::kIndex,
                     .index = static_cast<size_t>(index)};
}

std::shared_ptr<const AttributeValue> ExpressionReader::ReadValue() {
  const absl::string_view placeholder = Peek().text;
  Skip();
  std::shared_ptr<const AttributeValue> value = context_.FindValue(placeholder);
  if (value != nullptr) return value;
  NoteFirst(findings_.undefined_value,
            absl::StrCat("An expression attribute value used in expression is "
                         "not defined; attribute value: ",
                         placeholder));
  NoteFirst(findings_.undefined, findings_.undefined_value);
  return std::make_shared<const AttributeValue>();
}

void ExpressionReader::CountOperator() {
  if (++operators_ > kMaxOperators) {
    NoteFirst(findings_.operators,
              absl::StrCat("The expression contains too many operators; "
                           "operator count: ",
                           operators_));
  }
}

absl::Status ExpressionReader::SyntaxError() const {
  return Error(DescribeSyntaxError(expression_.text, tokens_, at_));
}

absl::Status ExpressionReader::Error(absl::string_view message) const {
  return ValidationError(
      absl::StrCat("Invalid ", expression_.label, ": ", message));
}

absl::Status ExpressionReader::FirstError(
    absl::Span<const std::string> messages) const {
  for (const std::string& message : messages) {
    if (!message.empty()) return Error(message);
  }
  return absl::OkStatus();
}

}  // namespace byoshin::local::dynamodb

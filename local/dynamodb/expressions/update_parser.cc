#include "local/dynamodb/expressions/update_parser.h"

#include <array>
#include <cstddef>
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
#include "local/dynamodb/values/error.h"

namespace byoshin::local::dynamodb {
namespace {

using OperandKind = UpdateOperand::Kind;
using Section = UpdateAction::Section;

// In the order of UpdateAction::Section.
constexpr std::array<absl::string_view, 4> kSections = {"SET", "REMOVE", "ADD",
                                                        "DELETE"};
constexpr size_t kFunctionOperands = 2;

// The name of an unsupported type in errors about ADD and DELETE.
absl::string_view LongTypeName(AttributeType type) {
  switch (type) {
    case AttributeType::kString:
      return "STRING";
    case AttributeType::kNumber:
      return "NUMBER";
    case AttributeType::kBinary:
      return "BINARY";
    case AttributeType::kBool:
      return "BOOLEAN";
    case AttributeType::kNull:
      return "NULL";
    case AttributeType::kList:
      return "LIST";
    case AttributeType::kMap:
      return "MAP";
    default:
      return "";
  }
}

class UpdateParser {
 public:
  UpdateParser(absl::string_view text, ExpressionContext& context)
      : reader_(
            {.label = "UpdateExpression", .text = text, .keywords = kSections},
            context) {}

  absl::StatusOr<UpdatePlan> Parse();

 private:
  absl::Status ParseSection(Section section);
  absl::StatusOr<UpdateAction> ParseAction(Section section);
  // Sums, too.
  absl::StatusOr<UpdateOperand> ParseSetValue(int depth);
  absl::StatusOr<UpdateOperand> ParseOperand(int depth);
  absl::StatusOr<UpdateOperand> ParseGroup(int depth);
  absl::StatusOr<UpdateOperand> ParseFunction(int depth);
  absl::StatusOr<UpdateOperand> ParseValue();

  void CheckSectionIsFirst(Section section);
  void CheckSetOperand(Section section, const UpdateOperand& operand);
  void CheckFunction(absl::string_view name, const UpdateOperand& function);
  // Checks the operands that are values.
  void CheckTypes(absl::string_view name, const UpdateOperand& function,
                  AttributeType type);
  // AWS accepts list_append only as a whole value.
  void CheckNotListAppend(const UpdateOperand& operand);
  absl::Status CheckFindings();

  ExpressionReader reader_;
  UpdatePlan plan_;
  std::array<bool, kSections.size()> seen_ = {};
  // The first of each kind, as in ExpressionReader::Findings.
  std::string unknown_function_;
  std::string misused_function_;
  std::string repeated_section_;
  std::string operand_;
  std::string function_;
};

absl::StatusOr<UpdatePlan> UpdateParser::Parse() {
  if (absl::Status status = reader_.CheckText(); !status.ok()) return status;
  do {
    size_t section = 0;
    while (section < kSections.size() &&
           !reader_.TakeKeyword(kSections[section])) {
      ++section;
    }
    if (section == kSections.size()) return reader_.SyntaxError();
    if (absl::Status status = ParseSection(static_cast<Section>(section));
        !status.ok()) {
      return status;
    }
  } while (!reader_.AtEnd());
  if (absl::Status status = CheckFindings(); !status.ok()) return status;
  return std::move(plan_);
}

absl::Status UpdateParser::CheckFindings() {
  for (const UpdateAction& action : plan_.actions) {
    plan_.paths.push_back(action.path);
  }
  const absl::Status disjoint = CheckDisjoint(plan_.paths);
  const ExpressionReader::Findings& found = reader_.findings();
  return reader_.FirstError(
      {found.operators, found.reserved_word, unknown_function_,
       misused_function_, repeated_section_, found.undefined_name,
       found.undefined_value, found.deep_path,
       disjoint.ok() ? std::string() : ErrorMessageOf(disjoint), operand_,
       function_});
}

absl::Status UpdateParser::ParseSection(Section section) {
  CheckSectionIsFirst(section);
  do {
    absl::StatusOr<UpdateAction> action = ParseAction(section);
    if (!action.ok()) return action.status();
    plan_.actions.push_back(*std::move(action));
  } while (reader_.TakeSymbol(","));
  return absl::OkStatus();
}

absl::StatusOr<UpdateAction> UpdateParser::ParseAction(Section section) {
  absl::StatusOr<DocumentPath> path = reader_.ReadPath();
  if (!path.ok()) return path.status();
  UpdateAction action{.section = section, .path = *std::move(path)};
  absl::StatusOr<UpdateOperand> operand = UpdateOperand();
  switch (section) {
    case Section::kRemove:
      return action;
    case Section::kSet:
      if (absl::Status status = reader_.ExpectSymbol("="); !status.ok()) {
        return status;
      }
      operand = ParseSetValue(0);
      break;
    case Section::kAdd:
    case Section::kDelete:
      operand = ParseValue();
      if (operand.ok()) CheckSetOperand(section, *operand);
      break;
  }
  if (!operand.ok()) return operand.status();
  action.operand = *std::move(operand);
  return action;
}

absl::StatusOr<UpdateOperand> UpdateParser::ParseSetValue(int depth) {
  absl::StatusOr<UpdateOperand> left = ParseOperand(depth);
  if (!left.ok() || (!reader_.AtSymbol("+") && !reader_.AtSymbol("-"))) {
    return left;
  }
  // Only one sum is allowed, even in parentheses.
  if (left->kind == OperandKind::kPlus || left->kind == OperandKind::kMinus) {
    return reader_.SyntaxError();
  }
  const bool plus = reader_.AtSymbol("+");
  reader_.Skip();
  reader_.CountOperator();
  absl::StatusOr<UpdateOperand> right = ParseOperand(depth);
  if (!right.ok()) return right;
  if (right->kind == OperandKind::kPlus || right->kind == OperandKind::kMinus) {
    return reader_.SyntaxError();
  }
  UpdateOperand sum{.kind = plus ? OperandKind::kPlus : OperandKind::kMinus};
  sum.arguments.push_back(*std::move(left));
  sum.arguments.push_back(*std::move(right));
  for (const UpdateOperand& argument : sum.arguments) {
    CheckNotListAppend(argument);
  }
  CheckTypes(plus ? "+" : "-", sum, AttributeType::kNumber);
  return sum;
}

absl::StatusOr<UpdateOperand> UpdateParser::ParseOperand(int depth) {
  if (reader_.AtSymbol("(")) return ParseGroup(depth + 1);
  if (reader_.AtFunction()) return ParseFunction(depth + 1);
  if (reader_.Peek().kind == Token::Kind::kValueRef) return ParseValue();
  absl::StatusOr<DocumentPath> path = reader_.ReadPath();
  if (!path.ok()) return path.status();
  return UpdateOperand{.kind = OperandKind::kPath, .path = *std::move(path)};
}

absl::StatusOr<UpdateOperand> UpdateParser::ParseGroup(int depth) {
  if (depth > kMaxParseDepth) return reader_.SyntaxError();
  reader_.Skip();
  absl::StatusOr<UpdateOperand> operand = ParseSetValue(depth);
  if (!operand.ok()) return operand;
  if (absl::Status status = reader_.ExpectSymbol(")"); !status.ok()) {
    return status;
  }
  return operand;
}

absl::StatusOr<UpdateOperand> UpdateParser::ParseFunction(int depth) {
  const std::string name(reader_.Peek().text);
  if (depth > kMaxParseDepth) return reader_.SyntaxError();
  reader_.Skip();
  reader_.Skip();  // "(", as AtFunction() has seen
  reader_.CountOperator();
  UpdateOperand function{.kind = name == kListAppendName
                                     ? OperandKind::kListAppend
                                     : OperandKind::kIfNotExists};
  do {
    absl::StatusOr<UpdateOperand> argument = ParseOperand(depth);
    if (!argument.ok()) return argument;
    if (argument->kind == OperandKind::kPlus ||
        argument->kind == OperandKind::kMinus) {
      return reader_.SyntaxError();
    }
    CheckNotListAppend(*argument);
    function.arguments.push_back(*std::move(argument));
  } while (reader_.TakeSymbol(","));
  if (absl::Status status = reader_.ExpectSymbol(")"); !status.ok()) {
    return status;
  }
  CheckFunction(name, function);
  return function;
}

absl::StatusOr<UpdateOperand> UpdateParser::ParseValue() {
  if (reader_.Peek().kind != Token::Kind::kValueRef) {
    return reader_.SyntaxError();
  }
  return UpdateOperand{.kind = OperandKind::kValue,
                       .value = reader_.ReadValue()};
}

void UpdateParser::CheckSectionIsFirst(Section section) {
  bool& seen = seen_[static_cast<size_t>(section)];
  if (seen) {
    NoteFirst(repeated_section_,
              absl::StrCat("The \"", kSections[static_cast<size_t>(section)],
                           "\" section can only be used once in an update "
                           "expression;"));
  }
  seen = true;
}

void UpdateParser::CheckSetOperand(Section section,
                                   const UpdateOperand& operand) {
  const AttributeType type = operand.value->type();
  const absl::string_view name = LongTypeName(type);
  if (name.empty()) return;
  if (section == Section::kAdd && type == AttributeType::kNumber) return;
  NoteFirst(operand_,
            absl::StrCat("Incorrect operand type for operator or function; "
                         "operator: ",
                         kSections[static_cast<size_t>(section)],
                         ", operand type: ", name));
}

void UpdateParser::CheckFunction(absl::string_view name,
                                 const UpdateOperand& function) {
  if (name != kIfNotExistsName && name != kListAppendName) {
    NoteFirst(unknown_function_,
              IsConditionFunction(name)
                  ? absl::StrCat("The function is not allowed in an update "
                                 "expression; function: ",
                                 name)
                  : absl::StrCat("Invalid function name; function: ", name));
    return;
  }
  if (function.arguments.size() != kFunctionOperands) {
    NoteFirst(function_,
              absl::StrCat(
                  "Incorrect number of operands for operator or "
                  "function; operator or function: ",
                  name, ", number of operands: ", function.arguments.size()));
    return;
  }
  if (name == kListAppendName) {
    CheckTypes(name, function, AttributeType::kList);
  } else if (function.arguments[0].kind != OperandKind::kPath) {
    NoteFirst(function_,
              absl::StrCat("Operator or function requires a document path; "
                           "operator or function: ",
                           name));
  }
}

void UpdateParser::CheckTypes(absl::string_view name,
                              const UpdateOperand& function,
                              AttributeType type) {
  for (const UpdateOperand& argument : function.arguments) {
    if (argument.kind == OperandKind::kValue && !argument.value->is(type)) {
      NoteFirst(function_,
                absl::StrCat("Incorrect operand type for operator or function; "
                             "operator or function: ",
                             name, ", operand type: ",
                             TypeName(argument.value->type())));
    }
  }
}

void UpdateParser::CheckNotListAppend(const UpdateOperand& operand) {
  if (operand.kind != OperandKind::kListAppend) return;
  NoteFirst(misused_function_,
            absl::StrCat("The function is not allowed to be used this way in "
                         "an expression; function: ",
                         kListAppendName));
}

}  // namespace

absl::StatusOr<UpdatePlan> ParseUpdate(absl::string_view text,
                                       ExpressionContext& context) {
  return UpdateParser(text, context).Parse();
}

}  // namespace byoshin::local::dynamodb

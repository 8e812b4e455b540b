#include "local/dynamodb/expressions/condition_checks.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/condition_parser.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/reader.h"
#include "local/dynamodb/expressions/update_parser.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/key_encoding.h"

namespace byoshin::local::dynamodb {
namespace {

using Kind = ConditionNode::Kind;

struct Function {
  absl::string_view name;
  size_t operands;
  // nullopt for size, which is not a condition.
  std::optional<Kind> kind;
};

constexpr std::array<Function, 6> kFunctions = {{
    {"attribute_exists", 1, Kind::kAttributeExists},
    {"attribute_not_exists", 1, Kind::kAttributeNotExists},
    {"attribute_type", 2, Kind::kAttributeType},
    {"begins_with", 2, Kind::kBeginsWith},
    {"contains", 2, Kind::kContains},
    {kSizeFunction, 1, std::nullopt},
}};

std::string BoundText(const AttributeValue& value) {
  std::string text =
      absl::StrCat("AttributeValue: {", TypeName(value.type()), ":");
  if (value.is(AttributeType::kNumber)) {
    value.number().AppendTo(text);
  } else if (value.is(AttributeType::kBinary)) {
    AppendBase64(value.bytes(), text);
  } else {
    text.append(value.bytes());
  }
  text.push_back('}');
  return text;
}

bool IsOrdering(Kind kind) {
  return kind == Kind::kLess || kind == Kind::kLessOrEqual ||
         kind == Kind::kGreater || kind == Kind::kGreaterOrEqual ||
         kind == Kind::kBetween;
}

}  // namespace

absl::string_view OperatorName(ConditionNode::Kind kind) {
  switch (kind) {
    case Kind::kAnd:
      return "AND";
    case Kind::kOr:
      return "OR";
    case Kind::kNot:
      return "NOT";
    case Kind::kEqual:
      return "=";
    case Kind::kNotEqual:
      return "<>";
    case Kind::kLess:
      return "<";
    case Kind::kLessOrEqual:
      return "<=";
    case Kind::kGreater:
      return ">";
    case Kind::kGreaterOrEqual:
      return ">=";
    case Kind::kBetween:
      return "BETWEEN";
    case Kind::kIn:
      return "IN";
    default:
      break;
  }
  for (const Function& function : kFunctions) {
    if (function.kind == kind) return function.name;
  }
  return "";
}

std::string ConditionChecks::Misuse(absl::string_view function) {
  return absl::StrCat(
      "The function is not allowed to be used this way in an expression; "
      "function: ",
      function);
}

void ConditionChecks::NoteRedundantParentheses() {
  parentheses_ = "The expression has redundant parentheses;";
}

void ConditionChecks::NoteMisuse(absl::string_view function) {
  NoteFirst(misused_function_, Misuse(function));
}

void ConditionChecks::NoteWrongType(absl::string_view name,
                                    absl::string_view type) {
  NoteFirst(operand_type_,
            absl::StrCat("Incorrect operand type for operator or function; "
                         "operator or function: ",
                         name, ", operand type: ", type));
}

bool IsConditionFunction(absl::string_view name) {
  return std::any_of(kFunctions.begin(), kFunctions.end(),
                     [&](const Function& f) { return f.name == name; });
}

std::string ConditionChecks::DescribeUnknown(absl::string_view function) const {
  if (function != kIfNotExistsName && function != kListAppendName) {
    return absl::StrCat("Invalid function name; function: ", function);
  }
  const absl::string_view kind = label_ == "FilterExpression" ? "filter"
                                 : label_ == "ConditionExpression"
                                     ? "condition"
                                     : "key condition";
  return absl::StrCat("The function is not allowed in a ", kind,
                      " expression; function: ", function);
}

void ConditionChecks::CheckFunction(
    ConditionTerm& function, const std::vector<ConditionTerm>& arguments) {
  CheckOperandKinds(arguments);
  const absl::string_view name = function.function;
  const auto* const found =
      std::find_if(kFunctions.begin(), kFunctions.end(),
                   [&](const Function& f) { return f.name == name; });
  if (found == kFunctions.end()) {
    NoteFirst(unknown_function_, DescribeUnknown(name));
    return;
  }
  if (found->kind.has_value()) function.node.kind = *found->kind;
  if (found->operands != arguments.size()) {
    NoteFirst(operand_count_,
              absl::StrCat("Incorrect number of operands for operator or "
                           "function; operator or function: ",
                           name, ", number of operands: ", arguments.size()));
    return;
  }
  CheckDistinct(name, arguments);
  if (name == kSizeFunction) {
    if (const auto type = arguments[0].type; type == AttributeType::kNumber ||
                                             type == AttributeType::kBool ||
                                             type == AttributeType::kNull) {
      NoteWrongType(name, TypeName(*type));
    }
    return;
  }
  switch (*found->kind) {
    case Kind::kAttributeExists:
    case Kind::kAttributeNotExists:
      if (!arguments[0].IsPath()) {
        NoteFirst(operand_type_,
                  absl::StrCat("Operator or function requires a document path; "
                               "operator or function: ",
                               name));
      }
      return;
    case Kind::kBeginsWith:
      for (const ConditionTerm& argument : arguments) {
        if (argument.type.has_value() &&
            argument.type != AttributeType::kString &&
            argument.type != AttributeType::kBinary) {
          NoteWrongType(name, TypeName(*argument.type));
        }
      }
      return;
    case Kind::kAttributeType:
      CheckTypeName(arguments[1]);
      return;
    default:
      return;
  }
}

void ConditionChecks::CheckTypeName(const ConditionTerm& name) {
  const absl::string_view function = OperatorName(Kind::kAttributeType);
  if (!name.IsValue()) {
    NoteWrongType(function, name.type.has_value()
                                ? TypeName(*name.type)
                                : "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}");
    return;
  }
  if (name.type != AttributeType::kString) {
    NoteWrongType(function, TypeName(*name.type));
    return;
  }
  const std::string& type = name.operand.value->text();
  if (!ParseTypeName(type).has_value()) {
    NoteFirst(operand_type_,
              absl::StrCat("Invalid attribute type name found; type: ", type,
                           ", valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"));
  }
}

void ConditionChecks::CheckComparison(
    ConditionNode::Kind kind, const std::vector<ConditionTerm>& operands) {
  const absl::string_view name = OperatorName(kind);
  CheckOperandKinds(operands);
  CheckDistinct(name, operands);
  if (kind == Kind::kIn && operands.size() - 1 > kMaxInOperands) {
    NoteFirst(operand_count_,
              absl::StrCat("The IN operator is provided with too many "
                           "operands; number of operands: ",
                           operands.size() - 1));
  }
  if (!IsOrdering(kind)) return;
  for (const ConditionTerm& operand : operands) {
    if (operand.type.has_value() && !IsKeyType(*operand.type)) {
      NoteWrongType(name, TypeName(*operand.type));
    }
  }
  if (kind == Kind::kBetween) CheckBounds(operands[1], operands[2]);
}

void ConditionChecks::CheckBounds(const ConditionTerm& lower,
                                  const ConditionTerm& upper) {
  if (!lower.IsValue() || !upper.IsValue() || !IsKeyType(*lower.type) ||
      !IsKeyType(*upper.type)) {
    return;
  }
  const AttributeValue& low = *lower.operand.value;
  const AttributeValue& high = *upper.operand.value;
  const auto order = Compare(low, high);
  absl::string_view rule;
  if (!order.has_value()) {
    rule = "same data type for lower and upper bounds";
  } else if (*order > 0) {
    rule = "upper bound to be greater than or equal to lower bound";
  } else {
    return;
  }
  NoteFirst(operand_type_,
            absl::StrCat("The BETWEEN operator requires ", rule,
                         "; lower bound operand: ", BoundText(low),
                         ", upper bound operand: ", BoundText(high)));
}

void ConditionChecks::CheckOperandKinds(
    const std::vector<ConditionTerm>& operands) {
  for (const ConditionTerm& operand : operands) {
    if (operand.kind == ConditionTerm::Kind::kFunction &&
        operand.function != kSizeFunction) {
      NoteMisuse(operand.function);
    }
  }
}

void ConditionChecks::CheckDistinct(
    absl::string_view name, const std::vector<ConditionTerm>& operands) {
  if (!operands[0].IsPath()) return;
  const DocumentPath& first = operands[0].operand.path;
  for (size_t i = 1; i < operands.size(); ++i) {
    if (operands[i].IsPath() && operands[i].operand.path == first) {
      NoteFirst(distinct_,
                absl::StrCat("The first operand must be distinct from the "
                             "remaining operands for this operator or "
                             "function; operator: ",
                             name, ", first operand: ", PathText(first)));
    }
  }
}

void ConditionChecks::FinishCondition(const std::string& undefined) {
  for (const std::string* finding :
       {&undefined, &std::as_const(operand_count_), &std::as_const(distinct_),
        &std::as_const(operand_type_)}) {
    if (!finding->empty()) return NoteFirst(condition_, *finding);
  }
}

}  // namespace byoshin::local::dynamodb

#include "local/dynamodb/expressions/update.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/expressions/context.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/update_parser.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/error.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

using OperandKind = UpdateOperand::Kind;
using Section = UpdateAction::Section;

absl::Status WrongType() {
  return ValidationError(
      "An operand in the update expression has an incorrect data type");
}

absl::StatusOr<AttributeValue> Evaluate(const UpdateOperand& operand,
                                        const Item& item);

absl::StatusOr<AttributeValue> EvaluatePath(const DocumentPath& path,
                                            const Item& item) {
  const AttributeValue* value = Resolve(path, item);
  if (value != nullptr) return *value;
  return ValidationError(
      "The provided expression refers to an attribute that does not exist in "
      "the item");
}

// Both arguments, which must be of one type.
absl::StatusOr<std::pair<AttributeValue, AttributeValue>> EvaluateArguments(
    const UpdateOperand& operand, const Item& item, AttributeType type) {
  absl::StatusOr<AttributeValue> first = Evaluate(operand.arguments[0], item);
  if (!first.ok()) return first.status();
  if (!first->is(type)) return WrongType();
  absl::StatusOr<AttributeValue> second = Evaluate(operand.arguments[1], item);
  if (!second.ok()) return second.status();
  if (!second->is(type)) return WrongType();
  return std::make_pair(*std::move(first), *std::move(second));
}

absl::StatusOr<AttributeValue> EvaluateSum(const UpdateOperand& operand,
                                           const Item& item) {
  auto numbers = EvaluateArguments(operand, item, AttributeType::kNumber);
  if (!numbers.ok()) return numbers.status();
  const auto& [a, b] = *numbers;
  absl::StatusOr<Number> sum = operand.kind == OperandKind::kPlus
                                   ? Add(a.number(), b.number())
                                   : Subtract(a.number(), b.number());
  if (!sum.ok()) return sum.status();
  return AttributeValue(*sum);
}

absl::StatusOr<AttributeValue> EvaluateListAppend(const UpdateOperand& operand,
                                                  const Item& item) {
  auto lists = EvaluateArguments(operand, item, AttributeType::kList);
  if (!lists.ok()) return lists.status();
  auto& [a, b] = *lists;
  for (AttributeValue& element : b.list()) {
    a.list().push_back(std::move(element));
  }
  return std::move(a);
}

absl::StatusOr<AttributeValue> Evaluate(const UpdateOperand& operand,
                                        const Item& item) {
  switch (operand.kind) {
    case OperandKind::kPath:
      return EvaluatePath(operand.path, item);
    case OperandKind::kValue:
      return *operand.value;
    case OperandKind::kIfNotExists: {
      const AttributeValue* value = Resolve(operand.arguments[0].path, item);
      if (value != nullptr) return *value;
      return Evaluate(operand.arguments[1], item);
    }
    case OperandKind::kListAppend:
      return EvaluateListAppend(operand, item);
    case OperandKind::kPlus:
    case OperandKind::kMinus:
      return EvaluateSum(operand, item);
  }
  return WrongType();
}

template <typename T>
std::vector<T> Union(std::vector<T> set, const std::vector<T>& more) {
  for (const T& element : more) {
    if (std::find(set.begin(), set.end(), element) == set.end()) {
      set.push_back(element);
    }
  }
  return set;
}

template <typename T>
std::vector<T> Difference(std::vector<T> set, const std::vector<T>& less) {
  std::erase_if(set, [&](const T& element) {
    return std::find(less.begin(), less.end(), element) != less.end();
  });
  return set;
}

absl::StatusOr<AttributeValue> EvaluateAdd(const AttributeValue* old,
                                           const AttributeValue& added) {
  if (old == nullptr) return added;
  if (old->type() != added.type()) return WrongType();
  switch (added.type()) {
    case AttributeType::kNumber: {
      absl::StatusOr<Number> sum = Add(old->number(), added.number());
      if (!sum.ok()) return sum.status();
      return AttributeValue(*sum);
    }
    case AttributeType::kStringSet:
      return AttributeValue::MakeStringSet(
          Union(old->strings(), added.strings()));
    case AttributeType::kBinarySet:
      return AttributeValue::MakeBinarySet(
          Union(old->strings(), added.strings()));
    case AttributeType::kNumberSet:
      return AttributeValue::MakeNumberSet(
          Union(old->numbers(), added.numbers()));
    case AttributeType::kList: {  // in AttributeUpdates only
      AttributeValue::List list = old->list();
      list.insert(list.end(), added.list().begin(), added.list().end());
      return AttributeValue(std::move(list));
    }
    default:
      return WrongType();
  }
}

// nullopt if no element is left.
absl::StatusOr<std::optional<AttributeValue>> EvaluateDelete(
    const AttributeValue& old, const AttributeValue& deleted) {
  if (old.type() != deleted.type()) return WrongType();
  if (deleted.is(AttributeType::kNumberSet)) {
    AttributeValue::NumberSet rest =
        Difference(old.numbers(), deleted.numbers());
    if (rest.empty()) return std::nullopt;
    return AttributeValue::MakeNumberSet(std::move(rest));
  }
  AttributeValue::StringSet rest = Difference(old.strings(), deleted.strings());
  if (rest.empty()) return std::nullopt;
  return deleted.is(AttributeType::kStringSet)
             ? AttributeValue::MakeStringSet(std::move(rest))
             : AttributeValue::MakeBinarySet(std::move(rest));
}

// All indexes of an expression refer to the original item: so values are set
// first, then elements are removed, the last one first.
struct Changes {
  struct Put {
    const DocumentPath* path;
    AttributeValue value;
  };
  std::vector<Put> puts{};
  std::vector<const DocumentPath*> removals{};
};

absl::Status AddChange(const UpdateAction& action, const Item& item,
                       Changes& changes) {
  const AttributeValue* const old = Resolve(action.path, item);
  absl::StatusOr<AttributeValue> value = AttributeValue();
  switch (action.section) {
    case Section::kRemove:
      if (old != nullptr) changes.removals.push_back(&action.path);
      return absl::OkStatus();
    case Section::kSet:
      value = Evaluate(action.operand, item);
      break;
    case Section::kAdd:
      value = EvaluateAdd(old, *action.operand.value);
      break;
    case Section::kDelete: {
      if (old == nullptr) return absl::OkStatus();
      auto rest = EvaluateDelete(*old, *action.operand.value);
      if (!rest.ok()) return rest.status();
      if (!rest->has_value()) {
        changes.removals.push_back(&action.path);
        return absl::OkStatus();
      }
      value = **std::move(rest);
      break;
    }
  }
  if (!value.ok()) return value.status();
  changes.puts.push_back({&action.path, *std::move(value)});
  return absl::OkStatus();
}

// Null for the item itself.
const AttributeValue* ResolveParent(const DocumentPath& path,
                                    const Item& item) {
  if (path.size() == 1) return nullptr;
  return Resolve(DocumentPath(path.begin(), path.end() - 1), item);
}

absl::Status CheckParent(const DocumentPath& path, const Item& item) {
  if (path.size() == 1) return absl::OkStatus();
  const AttributeValue* parent = ResolveParent(path, item);
  const AttributeType type = path.back().kind == PathElement::Kind::kIndex
                                 ? AttributeType::kList
                                 : AttributeType::kMap;
  if (parent != nullptr && parent->is(type)) return absl::OkStatus();
  return ValidationError(
      "The document path provided in the update expression is invalid for "
      "update");
}

bool PathLess(const DocumentPath& a, const DocumentPath& b) {
  return std::lexicographical_compare(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const PathElement& x, const PathElement& y) {
        return std::tie(x.kind, x.index, x.name) <
               std::tie(y.kind, y.index, y.name);
      });
}

// The value that contains the last element of the path; null for the item
// itself.
AttributeValue* MutableParent(const DocumentPath& path, Item& item) {
  return const_cast<AttributeValue*>(ResolveParent(path, item));
}

void ApplyPut(const DocumentPath& path, AttributeValue value, Item& item) {
  const PathElement& last = path.back();
  AttributeValue* const parent = MutableParent(path, item);
  if (parent == nullptr) {
    item.Set(last.name, std::move(value));
  } else if (last.kind == PathElement::Kind::kName) {
    parent->map().Set(last.name, std::move(value));
  } else if (AttributeValue::List& list = parent->list();
             last.index < list.size()) {
    list[last.index] = std::move(value);
  } else {
    list.push_back(std::move(value));
  }
}

void ApplyRemoval(const DocumentPath& path, Item& item) {
  const PathElement& last = path.back();
  AttributeValue* const parent = MutableParent(path, item);
  if (parent == nullptr) {
    item.Erase(last.name);
  } else if (last.kind == PathElement::Kind::kName) {
    parent->map().Erase(last.name);
  } else {
    AttributeValue::List& list = parent->list();
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(last.index));
  }
}

// In this order, values beyond the end of a list are appended by index, as on
// AWS, and no removal shifts an element that a later one names.
void Apply(Changes changes, Item& item) {
  std::sort(changes.puts.begin(), changes.puts.end(),
            [](const Changes::Put& a, const Changes::Put& b) {
              return PathLess(*a.path, *b.path);
            });
  std::sort(changes.removals.begin(), changes.removals.end(),
            [](const DocumentPath* a, const DocumentPath* b) {
              return PathLess(*b, *a);
            });
  for (Changes::Put& put : changes.puts) {
    ApplyPut(*put.path, std::move(put.value), item);
  }
  for (const DocumentPath* path : changes.removals) ApplyRemoval(*path, item);
}

absl::Status CheckNesting(const Changes& changes) {
  for (const Changes::Put& put : changes.puts) {
    const auto level = static_cast<int>(put.path->size());
    if (level - 1 + NestingLevels(put.value) > kMaxNestingLevels) {
      return ValidationError(
          "Nesting Levels have exceeded supported limits: Attributes in the "
          "item have nested levels beyond supported limit");
    }
  }
  return absl::OkStatus();
}

// The operand's type if it does not depend on the item.
std::optional<AttributeType> KnownType(const UpdateOperand& operand) {
  switch (operand.kind) {
    case OperandKind::kPath:
      return std::nullopt;
    case OperandKind::kValue:
      return operand.value->type();
    case OperandKind::kIfNotExists:
      return KnownType(operand.arguments[1]);
    case OperandKind::kListAppend:
      return AttributeType::kList;
    case OperandKind::kPlus:
    case OperandKind::kMinus:
      return AttributeType::kNumber;
  }
  return std::nullopt;
}

}  // namespace

absl::StatusOr<UpdateExpression> UpdateExpression::Parse(
    absl::string_view text, ExpressionContext& context) {
  absl::StatusOr<UpdatePlan> plan = ParseUpdate(text, context);
  if (!plan.ok()) return plan.status();
  return FromPlan(*std::move(plan));
}

UpdateExpression UpdateExpression::FromPlan(UpdatePlan plan) {
  UpdateExpression expression;
  expression.plan_ = std::make_shared<const UpdatePlan>(std::move(plan));
  return expression;
}

absl::StatusOr<Item> UpdateExpression::Apply(const Item& item) const {
  Changes changes;
  for (const UpdateAction& action : plan_->actions) {
    absl::Status status = AddChange(action, item, changes);
    if (status.ok()) continue;
    if (plan_->form == UpdateForm::kAttributeUpdates && status == WrongType()) {
      return ValidationError("Type mismatch for attribute to update");
    }
    return status;
  }
  for (const UpdateAction& action : plan_->actions) {
    if (absl::Status status = CheckParent(action.path, item); !status.ok()) {
      return status;
    }
  }
  if (absl::Status status = CheckNesting(changes); !status.ok()) return status;
  Item changed = item;
  dynamodb::Apply(std::move(changes), changed);
  if (SizeBytes(changed) > kMaxItemBytes) {
    return ValidationError(
        "Item size to update has exceeded the maximum allowed size");
  }
  return changed;
}

const std::vector<DocumentPath>& UpdateExpression::paths() const {
  return plan_->paths;
}

bool UpdateExpression::CreatesItem() const {
  return std::any_of(plan_->actions.begin(), plan_->actions.end(),
                     [](const UpdateAction& action) {
                       return action.section == Section::kSet ||
                              action.section == Section::kAdd;
                     });
}

std::optional<AttributeType> UpdateExpression::KnownTypeOf(
    absl::string_view name) const {
  for (const UpdateAction& action : plan_->actions) {
    if (action.path.size() != 1 || action.path[0].name != name) continue;
    if (action.section == Section::kRemove) return std::nullopt;
    return KnownType(action.operand);
  }
  return std::nullopt;
}

}  // namespace byoshin::local::dynamodb

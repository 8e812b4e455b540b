#include "local/wire/model.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "absl/strings/string_view.h"
#include "local/wire/model_data.h"

namespace byoshin::local::wire {

template <>
Shape::Member Shape::List<Shape::Member>::At(std::size_t index) const {
  return Member(*model_, model_->members[first_ + index]);
}

template <>
absl::string_view Shape::List<absl::string_view>::At(std::size_t index) const {
  return model_->text + model_->values[first_ + index];
}

Shape::List<Shape::Member> Shape::members() const {
  const bool has = data_->type == ShapeType::kStructure;
  return {*model_, data_->first, has ? data_->count : std::size_t{0}};
}

std::optional<Shape::Member> Shape::FindMember(absl::string_view name) const {
  for (const Member member : members()) {
    if (member.name() == name) return member;
  }
  return std::nullopt;
}

Shape::List<absl::string_view> Shape::values() const {
  const bool has = data_->type == ShapeType::kText;
  return {*model_, data_->first, has ? data_->count : std::size_t{0}};
}

const OperationData* Model::Find(absl::string_view operation) const {
  const OperationData* const end = data_->operations + data_->operation_count;
  const OperationData* const found = std::lower_bound(
      data_->operations, end, operation,
      [this](const OperationData& one, absl::string_view name) {
        return data_->text + one.name < name;
      });
  return found != end && data_->text + found->name == operation ? found
                                                                : nullptr;
}

bool Model::IsUnsigned(absl::string_view operation) const {
  const OperationData* const found = Find(operation);
  return found != nullptr && found->is_unsigned;
}

std::optional<Shape> Model::InputOf(absl::string_view operation) const {
  const OperationData* const found = Find(operation);
  if (found == nullptr || found->input == kNoShape) return std::nullopt;
  return Shape(*data_, found->input);
}

}  // namespace byoshin::local::wire

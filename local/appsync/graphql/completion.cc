// How values of resolvers become a response: lists, objects, leaves, nulls
// where something is wrong, and errors that say what.
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/strings/str_cat.h"
#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/execution_state.h"
#include "local/appsync/graphql/place.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/scalars.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Every place takes as much as a null, until its value takes more.
constexpr size_t kNullBytes = 4;
// With the comma behind it.
constexpr size_t kValueBytes = kNullBytes + 1;

}  // namespace

void Execution::Exhaust(Place& place, std::string message) {
  place.failed = true;
  if (!std::exchange(exhausted_, true)) {
    errors_.push_back(ErrorAt(place, std::move(message)));
  }
  MakeNull(place);
}

bool Execution::CountPlace(Place& place) {
  if (room_.values == 0) {
    full_ = true;
    Exhaust(place, TooManyValues());
    return false;
  }
  --room_.values;
  // An element of a list has no name.
  const size_t name_bytes =
      place.index.has_value() ? 0 : place.field->key.JsonSize() + 1;
  return TakeBytes(place, name_bytes + kValueBytes);
}

bool Execution::TakeBytes(Place& place, size_t bytes) {
  if (bytes > room_.bytes) {
    full_ = true;
    Exhaust(place, TooLarge());
    return false;
  }
  room_.bytes -= bytes;
  return true;
}

bool Execution::EndIfFull(Place& place) {
  if (!full_) return false;
  place.failed = true;
  MakeNull(place);
  return true;
}

void Execution::Complete(Place& place, const Data& value) {
  const Type type = place.type.Nullable();
  if (value.is_null()) {
    MakeNull(place);
  } else if (type.is_list()) {
    CompleteList(place, type, value);
  } else if (type.named->is_composite()) {
    CompleteObject(place, *type.named, value);
  } else {
    CompleteLeaf(place, *type.named, value);
  }
}

void Execution::CompleteList(Place& place, const Type& type,
                             const Data& value) {
  if (!value.is_array()) {
    AddError(place, [&] {
      return absl::StrCat("Can't resolve value (", PathText(PathOf(place)),
                          ") : type mismatch error, expected type LIST");
    });
    MakeNull(place);
    return;
  }
  // `value` may be that of the place.
  const Data list = value;
  place.kind = Place::Kind::kList;
  place.value = Data();
  place.children.reserve(std::min(list.size(), room_.values));
  for (size_t i = 0; i < list.size(); ++i) {
    Place& element = NewPlace(place, *place.field, type.Inner());
    element.index = i;
    if (CountPlace(element)) Complete(element, list.elements()[i]);
    if (EndIfFull(place) || place.kind == Place::Kind::kNull) return;
  }
}

void Execution::CompleteObject(Place& place, const NamedType& type,
                               const Data& value) {
  const NamedType* object = ObjectTypeOf(schema_, type, value);
  if (object == nullptr) {
    AddError(place, [&] {
      return absl::StrCat(
          "Can't resolve '", PathText(PathOf(place)), "'. Abstract type '",
          type.name, "' must resolve to an Object type at runtime for field '",
          place.field->parent->name, ".", place.field->field->name,
          "'. Could not determine the exact type of '", type.name, "'");
    });
    MakeNull(place);
    return;
  }
  place.value = value;
  place.kind = Place::Kind::kObject;
  place.object_type = object;
  const PlannedFields& fields = planner_.Children(*place.field, *object);
  place.children.reserve(fields.size());
  for (PlannedField* field : fields) {
    BeginField(NewPlace(place, *field, field->field->type), place.value);
    if (EndIfFull(place) || place.kind == Place::Kind::kNull) return;
  }
}

void Execution::CompleteLeaf(Place& place, const NamedType& type,
                             const Data& value) {
  Coerced coerced;
  if (type.kind == TypeKind::kEnum) {
    coerced.value = value;
    if (!value.is_string() || type.FindValue(value.string()) == nullptr) {
      coerced.problem =
          absl::StrCat("Invalid input for Enum '", type.name,
                       "'. Unknown value '", JavaText(value), "'");
    }
  } else {
    coerced = SerializeScalar(type.scalar, value);
  }
  if (!coerced.ok()) {
    AddError(place, [&] {
      return absl::StrCat("Can't serialize value (", PathText(PathOf(place)),
                          ") : ", coerced.problem);
    });
    MakeNull(place);
    return;
  }
  SetLeaf(place, std::move(coerced.value));
}

void Execution::SetLeaf(Place& place, Data value) {
  const size_t bytes = value.JsonSize();
  if (bytes > kNullBytes && !TakeBytes(place, bytes - kNullBytes)) return;
  place.kind = Place::Kind::kLeaf;
  place.value = std::move(value);
}

void Execution::MakeNull(Place& place) {
  if (place.type.is_non_null() && !place.failed) AddNullError(place);
  Place* at = &place;
  at->kind = Place::Kind::kNull;
  while (at->type.is_non_null()) {
    at = at->parent;
    at->kind = Place::Kind::kNull;
    at->failed = true;
  }
}

bool Execution::IsGone(const Place& place) const {
  for (const Place* at = place.parent; at != nullptr; at = at->parent) {
    if (at->kind == Place::Kind::kNull) return true;
  }
  return false;
}

Error Execution::ErrorAt(const Place& place, std::string message) {
  Error error;
  error.message = std::move(message);
  error.path = PathOf(place);
  return error;
}

bool Execution::TakeErrorBytes(const Place& place, size_t bytes) {
  // Most messages repeat the path.
  bytes += kErrorBytes + 2 * PathBytes(place);
  if (bytes <= room_.bytes) {
    room_.bytes -= bytes;
    return true;
  }
  ReportTooLarge(place);
  return false;
}

void Execution::ReportTooLarge(const Place& place) {
  if (std::exchange(exhausted_, true)) return;
  errors_.push_back(ErrorAt(place, TooLarge()));
}

void Execution::AddError(Place& place,
                         absl::FunctionRef<std::string()> message) {
  place.failed = true;
  if (!TakeErrorBytes(place, 0)) return;
  errors_.push_back(ErrorAt(place, message()));
  room_.bytes -= std::min(room_.bytes, errors_.back().message.size());
}

void Execution::AddNullError(Place& place) {
  AddError(place, [&] {
    return absl::StrCat("Cannot return null for non-nullable type: '",
                        place.type.Inner().ToString(), "' within parent '",
                        place.field->parent->name, "' (",
                        PathText(PathOf(place)), ")");
  });
}

void Execution::AddFieldError(Place& place, const FieldError& field_error) {
  if (!TakeErrorBytes(place, TextBytes(field_error))) return;
  Error error = ErrorAt(place, field_error.message);
  error.locations = {{place.field->nodes.front()->location}};
  error.details = ErrorDetails{.error_type = field_error.error_type,
                               .data = Data(),
                               .error_info = field_error.error_info};
  if (error_data_full_) {
    errors_.push_back(std::move(error));
    return;
  }
  std::optional<Data> data =
      CutToSelection(schema_, *place.field, place.field->field->type,
                     field_error.data, room_.bytes);
  error_data_full_ = !data.has_value();
  error.details->data = std::move(data).value_or(Data());
  errors_.push_back(std::move(error));
  if (error_data_full_) ReportTooLarge(place);
}

}  // namespace byoshin::local::appsync::graphql

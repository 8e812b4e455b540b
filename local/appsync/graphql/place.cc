#include "local/appsync/graphql/place.h"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {
namespace {

// Ends when what it has cut is longer than its room.
class SelectionCutter {
 public:
  SelectionCutter(const Schema& schema, size_t room)
      : schema_(schema), left_(room) {}

  Data Cut(PlannedField& field, const Type& type, const Data& data);
  bool ended() const { return ended_; }
  size_t left() const { return left_; }

 private:
  Data CutList(PlannedField& field, const Type& type, const Data& data);
  Data CutObject(PlannedField& field, const NamedType& type, const Data& data);
  void Take(size_t bytes);

  const Schema& schema_;
  size_t left_;
  bool ended_ = false;
};

void SelectionCutter::Take(size_t bytes) {
  ended_ = ended_ || bytes > left_;
  if (!ended_) left_ -= bytes;
}

Data SelectionCutter::Cut(PlannedField& field, const Type& type,
                          const Data& data) {
  const Type nullable = type.Nullable();
  if (nullable.is_list()) return CutList(field, nullable, data);
  if (nullable.named->is_composite()) {
    return CutObject(field, *nullable.named, data);
  }
  Take(data.JsonSize());
  return data;
}

Data SelectionCutter::CutList(PlannedField& field, const Type& type,
                              const Data& data) {
  // Brackets, or a null.
  Take(Data().JsonSize());
  if (!data.is_array()) return Data();
  std::vector<Data> elements;
  for (const Data& element : data.elements()) {
    // A comma.
    Take(1);
    if (ended_) break;
    elements.push_back(Cut(field, type.Inner(), element));
  }
  return Data::Array(std::move(elements));
}

Data SelectionCutter::CutObject(PlannedField& field, const NamedType& type,
                                const Data& data) {
  // Braces, or a null.
  Take(Data().JsonSize());
  if (!data.is_object()) return Data();
  const NamedType* object = ObjectTypeOf(schema_, type, data);
  if (object == nullptr) return Data();
  json::ObjectBuilder cut;
  for (PlannedField* child : field.planner->Children(field, *object)) {
    const Data* member = data.Find(child->field->name);
    if (member == nullptr) continue;
    // With a colon and a comma.
    Take(child->key.JsonSize() + 2);
    if (ended_) break;
    cut.Set(child->key, Cut(*child, child->field->type, *member));
  }
  return std::move(cut).Build();
}

}  // namespace

Path PathOf(const Place& place) {
  Path path;
  for (const Place* at = &place; at->parent != nullptr; at = at->parent) {
    if (at->index.has_value()) {
      path.emplace_back(*at->index);
    } else {
      path.emplace_back(std::string(at->field->key.string()));
    }
  }
  return Path(path.rbegin(), path.rend());
}

size_t PathBytes(const Place& place) {
  size_t bytes = 0;
  for (const Place* at = &place; at->parent != nullptr; at = at->parent) {
    bytes += sizeof(PathElement);
    if (!at->index.has_value()) bytes += at->field->key.string().size();
  }
  return bytes;
}

std::optional<Data> CutToSelection(const Schema& schema, PlannedField& field,
                                   const Type& type, const Data& data,
                                   size_t& room) {
  SelectionCutter cutter(schema, room);
  Data cut = cutter.Cut(field, type, data);
  if (cutter.ended()) return std::nullopt;
  room = cutter.left();
  return cut;
}

Data SelectedData(const Place& place) {
  switch (place.kind) {
    case Place::Kind::kNull:
      return Data();
    case Place::Kind::kLeaf:
      return place.value;
    case Place::Kind::kList: {
      std::vector<Data> elements;
      elements.reserve(place.children.size());
      for (const Place* child : place.children) {
        elements.push_back(SelectedData(*child));
      }
      return Data::Array(std::move(elements));
    }
    case Place::Kind::kObject: {
      json::ObjectBuilder object;
      for (const Place* child : place.children) {
        object.Set(child->field->key, SelectedData(*child));
      }
      return std::move(object).Build();
    }
  }
  return Data();
}

Data PublishedData(const Place& place) {
  if (place.kind == Place::Kind::kList) {
    std::vector<Data> elements;
    for (const Place* child : place.children) {
      elements.push_back(PublishedData(*child));
    }
    return Data::Array(std::move(elements));
  }
  if (place.kind != Place::Kind::kObject) return SelectedData(place);
  json::ObjectBuilder object;
  if (place.type.named->is_abstract()) {
    object.Set("__typename", Data::String(place.object_type->name));
  }
  // From behind, so that of a field that is selected twice the first counts.
  for (size_t i = place.children.size(); i > 0; --i) {
    const Place& child = *place.children[i - 1];
    object.Set(child.field->field->name, PublishedData(child));
  }
  return std::move(object).Build();
}

}  // namespace byoshin::local::appsync::graphql

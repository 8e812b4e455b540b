#include "local/appsync/graphql/place.h"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

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

Data CutToSelection(const Schema& schema, PlannedField& field, const Type& type,
                    const Data& data) {
  const Type nullable = type.Nullable();
  if (nullable.is_list()) {
    if (!data.is_array()) return Data();
    std::vector<Data> elements;
    for (const Data& element : data.elements()) {
      elements.push_back(
          CutToSelection(schema, field, nullable.Inner(), element));
    }
    return Data::Array(std::move(elements));
  }
  if (!nullable.named->is_composite()) return data;
  if (!data.is_object()) return Data();
  const NamedType* object = ObjectTypeOf(schema, *nullable.named, data);
  if (object == nullptr) return Data();
  json::ObjectBuilder cut;
  for (PlannedField* child : field.planner->Children(field, *object)) {
    const Data* member = data.Find(child->field->name);
    if (member == nullptr) continue;
    cut.Set(child->key,
            CutToSelection(schema, *child, child->field->type, *member));
  }
  return std::move(cut).Build();
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

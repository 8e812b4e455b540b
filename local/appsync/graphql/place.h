// The places of a response while it is being made. Only for execution.cc
// and completion.cc.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLACE_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "core/json/data.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// A place of the response: a field of an object, or an element of a list.
struct Place {
  enum class Kind : uint8_t { kNull, kLeaf, kObject, kList };
  Kind kind = Kind::kNull;
  // Null for the response's data.
  Place* parent = nullptr;
  PlannedField* field = nullptr;
  // In a list.
  std::optional<size_t> index;
  Type type;
  // What the fields of an object take their values from; of a leaf, the result.
  Data value;
  const NamedType* object_type = nullptr;
  std::vector<Place*> children;
  std::unique_ptr<FieldRequest> request;
  // An error was reported for it or something within it that can't be null.
  bool failed = false;
};

Path PathOf(const Place& place);
// About what PathOf() takes.
size_t PathBytes(const Place& place);

// `data` with only what `field` selects, for the errors of resolvers. Takes its
// bytes from `room`; std::nullopt, and `room` as it was, if there is too
// little: aliases repeat what they select.
std::optional<Data> CutToSelection(const Schema& schema, PlannedField& field,
                                   const Type& type, const Data& data,
                                   size_t& room);

// What a place holds, under response keys.
Data SelectedData(const Place& place);
// What a place holds, under the names of fields.
Data PublishedData(const Place& place);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_PLACE_H_

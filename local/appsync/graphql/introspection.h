// Answers __schema and __type.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_

#include <cstddef>
#include <optional>

#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// The value of `field`, which is __schema or __type. std::nullopt if it has
// more than `max_values` values; takes what it has from it otherwise.
std::optional<Data> Introspect(const Schema& schema, PlannedField& field,
                               size_t& max_values);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_

// Answers __schema and __type.
#ifndef BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_
#define BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_

#include <cstddef>
#include <optional>

#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/plan.h"
#include "local/appsync/graphql/schema.h"

namespace byoshin::local::appsync::graphql {

// What a response may still hold.
struct ResponseRoom {
  size_t values = kMaxResultValues;
  size_t bytes = kMaxResponseBytes;
};

// The value of `field`, which is __schema or __type, whose size is taken from
// `room`. std::nullopt if there is not enough: one of its members is then 0.
std::optional<Data> Introspect(const Schema& schema, PlannedField& field,
                               ResponseRoom& room);

}  // namespace byoshin::local::appsync::graphql

#endif  // BYOSHIN_LOCAL_APPSYNC_GRAPHQL_INTROSPECTION_H_

// What CreateTable and UpdateTable are told about a table: the shapes of those
// parameters, and whether they make a table.
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_

#include <json/forwards.h>

#include <cstddef>

#include "absl/status/status.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {

inline constexpr int kMaxLocalIndexes = 5;
inline constexpr int kMaxGlobalIndexes = 20;
// Of one index, and of all of a table's together; the same name counts in each.
inline constexpr int kMaxNonKeyAttributes = 20;
inline constexpr int kMaxNonKeyAttributesOfTable = 100;
inline constexpr int kMaxTags = 50;

Shape AttributeDefinitionsShape();
Shape ThroughputShape();
Shape OnDemandThroughputShape();
Shape ProjectionShape();
Shape BillingModeShape();
Shape TableClassShape();
Shape EncryptionShape();
Shape StreamShape();
Shape TagsShape();
// Of a table; that of an index has no set of key types to choose from.
Shape KeySchemaShape();
Shape IndexKeySchemaShape();

// CreateTable's request as a whole.
absl::Status CheckTableDefinition(const Json::Value& request);

// AttributeDefinitions that define nothing twice; null is fine.
absl::Status CheckAttributeDefinitions(const Json::Value& definitions);

// `count` is how many NonKeyAttributes all indexes of a table have together.
absl::Status CheckNonKeyAttributesOfTable(size_t count);

// A throughput within the limits; null is fine.
absl::Status CheckThroughput(const Json::Value& throughput);

// An index's key schema and projection, given the AttributeDefinitions.
absl::Status CheckIndexKeys(const Json::Value& index,
                            const Json::Value& attribute_definitions);
absl::Status CheckProjection(const Json::Value& index);

// StreamSpecification and others that would have to do something, and can't.
absl::Status CheckNoUnsupportedSettings(const Json::Value& request);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_

// The parameters of CreateTable and UpdateTable that define a table: their
// shapes and checks.
#ifndef BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_
#define BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_

#include <json/forwards.h>

#include <cstddef>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/wire/shape.h"

namespace byoshin::local::dynamodb {

inline constexpr int kMaxLocalIndexes = 5;
inline constexpr int kMaxGlobalIndexes = 20;
// For one index, and for all indexes of a table together, where a name counts
// in each.
inline constexpr int kMaxNonKeyAttributes = 20;
inline constexpr int kMaxNonKeyAttributesOfTable = 100;
inline constexpr int kMaxTags = 50;

Shape AttributeDefinitionsShape();
Shape ThroughputShape();
Shape OnDemandThroughputShape();
Shape WarmThroughputShape();
Shape ProjectionShape();
Shape BillingModeShape();
Shape TableClassShape();
Shape ReplicationModeShape();
Shape EncryptionShape();
Shape StreamShape();
Shape TagsShape();
Shape TagKeyShape();
// Of a table or local index, and of a global index, which may have keys of
// several attributes.
Shape KeySchemaShape();
Shape GlobalKeySchemaShape();

// CreateTable's request as a whole.
absl::Status CheckTableDefinition(const Json::Value& request);

// Checks AttributeDefinitions for duplicates; null is valid.
absl::Status CheckAttributeDefinitions(const Json::Value& definitions);

// `count` is the number of NonKeyAttributes of all indexes of a table together.
absl::Status CheckNonKeyAttributesOfTable(size_t count);

// Checks the limits of a throughput; null is valid.
absl::Status CheckThroughput(const Json::Value& throughput);

// Checks that a WarmThroughput, of which members may be missing, is not below
// `current`. In errors, `owner` is "table" or "index NAME", and `what` says
// what `current` is.
absl::Status CheckWarmThroughput(const Json::Value& warm,
                                 const WarmThroughput& current,
                                 absl::string_view owner,
                                 absl::string_view what);

// Checks an index's key schema and projection.
absl::Status CheckIndexKeys(const Json::Value& index, IndexKind kind,
                            const Json::Value& attribute_definitions);
absl::Status CheckProjection(const Json::Value& index);

// Checks tags to be added: characters, reserved prefix, duplicates, number.
absl::Status CheckTags(const Json::Value& tags);
absl::Status CheckTagCount(size_t count);

// Rejects StreamSpecification and other unsupported parameters.
absl::Status CheckNoUnsupportedSettings(const Json::Value& request);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_OPERATIONS_TABLE_DEFINITION_H_

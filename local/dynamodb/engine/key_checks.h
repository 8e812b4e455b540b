// Checks keys, items and expressions against a table's schema, with AWS's
// messages.
//
//   absl::Status status = CheckKey(table, key);
//   if (!status.ok()) return status;
//   std::string place = PlaceOf(table, key);
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/key_condition.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// A request's Key: exactly the attributes of the primary key.
absl::Status CheckKey(const Table& table, const Item& key);

// Whether an attribute of the primary key is of its type, but empty.
bool HasEmptyKey(const Table& table, const Item& key);

// An attribute of a key, of a table or index.
absl::Status CheckKeyPart(const Item& key, const KeyAttribute& attribute,
                          KeyRole role);
// All attributes of a key. `key` may have others.
absl::Status CheckKeyParts(const Item& key, const KeySchema& schema);

// An item to be put: has the key, and matches the indexes.
absl::Status CheckItem(const Table& table, const Item& item);

// An update: does not change the key, and the types for index keys match, as
// far as the expression determines them.
absl::Status CheckUpdate(const Table& table, const UpdateExpression& update);

// The result of an update: matches the indexes.
absl::Status CheckUpdatedItem(const Table& table, const Item& item);

// No path leads into a key attribute, which is a scalar.
absl::Status CheckKeyPaths(const Table& table,
                           absl::Span<const DocumentPath> paths);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_

// What may be a key: the checks of keys, items and expressions against a
// table's schema, with AWS's messages.
//
//   if (absl::Status status = CheckKey(table, key); !status.ok()) return
//   status; std::string place = PlaceOf(table, key);
#ifndef BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_
#define BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "local/dynamodb/engine/table.h"
#include "local/dynamodb/expressions/document_path.h"
#include "local/dynamodb/expressions/update.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// A request's Key: the primary key, whole and nothing else.
absl::Status CheckKey(const Table& table, const Item& key);

// An attribute of a key, of a table or index.
enum class KeyRole { kHash, kRange };
absl::Status CheckKeyPart(const Item& key, const KeyAttribute& attribute,
                          KeyRole role);

// An item to be put: has the key, and fits the indexes.
absl::Status CheckItem(const Table& table, const Item& item);

// An update: leaves the key alone, and what it puts into the keys of indexes
// fits as far as the expression tells.
absl::Status CheckUpdate(const Table& table, const UpdateExpression& update);

// An item that an update has made: fits the indexes.
absl::Status CheckUpdatedItem(const Table& table, const Item& item);

// None of the paths looks into a key attribute, which has no inside.
absl::Status CheckKeyPaths(const Table& table,
                           absl::Span<const DocumentPath> paths);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_ENGINE_KEY_CHECKS_H_

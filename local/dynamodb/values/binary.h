// The binary format of items in the store: compact, fast to read, and safe to
// read from any bytes.
//
//   store.Put(key, Serialize(item));
//   absl::StatusOr<Item> item = DeserializeItem(bytes);  // DataLoss if damaged
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_BINARY_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_BINARY_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

std::string Serialize(const Item& item);
std::string Serialize(const AttributeValue& value);

// Bytes that Serialize() does not write are a DataLoss error.
absl::StatusOr<Item> DeserializeItem(absl::string_view bytes);
absl::StatusOr<AttributeValue> DeserializeValue(absl::string_view bytes);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_BINARY_H_

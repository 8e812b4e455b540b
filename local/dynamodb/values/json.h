// Items as AWS's JSON.
//
//   absl::StatusOr<Item> item = ItemFromJson(request["Item"]);
//   if (!item.ok()) return item.status();
//   std::string answer = R"({"Item":)";
//   AppendJson(*item, answer);  // {"id":{"S":"42"},"price":{"N":"5"}}
//   answer += "}";
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_JSON_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_JSON_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"

namespace Json {
class Value;
}

namespace byoshin::local::dynamodb {

// How AWS words what is wrong with a value: batches of writes, transactions and
// Scan in its older words, the other operations in the newer ones.
enum class ValueWording { kNewer, kOlder };

// With AWS's errors: Serialization for JSON of the wrong shape, Validation for
// invalid attribute values. The whole shape is checked first.
absl::StatusOr<AttributeValue> AttributeValueFromJson(
    const Json::Value& json, ValueWording wording = ValueWording::kNewer);

// `json` must be an object of attribute values.
absl::StatusOr<Item> ItemFromJson(const Json::Value& json,
                                  ValueWording wording = ValueWording::kNewer);

// Append without spaces.
void AppendJson(const AttributeValue& value, std::string& out);
void AppendJson(const Item& item, std::string& out);

// AWS's error if an attribute can't have this name: empty or too long.
absl::Status CheckAttributeName(absl::string_view name);

// Standard base64 with padding.
void AppendBase64(absl::string_view bytes, std::string& out);

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_JSON_H_

// Attribute values for tests: written as JSON, or generated.
//
//   Item item = ParseItem(R"({"id": {"S": "1"}})");
//   AttributeValue value = *AnyValue();
#ifndef BYOSHIN_LOCAL_DYNAMODB_VALUES_TESTING_H_
#define BYOSHIN_LOCAL_DYNAMODB_VALUES_TESTING_H_

#include <rapidcheck.h>

#include <string>

#include "absl/strings/string_view.h"
#include "local/dynamodb/values/attribute_value.h"

namespace byoshin::local::dynamodb {

// The text must be right: anything else ends the test.
Item ParseItem(absl::string_view json);
AttributeValue ParseValue(absl::string_view json);

std::string ToJson(const Item& item);
std::string ToJson(const AttributeValue& value);

// Small ones, so that equal values are common.
rc::Gen<Number> AnyNumber();
// S, N or B.
rc::Gen<AttributeValue> AnyKey(AttributeType type);
// Of any type, up to three levels deep.
rc::Gen<AttributeValue> AnyValue();
// With attributes named a to d.
rc::Gen<Item> AnyItem();

}  // namespace byoshin::local::dynamodb

#endif  // BYOSHIN_LOCAL_DYNAMODB_VALUES_TESTING_H_

// DynamoDB's attribute values: as resolvers write them, as DynamoDB's API has
// them, and as the plain values that resolvers get.
//
//   ToWire({"N": 10})       // {"N":"10"}
//   ToPlain({"N": "10"})    // 10
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_ATTRIBUTE_VALUES_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_ATTRIBUTE_VALUES_H_

#include "core/json/data.h"

namespace byoshin::local::appsync {

// Numbers may be JSON numbers, and {"NULL": null} is null. What is not an
// attribute value is left for DynamoDB to refuse.
json::Data ToWire(const json::Data& value);
// Each member of an object.
json::Data ToWireMap(const json::Data& values);

// Each member of an item of DynamoDB's API with numbers as JSON numbers, as
// functions get it; null if `item` is not an object.
json::Data ToTypedItem(const json::Data& item);

json::Data ToPlain(const json::Data& value);
// Each member of an item; null if `item` is not an object.
json::Data ToPlainItem(const json::Data& item);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_ATTRIBUTE_VALUES_H_

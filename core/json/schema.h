// The rules of core/json/json.h for protobuf schemas, shared by reading and
// writing.

#ifndef BYOSHIN_CORE_JSON_SCHEMA_H_
#define BYOSHIN_CORE_JSON_SCHEMA_H_

#include "absl/status/status.h"
#include "google/protobuf/descriptor.h"

namespace byoshin::json {

// Unimplemented, naming the field and its type, if `field` has no mapping. Does
// not check the messages that the field may hold.
absl::Status CheckMapped(const google::protobuf::FieldDescriptor& field);

// Whether the field is required in JSON.
bool IsRequired(const google::protobuf::FieldDescriptor& field);

// The repeated field that represents its whole message; nullptr for messages
// that are ordinary objects.
const google::protobuf::FieldDescriptor* ListField(
    const google::protobuf::Descriptor& message);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_SCHEMA_H_

// What the mapping of core/json/json.h asks of a protobuf schema. Reading and
// writing both decide by these, so that they cannot drift apart.

#ifndef BYOSHIN_CORE_JSON_SCHEMA_H_
#define BYOSHIN_CORE_JSON_SCHEMA_H_

#include "absl/status/status.h"
#include "google/protobuf/descriptor.h"

namespace byoshin::json {

// Unimplemented, naming the field and its type, if `field` has no mapping. Does
// not look into the messages that the field may hold.
absl::Status CheckMapped(const google::protobuf::FieldDescriptor& field);

// Whether JSON must have the field.
bool IsRequired(const google::protobuf::FieldDescriptor& field);

// The repeated field that stands for its whole message; nullptr for messages
// that are ordinary objects.
const google::protobuf::FieldDescriptor* ListField(
    const google::protobuf::Descriptor& message);

}  // namespace byoshin::json

#endif  // BYOSHIN_CORE_JSON_SCHEMA_H_

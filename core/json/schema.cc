#include "core/json/schema.h"

#include <string>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "google/protobuf/descriptor.h"

namespace byoshin::json {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;

constexpr absl::string_view kListName = ".";

absl::Status NotMapped(const FieldDescriptor& field, absl::string_view what) {
  return absl::UnimplementedError(absl::StrCat(
      std::string(field.full_name()), ": ", what, " have no JSON mapping"));
}

}  // namespace

// Descriptor names are std::string in some releases of protobuf and
// absl::string_view in others: hence the conversions.

absl::Status CheckMapped(const FieldDescriptor& field) {
  if (std::string(field.json_name()) == kListName &&
      ListField(*field.containing_type()) == nullptr) {
    return NotMapped(field,
                     "fields named \".\" that are not repeated and alone");
  }
  if (field.is_map()) {
    const Descriptor& entry = *field.message_type();
    if (entry.map_key()->type() != FieldDescriptor::TYPE_STRING) {
      return NotMapped(field, "maps whose keys are not strings");
    }
    return CheckMapped(*entry.map_value());
  }
  switch (field.type()) {
    case FieldDescriptor::TYPE_BYTES:
    case FieldDescriptor::TYPE_ENUM:
    case FieldDescriptor::TYPE_GROUP:
      return NotMapped(field, absl::StrCat("fields of type ",
                                           std::string(field.type_name())));
    case FieldDescriptor::TYPE_MESSAGE:
      // Timestamp, Any, Struct and so on: their JSON is not their fields.
      if (std::string(field.message_type()->file()->package()) ==
          "google.protobuf") {
        return NotMapped(field, "protobuf's well-known types");
      }
      break;
    default:
      break;
  }
  return absl::OkStatus();
}

bool IsRequired(const FieldDescriptor& field) {
  return !field.is_repeated() && !field.has_presence();
}

const FieldDescriptor* ListField(const Descriptor& message) {
  if (message.field_count() != 1) return nullptr;
  const FieldDescriptor* field = message.field(0);
  if (!field->is_repeated() || field->is_map()) return nullptr;
  return std::string(field->json_name()) == kListName ? field : nullptr;
}

}  // namespace byoshin::json

// ToJson: writes a message field by field. It goes straight to text, because
// Json::Value would sort the fields by name.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "core/json/schema.h"
#include "core/json/text.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace byoshin::json {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::Reflection;

[[noreturn]] void DieOfUnmappedField(const absl::Status& status) {
  std::fprintf(stderr, "ToJson: %s\n", status.ToString().c_str());
  std::abort();
}

void WriteMessage(const Message& message, std::string& out);

// The source of a value: a singular field, or `index` of a repeated one.
struct Source {
  const Message& message;
  const FieldDescriptor& field;
  int index = 0;

  template <typename T>
  using Getter = T (Reflection::*)(const Message&,
                                   const FieldDescriptor*) const;
  template <typename T>
  using RepeatedGetter = T (Reflection::*)(const Message&,
                                           const FieldDescriptor*, int) const;

  template <typename T>
  T Load(Getter<T> get, RepeatedGetter<T> get_repeated) const {
    const Reflection& reflection = *message.GetReflection();
    return field.is_repeated()
               ? (reflection.*get_repeated)(message, &field, index)
               : (reflection.*get)(message, &field);
  }

  const Message& LoadMessage() const {
    const Reflection& reflection = *message.GetReflection();
    return field.is_repeated()
               ? reflection.GetRepeatedMessage(message, &field, index)
               : reflection.GetMessage(message, &field);
  }
};

void WriteOne(const Source& source, std::string& out) {
  switch (source.field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      absl::StrAppend(&out, source.Load(&Reflection::GetInt32,
                                        &Reflection::GetRepeatedInt32));
      return;
    case FieldDescriptor::CPPTYPE_INT64:
      absl::StrAppend(&out, source.Load(&Reflection::GetInt64,
                                        &Reflection::GetRepeatedInt64));
      return;
    case FieldDescriptor::CPPTYPE_UINT32:
      absl::StrAppend(&out, source.Load(&Reflection::GetUInt32,
                                        &Reflection::GetRepeatedUInt32));
      return;
    case FieldDescriptor::CPPTYPE_UINT64:
      absl::StrAppend(&out, source.Load(&Reflection::GetUInt64,
                                        &Reflection::GetRepeatedUInt64));
      return;
    case FieldDescriptor::CPPTYPE_FLOAT:
      AppendNumber(
          source.Load(&Reflection::GetFloat, &Reflection::GetRepeatedFloat),
          out);
      return;
    case FieldDescriptor::CPPTYPE_DOUBLE:
      AppendNumber(
          source.Load(&Reflection::GetDouble, &Reflection::GetRepeatedDouble),
          out);
      return;
    case FieldDescriptor::CPPTYPE_BOOL:
      out.append(source.Load(&Reflection::GetBool, &Reflection::GetRepeatedBool)
                     ? "true"
                     : "false");
      return;
    case FieldDescriptor::CPPTYPE_STRING:
      AppendQuoted(
          source.Load(&Reflection::GetString, &Reflection::GetRepeatedString),
          out);
      return;
    case FieldDescriptor::CPPTYPE_MESSAGE:
      WriteMessage(source.LoadMessage(), out);
      return;
    case FieldDescriptor::CPPTYPE_ENUM:
      DieOfUnmappedField(CheckMapped(source.field));
  }
}

int Size(const Message& message, const FieldDescriptor& field) {
  return message.GetReflection()->FieldSize(message, &field);
}

void WriteRepeated(const Message& message, const FieldDescriptor& field,
                   std::string& out) {
  out.push_back('[');
  for (int i = 0; i < Size(message, field); ++i) {
    if (i > 0) out.push_back(',');
    WriteOne(Source{message, field, i}, out);
  }
  out.push_back(']');
}

void WriteMap(const Message& message, const FieldDescriptor& field,
              std::string& out) {
  const Descriptor& entry_type = *field.message_type();
  // Reflection shows a map as a repeated field of entries, in random order.
  std::vector<std::pair<std::string, const Message*>> entries;
  for (int i = 0; i < Size(message, field); ++i) {
    const Message& entry =
        message.GetReflection()->GetRepeatedMessage(message, &field, i);
    entries.emplace_back(
        entry.GetReflection()->GetString(entry, entry_type.map_key()), &entry);
  }
  std::sort(entries.begin(), entries.end());

  out.push_back('{');
  absl::string_view separator;
  for (const auto& [key, entry] : entries) {
    absl::StrAppend(&out, separator);
    separator = ",";
    AppendQuoted(key, out);
    out.push_back(':');
    WriteOne(Source{*entry, *entry_type.map_value()}, out);
  }
  out.push_back('}');
}

bool IsWritten(const Message& message, const FieldDescriptor& field) {
  if (field.is_map()) return Size(message, field) > 0;
  if (field.is_repeated() || IsRequired(field)) return true;
  return message.GetReflection()->HasField(message, &field);
}

void WriteField(const Message& message, const FieldDescriptor& field,
                std::string& out) {
  AppendQuoted(std::string(field.json_name()), out);
  out.push_back(':');
  if (field.is_map()) {
    WriteMap(message, field, out);
  } else if (field.is_repeated()) {
    WriteRepeated(message, field, out);
  } else {
    WriteOne(Source{message, field}, out);
  }
}

void WriteMessage(const Message& message, std::string& out) {
  const Descriptor& type = *message.GetDescriptor();
  for (int i = 0; i < type.field_count(); ++i) {
    absl::Status status = CheckMapped(*type.field(i));
    if (!status.ok()) DieOfUnmappedField(status);
  }
  if (const FieldDescriptor* list = ListField(type); list != nullptr) {
    WriteRepeated(message, *list, out);
    return;
  }
  out.push_back('{');
  absl::string_view separator;
  for (int i = 0; i < type.field_count(); ++i) {
    const FieldDescriptor& field = *type.field(i);
    if (!IsWritten(message, field)) continue;
    absl::StrAppend(&out, separator);
    separator = ",";
    WriteField(message, field, out);
  }
  out.push_back('}');
}

}  // namespace

std::string ToJson(const Message& message) {
  std::string out;
  WriteMessage(message, out);
  return out;
}

}  // namespace byoshin::json

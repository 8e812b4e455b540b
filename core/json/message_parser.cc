// ParseJson and ParseMessage: fills a message from a tree, field by field.

#include <json/json.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/json.h"
#include "core/json/schema.h"
#include "core/json/text.h"
#include "core/json/value.h"
#include "google/protobuf/descriptor.h"
#include "google/protobuf/message.h"

namespace byoshin::json {
namespace {

using ::google::protobuf::Descriptor;
using ::google::protobuf::FieldDescriptor;
using ::google::protobuf::Message;
using ::google::protobuf::OneofDescriptor;
using ::google::protobuf::Reflection;

// The path of a value in the document. Paths are chained on the stack and
// formatted only for an error. A path must not outlive its parent or its name.
class Path {
 public:
  Path() = default;
  static Path Field(const Path& parent, absl::string_view name) {
    return Path(Kind::kField, &parent, name, 0);
  }
  static Path Key(const Path& parent, absl::string_view key) {
    return Path(Kind::kKey, &parent, key, 0);
  }
  static Path Index(const Path& parent, Json::ArrayIndex index) {
    return Path(Kind::kIndex, &parent, "", index);
  }

  // Such as `Records[2].attributes["a"]`.
  std::string ToString() const {
    if (kind_ == Kind::kRoot) return "";
    std::string out = parent_->ToString();
    switch (kind_) {
      case Kind::kRoot:
        break;
      case Kind::kField:
        absl::StrAppend(&out, out.empty() ? "" : ".", name_);
        break;
      case Kind::kKey:
        absl::StrAppend(&out, "[", Excerpt(name_), "]");
        break;
      case Kind::kIndex:
        absl::StrAppend(&out, "[", index_, "]");
        break;
    }
    return out;
  }

 private:
  enum class Kind { kRoot, kField, kKey, kIndex };

  Path(Kind kind, const Path* parent, absl::string_view name,
       Json::ArrayIndex index)
      : kind_(kind), parent_(parent), name_(name), index_(index) {}

  Kind kind_ = Kind::kRoot;
  const Path* parent_ = nullptr;
  absl::string_view name_;
  Json::ArrayIndex index_ = 0;
};

absl::Status ErrorAt(const Path& path, absl::string_view what) {
  const std::string where = path.ToString();
  return absl::InvalidArgumentError(
      absl::StrCat(where.empty() ? "top level" : where, ": ", what));
}

absl::Status Expected(absl::string_view what, const Json::Value& found,
                      const Path& path) {
  return ErrorAt(path,
                 absl::StrCat("expected ", what, ", found ", Describe(found)));
}

// Json::Value::isInt64() and similar functions also accept 5.0, which is not an
// integer in JSON.
template <typename Int>
absl::StatusOr<Int> ReadInteger(const Json::Value& json, const Path& path) {
  if (json.type() == Json::intValue &&
      std::in_range<Int>(json.asLargestInt())) {
    return static_cast<Int>(json.asLargestInt());
  }
  if (json.type() == Json::uintValue &&
      std::in_range<Int>(json.asLargestUInt())) {
    return static_cast<Int>(json.asLargestUInt());
  }
  return Expected(absl::StrCat(std::is_signed_v<Int> ? "a " : "an unsigned ",
                               sizeof(Int) * 8, "-bit integer"),
                  json, path);
}

template <typename Float>
absl::StatusOr<Float> ReadFloatingPoint(const Json::Value& json,
                                        const Path& path) {
  if (!json.isNumeric()) return Expected("a number", json, path);
  const double value = json.asDouble();
  if (!(std::abs(value) <= std::numeric_limits<Float>::max())) {
    return Expected(
        absl::StrCat("a number within ", sizeof(Float) * 8, " bits"), json,
        path);
  }
  return static_cast<Float>(value);
}

absl::StatusOr<bool> ReadBool(const Json::Value& json, const Path& path) {
  if (!json.isBool()) return Expected("true or false", json, path);
  return json.asBool();
}

absl::StatusOr<std::string> ReadString(const Json::Value& json,
                                       const Path& path) {
  if (!json.isString()) return Expected("a string", json, path);
  return json.asString();
}

absl::Status ReadMessage(const Json::Value& json, const Path& path,
                         Message& message);

// The destination of a value: a singular field, or the end of a repeated one.
struct Target {
  Message& message;
  const FieldDescriptor& field;

  template <typename T>
  using Setter = void (Reflection::*)(Message*, const FieldDescriptor*,
                                      T) const;

  template <typename T>
  absl::Status Store(absl::StatusOr<T> value, Setter<T> set,
                     Setter<T> add) const {
    if (!value.ok()) return value.status();
    const Reflection& reflection = *message.GetReflection();
    (reflection.*(field.is_repeated() ? add : set))(&message, &field,
                                                    *std::move(value));
    return absl::OkStatus();
  }

  Message& NewMessage() const {
    const Reflection& reflection = *message.GetReflection();
    return field.is_repeated() ? *reflection.AddMessage(&message, &field)
                               : *reflection.MutableMessage(&message, &field);
  }
};

absl::Status ReadOne(const Json::Value& json, const Path& path,
                     const Target& target) {
  switch (target.field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return target.Store(ReadInteger<int32_t>(json, path),
                          &Reflection::SetInt32, &Reflection::AddInt32);
    case FieldDescriptor::CPPTYPE_INT64:
      return target.Store(ReadInteger<int64_t>(json, path),
                          &Reflection::SetInt64, &Reflection::AddInt64);
    case FieldDescriptor::CPPTYPE_UINT32:
      return target.Store(ReadInteger<uint32_t>(json, path),
                          &Reflection::SetUInt32, &Reflection::AddUInt32);
    case FieldDescriptor::CPPTYPE_UINT64:
      return target.Store(ReadInteger<uint64_t>(json, path),
                          &Reflection::SetUInt64, &Reflection::AddUInt64);
    case FieldDescriptor::CPPTYPE_FLOAT:
      return target.Store(ReadFloatingPoint<float>(json, path),
                          &Reflection::SetFloat, &Reflection::AddFloat);
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return target.Store(ReadFloatingPoint<double>(json, path),
                          &Reflection::SetDouble, &Reflection::AddDouble);
    case FieldDescriptor::CPPTYPE_BOOL:
      return target.Store(ReadBool(json, path), &Reflection::SetBool,
                          &Reflection::AddBool);
    case FieldDescriptor::CPPTYPE_STRING:
      return target.Store<std::string>(ReadString(json, path),
                                       &Reflection::SetString,
                                       &Reflection::AddString);
    case FieldDescriptor::CPPTYPE_MESSAGE:
      return ReadMessage(json, path, target.NewMessage());
    case FieldDescriptor::CPPTYPE_ENUM:
      break;
  }
  // An enum, which CheckMapped has rejected.
  return CheckMapped(target.field);
}

absl::Status ReadRepeated(const Json::Value& json, const Path& path,
                          const Target& target) {
  if (!json.isArray()) return Expected("an array", json, path);
  for (Json::ArrayIndex i = 0; i < json.size(); ++i) {
    absl::Status status = ReadOne(json[i], Path::Index(path, i), target);
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

absl::Status ReadMap(const Json::Value& json, const Path& path,
                     const Target& target) {
  if (!json.isObject()) return Expected("an object", json, path);
  const Descriptor& entry_type = *target.field.message_type();
  for (auto member = json.begin(); member != json.end(); ++member) {
    const std::string key = member.name();
    // Reflection shows a map as a repeated field of entries.
    Message& entry = target.NewMessage();
    entry.GetReflection()->SetString(&entry, entry_type.map_key(), key);
    absl::Status status = ReadOne(*member, Path::Key(path, key),
                                  Target{entry, *entry_type.map_value()});
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

// Otherwise the last member would silently win.
absl::Status CheckOneof(const Path& path, const Target& target) {
  const OneofDescriptor* oneof = target.field.real_containing_oneof();
  const Reflection& reflection = *target.message.GetReflection();
  if (oneof == nullptr || !reflection.HasOneof(target.message, oneof)) {
    return absl::OkStatus();
  }
  const FieldDescriptor& other =
      *reflection.GetOneofFieldDescriptor(target.message, oneof);
  return ErrorAt(path, absl::StrCat("not allowed beside ",
                                    Excerpt(std::string(other.json_name()))));
}

absl::Status ReadField(const Json::Value& object, const Path& parent,
                       const Target& target) {
  const FieldDescriptor& field = target.field;
  if (absl::Status status = CheckMapped(field); !status.ok()) return status;
  const std::string name(field.json_name());
  const Path path = Path::Field(parent, name);
  const Json::Value* json = object.find(name.data(), name.data() + name.size());
  if (json == nullptr || json->isNull()) {
    if (!IsRequired(field)) return absl::OkStatus();
    return ErrorAt(
        path, json == nullptr ? "required, but missing" : "required, but null");
  }
  if (field.is_map()) return ReadMap(*json, path, target);
  if (field.is_repeated()) return ReadRepeated(*json, path, target);
  if (absl::Status status = CheckOneof(path, target); !status.ok()) {
    return status;
  }
  return ReadOne(*json, path, target);
}

absl::Status ReadMessage(const Json::Value& json, const Path& path,
                         Message& message) {
  const Descriptor& type = *message.GetDescriptor();
  if (const FieldDescriptor* list = ListField(type); list != nullptr) {
    if (absl::Status status = CheckMapped(*list); !status.ok()) return status;
    return ReadRepeated(json, path, Target{message, *list});
  }
  if (!json.isObject()) return Expected("an object", json, path);
  for (int i = 0; i < type.field_count(); ++i) {
    absl::Status status =
        ReadField(json, path, Target{message, *type.field(i)});
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ParseMessage(const Json::Value& json, Message& out) {
  out.Clear();
  absl::Status status = ReadMessage(json, Path(), out);
  if (!status.ok()) out.Clear();
  return status;
}

absl::Status ParseJson(absl::string_view json, Message& out) {
  absl::StatusOr<Json::Value> value = ParseValue(json);
  if (!value.ok()) {
    out.Clear();
    return value.status();
  }
  return ParseMessage(*value, out);
}

}  // namespace byoshin::json

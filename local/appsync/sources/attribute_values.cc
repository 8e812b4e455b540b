#include "local/appsync/sources/attribute_values.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

Data NumberText(const Data& number) {
  return number.is_number() ? Data::String(number.ToJson()) : number;
}

Data NumberOf(const Data& text) {
  if (!text.is_string()) return text;
  absl::StatusOr<Data> number = Data::Parse(text.string());
  return number.ok() ? *std::move(number) : text;
}

template <typename Convert>
Data Each(const Data& list, Convert convert) {
  std::vector<Data> elements;
  elements.reserve(list.size());
  for (const Data& element : list.elements()) {
    elements.push_back(convert(element));
  }
  return Data::Array(std::move(elements));
}

template <typename Convert>
Data EachMember(const Data& object, Convert convert) {
  ObjectBuilder builder;
  for (const Data::Member& member : object.members()) {
    builder.Set(member.key, convert(member.value));
  }
  return std::move(builder).Build();
}

Data TypedOf(const Data& value);

Data TypedMember(absl::string_view type, const Data& value) {
  if (type == "N") return NumberOf(value);
  if (type == "NS") return Each(value, NumberOf);
  if (type == "L") return Each(value, TypedOf);
  if (type == "M") return EachMember(value, TypedOf);
  return value;
}

Data TypedOf(const Data& value) {
  ObjectBuilder builder;
  for (const Data::Member& member : value.members()) {
    builder.Set(member.key, TypedMember(member.name(), member.value));
  }
  return std::move(builder).Build();
}

Data WireOf(absl::string_view type, const Data& value) {
  if (type == "N") return NumberText(value);
  if (type == "NS" && value.is_array()) return Each(value, NumberText);
  if (type == "NULL") return Data::Boolean(true);
  if (type == "L" && value.is_array()) return Each(value, ToWire);
  if (type == "M" && value.is_object()) return EachMember(value, ToWire);
  return value;
}

}  // namespace

Data ToWire(const Data& value) {
  if (!value.is_object()) return value;
  ObjectBuilder builder;
  for (const Data::Member& member : value.members()) {
    builder.Set(member.key, WireOf(member.name(), member.value));
  }
  return std::move(builder).Build();
}

Data ToWireMap(const Data& values) {
  return values.is_object() ? EachMember(values, ToWire) : values;
}

Data ToTypedItem(const Data& item) {
  return item.is_object() ? EachMember(item, TypedOf) : Data();
}

Data ToPlain(const Data& value) {
  if (!value.is_object() || value.size() != 1) return Data();
  const Data::Member& member = value.members()[0];
  const absl::string_view type = member.name();
  if (type == "N") return NumberOf(member.value);
  if (type == "NS") return Each(member.value, NumberOf);
  if (type == "NULL") return Data();
  if (type == "L") return Each(member.value, ToPlain);
  if (type == "M") return EachMember(member.value, ToPlain);
  return member.value;
}

Data ToPlainItem(const Data& item) {
  return item.is_object() ? EachMember(item, ToPlain) : Data();
}

}  // namespace byoshin::local::appsync

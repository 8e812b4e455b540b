#include "core/json/value.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/text.h"

namespace byoshin::json {
namespace {

absl::string_view StringOf(const Json::Value& value) {
  const char* begin = nullptr;
  const char* end = nullptr;
  if (!value.getString(&begin, &end)) return "";
  return absl::string_view(begin, static_cast<size_t>(end - begin));
}

void Append(const Json::Value& value, std::string& out);

void AppendArray(const Json::Value& array, std::string& out) {
  out.push_back('[');
  absl::string_view separator;
  for (const Json::Value& element : array) {
    absl::StrAppend(&out, separator);
    separator = ",";
    Append(element, out);
  }
  out.push_back(']');
}

void AppendObject(const Json::Value& object, std::string& out) {
  out.push_back('{');
  absl::string_view separator;
  for (auto member = object.begin(); member != object.end(); ++member) {
    absl::StrAppend(&out, separator);
    separator = ",";
    AppendQuoted(member.name(), out);
    out.push_back(':');
    Append(*member, out);
  }
  out.push_back('}');
}

void Append(const Json::Value& value, std::string& out) {
  switch (value.type()) {
    case Json::nullValue:
      out.append("null");
      return;
    case Json::intValue:
      absl::StrAppend(&out, value.asInt64());
      return;
    case Json::uintValue:
      absl::StrAppend(&out, value.asUInt64());
      return;
    case Json::realValue:
      AppendNumber(value.asDouble(), out);
      return;
    case Json::stringValue:
      AppendQuoted(StringOf(value), out);
      return;
    case Json::booleanValue:
      out.append(value.asBool() ? "true" : "false");
      return;
    case Json::arrayValue:
      AppendArray(value, out);
      return;
    case Json::objectValue:
      AppendObject(value, out);
      return;
  }
}

}  // namespace

int LineAt(absl::string_view text, std::ptrdiff_t offset) {
  const auto before = std::clamp<std::ptrdiff_t>(
      offset, 0, static_cast<std::ptrdiff_t>(text.size()));
  return static_cast<int>(
      1 + std::count(text.begin(), text.begin() + before, '\n'));
}

std::string WriteValue(const Json::Value& value) {
  std::string out;
  Append(value, out);
  return out;
}

std::string TextMember(const Json::Value& object, const char* name) {
  return object.isObject() && object[name].isString() ? object[name].asString()
                                                      : "";
}

std::string Describe(const Json::Value& value) {
  if (value.isArray()) return "an array";
  if (value.isObject()) return "an object";
  if (value.isString()) return Excerpt(StringOf(value));
  return WriteValue(value);
}

}  // namespace byoshin::json

#include "local/dynamodb/values/testing.h"

#include <json/json.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/value.h"
#include "local/dynamodb/values/attribute_value.h"
#include "local/dynamodb/values/json.h"
#include "local/dynamodb/values/number.h"

namespace byoshin::local::dynamodb {
namespace {

constexpr int kGeneratedLevels = 3;

template <typename T>
T ValueOrDie(absl::StatusOr<T> value, absl::string_view text) {
  if (value.ok()) return *std::move(value);
  std::fprintf(stderr, "%s\nin %s\n", value.status().ToString().c_str(),
               std::string(text).c_str());
  std::abort();
}

// Few characters, those that matter to encodings among them.
rc::Gen<std::string> AnyBytes() {
  return rc::gen::resize(4, rc::gen::container<std::string>(rc::gen::element(
                                'a', 'b', '\0', '\x01', '\xFF', '\xFE')));
}

rc::Gen<std::string> AnyText() {
  return rc::gen::resize(4, rc::gen::container<std::string>(rc::gen::element(
                                'a', 'b', '\0', '\x01', '"', '~')));
}

template <typename T>
std::vector<T> WithoutDuplicates(std::vector<T> values) {
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

template <typename T>
std::vector<T> AnySet(const rc::Gen<T>& element) {
  std::vector<T> set;
  const int count = *rc::gen::inRange(1, 4);
  for (int i = 0; i < count; ++i) set.push_back(*element);
  return WithoutDuplicates(std::move(set));
}

AttributeValue MakeValue(int levels);

Item MakeItem(int levels) {
  Item item;
  for (const char* name : {"a", "b", "c", "d"}) {
    if (*rc::gen::inRange(0, 3) > 0) item.Set(name, MakeValue(levels));
  }
  return item;
}

AttributeValue MakeValue(int levels) {
  const int last = levels > 1 ? static_cast<int>(AttributeType::kMap)
                              : static_cast<int>(AttributeType::kBinarySet);
  const auto type = static_cast<AttributeType>(*rc::gen::inRange(0, last + 1));
  switch (type) {
    case AttributeType::kString:
    case AttributeType::kNumber:
    case AttributeType::kBinary:
      return *AnyKey(type);
    case AttributeType::kBool:
      return AttributeValue::Bool(*rc::gen::arbitrary<bool>());
    case AttributeType::kNull:
      return AttributeValue();
    case AttributeType::kStringSet:
      return AttributeValue::MakeStringSet(AnySet(AnyText()));
    case AttributeType::kNumberSet:
      return AttributeValue::MakeNumberSet(AnySet(AnyNumber()));
    case AttributeType::kBinarySet:
      return AttributeValue::MakeBinarySet(AnySet(AnyBytes()));
    case AttributeType::kList: {
      AttributeValue::List list;
      const int count = *rc::gen::inRange(0, 3);
      for (int i = 0; i < count; ++i) list.push_back(MakeValue(levels - 1));
      return AttributeValue(std::move(list));
    }
    case AttributeType::kMap:
      return AttributeValue(MakeItem(levels - 1));
  }
  return AttributeValue();
}

}  // namespace

Item ParseItem(absl::string_view json) {
  return ValueOrDie(ItemFromJson(ValueOrDie(json::ParseValue(json), json)),
                    json);
}

AttributeValue ParseValue(absl::string_view json) {
  return ValueOrDie(
      AttributeValueFromJson(ValueOrDie(json::ParseValue(json), json)), json);
}

std::string ToJson(const Item& item) {
  std::string json;
  AppendJson(item, json);
  return json;
}

std::string ToJson(const AttributeValue& value) {
  std::string json;
  AppendJson(value, json);
  return json;
}

rc::Gen<Number> AnyNumber() {
  return rc::gen::map(
      rc::gen::pair(rc::gen::inRange(-12, 13),
                    rc::gen::element(0, 0, 1, -1, 2, -130, 124)),
      [](const std::pair<int, int>& parts) {
        return ValueOrDie(
            Number::Parse(absl::StrCat(parts.first, "e", parts.second)), "");
      });
}

rc::Gen<AttributeValue> AnyKey(AttributeType type) {
  switch (type) {
    case AttributeType::kNumber:
      return rc::gen::map(AnyNumber(),
                          [](Number number) { return AttributeValue(number); });
    case AttributeType::kBinary:
      return rc::gen::map(AnyBytes(), AttributeValue::Binary);
    default:
      return rc::gen::map(AnyText(), AttributeValue::String);
  }
}

rc::Gen<AttributeValue> AnyValue() {
  return rc::gen::exec([] { return MakeValue(kGeneratedLevels); });
}

rc::Gen<Item> AnyItem() {
  return rc::gen::exec([] { return MakeItem(kGeneratedLevels); });
}

}  // namespace byoshin::local::dynamodb

#include "local/bedrock/schema_example.h"

#include <json/json.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/json/value.h"
#include "local/bedrock/texts.h"

namespace byoshin::local::bedrock {
namespace {

constexpr int kMaxSchemaDepth = 24;
constexpr int kMaxParts = 4096;
constexpr std::int64_t kMaxElements = 256;
constexpr std::int64_t kDefaultElements = 3;
constexpr std::int64_t kMaxTextLength = 65536;
constexpr std::int64_t kDefaultTextLength = 200;
// Between the limits of a number that has only one, or none.
constexpr double kDefaultRange = 99;
// Numbers are multiples of these where the range has some: people like them.
constexpr std::int64_t kRoundNumbers[] = {15, 10, 5};

// https://xoshiro.di.unimi.it/splitmix64.c, the step of the generator.
std::uint64_t Mix(std::uint64_t value) {
  value += 0x9E3779B97F4A7C15;
  value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9;
  value = (value ^ (value >> 27)) * 0x94D049BB133111EB;
  return value ^ (value >> 31);
}

std::uint64_t HashText(absl::string_view text) {
  std::uint64_t hash = 0;
  for (const char c : text) {
    hash = Mix(hash ^ static_cast<unsigned char>(c));
  }
  return hash;
}

bool NameHasAny(absl::string_view name,
                std::initializer_list<absl::string_view> parts) {
  const std::string lower = absl::AsciiStrToLower(name);
  return std::any_of(parts.begin(), parts.end(), [&](absl::string_view part) {
    return absl::StrContains(lower, part);
  });
}

// The integer under `name`, within `min` and `max`.
std::int64_t Bounded(const Json::Value& schema, const char* name,
                     std::int64_t otherwise, std::int64_t max) {
  const Json::Value& value = schema[name];
  if (!value.isNumeric()) return otherwise;
  return static_cast<std::int64_t>(
      std::clamp(value.asDouble(), 0.0, static_cast<double>(max)));
}

// Where a value is: the name of its property, and the number of the element
// that it is in.
struct Place {
  std::string name{};
  std::uint64_t index = 0;
  int depth = 0;
};

class Generator {
 public:
  Generator(const Json::Value& root, const Subject& subject, std::uint64_t seed)
      : root_(root), subject_(subject), seed_(seed) {}

  Json::Value Make(const Json::Value& schema, const Place& place);
  Json::Value MakeLike(const Json::Value& example, const Place& place);

 private:
  std::uint64_t HashOf(const Place& place) const {
    return Mix(seed_ ^ HashText(place.name) ^ Mix(place.index));
  }
  // Texts in consecutive elements differ.
  std::uint64_t NumberOf(const Place& place) const {
    return Mix(seed_ ^ HashText(place.name)) % 4096 + place.index;
  }
  const Json::Value& Resolve(const Json::Value& schema) const;
  std::string TypeOf(const Json::Value& schema) const;
  Json::Value MakeObject(const Json::Value& schema, const Place& place);
  Json::Value MakeArray(const Json::Value& schema, const Place& place);
  Json::Value MakeNumber(const Json::Value& schema, const Place& place,
                         bool integer) const;
  std::string MakeText(const Json::Value& schema, const Place& place) const;
  std::string PlainText(const Place& place) const;

  const Json::Value& root_;
  const Subject& subject_;
  const std::uint64_t seed_;
  int parts_ = 0;
};

const Json::Value& NoSchema() {
  static const auto* const none = new Json::Value(Json::objectValue);
  return *none;
}

const Json::Value& Generator::Resolve(const Json::Value& schema) const {
  const Json::Value* at = &schema;
  for (int i = 0; i < kMaxSchemaDepth; ++i) {
    if (!at->isObject()) return NoSchema();
    const std::string reference = json::TextMember(*at, "$ref");
    absl::string_view path = reference;
    if (!absl::ConsumePrefix(&path, "#")) return *at;
    at = &root_;
    for (const absl::string_view part :
         absl::StrSplit(path, '/', absl::SkipEmpty())) {
      if (!at->isObject()) return NoSchema();
      at = &(*at)[std::string(part)];
    }
  }
  return NoSchema();
}

std::string Generator::TypeOf(const Json::Value& schema) const {
  const Json::Value& type = schema["type"];
  if (type.isString()) return type.asString();
  if (type.isArray()) {
    for (const Json::Value& one : type) {
      if (one.isString() && one.asString() != "null") return one.asString();
    }
    return "null";
  }
  if (schema.isMember("properties")) return "object";
  if (schema.isMember("items")) return "array";
  if (schema.isMember("minimum") || schema.isMember("maximum")) {
    return "number";
  }
  return "string";
}

Json::Value Generator::Make(const Json::Value& unresolved, const Place& place) {
  if (place.depth > kMaxSchemaDepth || ++parts_ > kMaxParts) return {};
  const Json::Value& schema = Resolve(unresolved);
  if (schema.isMember("const")) return schema["const"];
  if (const Json::Value& choices = schema["enum"];
      choices.isArray() && !choices.empty()) {
    return choices[static_cast<Json::ArrayIndex>(HashOf(place) %
                                                 choices.size())];
  }
  Place inner = place;
  ++inner.depth;
  for (const char* choice : {"anyOf", "oneOf"}) {
    const Json::Value& choices = schema[choice];
    if (choices.isArray() && !choices.empty()) return Make(choices[0], inner);
  }
  if (const Json::Value& all = schema["allOf"]; all.isArray() && !all.empty()) {
    Json::Value merged(Json::objectValue);
    for (const Json::Value& part : all) {
      const Json::Value made = Make(part, inner);
      if (!made.isObject()) return made;
      for (const std::string& name : made.getMemberNames()) {
        merged[name] = made[name];
      }
    }
    return merged;
  }
  if (!schema.isMember("type") && schema.isMember("default")) {
    return schema["default"];
  }
  const std::string type = TypeOf(schema);
  if (type == "object") return MakeObject(schema, inner);
  if (type == "array") return MakeArray(schema, inner);
  if (type == "integer") return MakeNumber(schema, place, /*integer=*/true);
  if (type == "number") return MakeNumber(schema, place, /*integer=*/false);
  if (type == "boolean") return HashOf(place) % 2 == 0;
  if (type == "null") return {};
  return MakeText(schema, place);
}

Json::Value Generator::MakeObject(const Json::Value& schema,
                                  const Place& place) {
  Json::Value object(Json::objectValue);
  const Json::Value& properties = schema["properties"];
  if (!properties.isObject()) return object;
  for (const std::string& name : properties.getMemberNames()) {
    Place inner = place;
    inner.name = name;
    object[name] = Make(properties[name], inner);
  }
  return object;
}

Json::Value Generator::MakeArray(const Json::Value& schema,
                                 const Place& place) {
  Json::Value array(Json::arrayValue);
  const std::int64_t least = Bounded(schema, "minItems", 0, kMaxElements);
  const std::int64_t most =
      Bounded(schema, "maxItems", kMaxElements, kMaxElements);
  const std::int64_t count =
      std::min(least > 0 ? least : kDefaultElements, std::max(most, least));
  for (std::int64_t i = 0; i < count && parts_ < kMaxParts; ++i) {
    Place inner = place;
    inner.index = place.index * static_cast<std::uint64_t>(count) +
                  static_cast<std::uint64_t>(i);
    array.append(Make(schema["items"], inner));
  }
  return array;
}

Json::Value Generator::MakeNumber(const Json::Value& schema, const Place& place,
                                  bool integer) const {
  // Doubles are exact up to here.
  constexpr double kLargest = 9007199254740992;
  std::optional<double> least;
  std::optional<double> most;
  const auto read = [&](const char* name, double shift, bool lower) {
    if (!schema[name].isNumeric()) return;
    const double limit =
        std::clamp(schema[name].asDouble() + shift, -kLargest, kLargest);
    if (lower) {
      least = std::max(limit, least.value_or(limit));
    } else {
      most = std::min(limit, most.value_or(limit));
    }
  };
  read("minimum", 0, /*lower=*/true);
  read("exclusiveMinimum", 1, /*lower=*/true);
  read("maximum", 0, /*lower=*/false);
  read("exclusiveMaximum", -1, /*lower=*/false);
  if (!least.has_value()) least = std::min(1.0, most.value_or(1));
  if (!most.has_value()) most = *least + kDefaultRange;
  most = std::max(*most, *least);
  if (!integer && (*most - *least) < 2) return (*least + *most) / 2;
  const auto low = static_cast<std::int64_t>(std::ceil(*least));
  const auto high = std::max(low, static_cast<std::int64_t>(std::floor(*most)));
  if (NameHasAny(place.name, {"position", "order", "index", "number"})) {
    return Json::Int64(
        low + static_cast<std::int64_t>(
                  place.index % static_cast<std::uint64_t>(high - low + 1)));
  }
  const auto pick = [&](std::int64_t step) {
    const std::int64_t first = (low + step - 1) / step * step;
    if (first > high) return Json::Int64(low);
    const std::int64_t steps = (high - first) / step + 1;
    return Json::Int64(
        first + step * static_cast<std::int64_t>(
                           HashOf(place) % static_cast<std::uint64_t>(steps)));
  };
  const std::int64_t multiple = Bounded(schema, "multipleOf", 0, high);
  if (multiple > 0 && low >= 0) return pick(multiple);
  for (const std::int64_t round : kRoundNumbers) {
    if (low >= 0 && high - low >= 3 * round) return pick(round);
  }
  return Json::Int64(
      low + static_cast<std::int64_t>(
                HashOf(place) % static_cast<std::uint64_t>(high - low + 1)));
}

std::string Generator::PlainText(const Place& place) const {
  if (NameHasAny(place.name,
                 {"desc", "detail", "reason", "summary", "text", "content",
                  "background", "criteria", "note", "message", "answer"})) {
    return SentenceText(subject_, NumberOf(place));
  }
  return TitleText(subject_, NumberOf(place));
}

std::string Generator::MakeText(const Json::Value& schema,
                                const Place& place) const {
  const std::string format = json::TextMember(schema, "format");
  const std::uint64_t hash = HashOf(place);
  if (format == "uuid") {
    return absl::StrFormat("%08x-%04x-4%03x-8%03x-%012x", hash >> 32,
                           hash & 0xFFFF, (hash >> 16) & 0xFFF,
                           (hash >> 8) & 0xFFF, Mix(hash) >> 16);
  }
  const std::string day =
      absl::StrFormat("2027-%02d-%02d", hash % 12 + 1, (hash >> 8) % 28 + 1);
  if (format == "date") return day;
  if (format == "date-time") return absl::StrCat(day, "T09:00:00Z");
  if (format == "time") return "09:00:00Z";
  if (format == "email")
    return absl::StrCat("user", hash % 1000, "@example.com");
  if (format == "uri") return absl::StrCat("https://example.com/", hash % 1000);
  return FittingText(
      subject_, PlainText(place),
      static_cast<std::size_t>(Bounded(schema, "minLength", 0, kMaxTextLength)),
      static_cast<std::size_t>(
          Bounded(schema, "maxLength", kDefaultTextLength, kMaxTextLength)));
}

Json::Value Generator::MakeLike(const Json::Value& example,
                                const Place& place) {
  if (place.depth > kMaxSchemaDepth || ++parts_ > kMaxParts) return {};
  if (example.isString()) return PlainText(place);
  if (!example.isObject() && !example.isArray()) return example;
  Json::Value result(example.type());
  Place inner = place;
  ++inner.depth;
  if (example.isArray()) {
    for (Json::ArrayIndex i = 0; i < example.size(); ++i) {
      inner.index = place.index * example.size() + i;
      result.append(MakeLike(example[i], inner));
    }
    return result;
  }
  for (const std::string& name : example.getMemberNames()) {
    inner.name = name;
    result[name] = MakeLike(example[name], inner);
  }
  return result;
}

}  // namespace

bool IsSchema(const Json::Value& value) {
  if (!value.isObject()) return false;
  if (value.isMember("$schema") || value.isMember("$ref")) return true;
  const Json::Value& type = value["type"];
  static constexpr absl::string_view kTypes[] = {
      "object", "array", "string", "integer", "number", "boolean", "null"};
  return type.isString() && std::find(std::begin(kTypes), std::end(kTypes),
                                      type.asString()) != std::end(kTypes);
}

Json::Value ExampleFor(const Json::Value& schema, const Subject& subject,
                       std::uint64_t seed) {
  return Generator(schema, subject, seed).Make(schema, {});
}

Json::Value ExampleLike(const Json::Value& example, const Subject& subject,
                        std::uint64_t seed) {
  return Generator(example, subject, seed).MakeLike(example, {});
}

}  // namespace byoshin::local::bedrock

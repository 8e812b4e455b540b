#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "local/sqs/error.h"
#include "local/sqs/input.h"
#include "local/sqs/record.h"

namespace byoshin::local::sqs {
namespace {

std::string TextOf(const Json::Value& value) {
  const char* begin = nullptr;
  const char* end = nullptr;
  value.getString(&begin, &end);
  return std::string(begin, end);
}

class JsonObjectInput final : public Input {
 public:
  // `object` is one, and outlives this.
  JsonObjectInput(const Json::Value& object, absl::Status& error)
      : Input(error), object_(object) {}

  std::optional<std::string> Text(absl::string_view name) override {
    const Json::Value* value = Member(name);
    if (value == nullptr) return std::nullopt;
    if (!value->isString()) return Wrong(name, "a string"), std::nullopt;
    return TextOf(*value);
  }

  std::optional<int64_t> Integer(absl::string_view name) override {
    const Json::Value* value = Member(name);
    if (value == nullptr) return std::nullopt;
    if (value->type() != Json::intValue) {
      return Wrong(name, "an integer"), std::nullopt;
    }
    return value->asInt64();
  }

  std::vector<std::string> Texts(absl::string_view name) override {
    std::vector<std::string> texts;
    for (const Json::Value& element : Elements(name)) {
      if (!element.isString()) return Wrong(name, "a list of strings"), texts;
      texts.push_back(TextOf(element));
    }
    return texts;
  }

  StringMap TextMap(absl::string_view name) override {
    StringMap map;
    const Json::Value& members = Members(name);
    for (auto member = members.begin(); member != members.end(); ++member) {
      if (!member->isString()) return Wrong(name, "a map of strings"), map;
      map[member.name()] = TextOf(*member);
    }
    return map;
  }

  bool Has(absl::string_view name) override { return Member(name) != nullptr; }

  std::vector<std::unique_ptr<Input>> Structures(
      absl::string_view name) override {
    std::vector<std::unique_ptr<Input>> structures;
    for (const Json::Value& element : Elements(name)) {
      if (!element.isObject()) {
        return Wrong(name, "a list of objects"), std::move(structures);
      }
      structures.push_back(
          std::make_unique<JsonObjectInput>(element, error_slot()));
    }
    return structures;
  }

  std::vector<std::pair<std::string, std::unique_ptr<Input>>> StructureMap(
      absl::string_view name) override {
    std::vector<std::pair<std::string, std::unique_ptr<Input>>> map;
    const Json::Value& members = Members(name);
    for (auto member = members.begin(); member != members.end(); ++member) {
      if (!member->isObject()) {
        return Wrong(name, "a map of objects"), std::move(map);
      }
      map.emplace_back(member.name(), std::make_unique<JsonObjectInput>(
                                          *member, error_slot()));
    }
    return map;
  }

 private:
  // nullptr if there is none, or null.
  const Json::Value* Member(absl::string_view name) const {
    const Json::Value* value =
        object_.find(name.data(), name.data() + name.size());
    return value == nullptr || value->isNull() ? nullptr : value;
  }

  const Json::Value& Elements(absl::string_view name) {
    static const Json::Value* const none = new Json::Value(Json::arrayValue);
    const Json::Value* value = Member(name);
    if (value == nullptr) return *none;
    if (!value->isArray()) return Wrong(name, "a list"), *none;
    return *value;
  }

  const Json::Value& Members(absl::string_view name) {
    static const Json::Value* const none = new Json::Value(Json::objectValue);
    const Json::Value* value = Member(name);
    if (value == nullptr) return *none;
    if (!value->isObject()) return Wrong(name, "a map"), *none;
    return *value;
  }

  void Wrong(absl::string_view name, absl::string_view expected) {
    Fail(MalformedRequest(absl::StrCat(name, " must be ", expected, ".")));
  }

  const Json::Value& object_;
};

// The request as a whole.
class JsonDocumentInput final : public Input {
 public:
  JsonDocumentInput(Json::Value document, absl::Status& error)
      : Input(error), document_(std::move(document)), root_(document_, error) {}

  std::optional<std::string> Text(absl::string_view name) override {
    return root_.Text(name);
  }
  std::optional<int64_t> Integer(absl::string_view name) override {
    return root_.Integer(name);
  }
  std::vector<std::string> Texts(absl::string_view name) override {
    return root_.Texts(name);
  }
  StringMap TextMap(absl::string_view name) override {
    return root_.TextMap(name);
  }
  bool Has(absl::string_view name) override { return root_.Has(name); }
  std::vector<std::unique_ptr<Input>> Structures(
      absl::string_view name) override {
    return root_.Structures(name);
  }
  std::vector<std::pair<std::string, std::unique_ptr<Input>>> StructureMap(
      absl::string_view name) override {
    return root_.StructureMap(name);
  }

 private:
  const Json::Value document_;
  JsonObjectInput root_;
};

}  // namespace

std::optional<std::string> Input::Bytes(absl::string_view name) {
  const std::optional<std::string> text = Text(name);
  if (!text.has_value()) return std::nullopt;
  std::string bytes;
  if (!absl::Base64Unescape(*text, &bytes)) {
    Fail(MalformedRequest(absl::StrCat(name, " is not valid Base64.")));
    return std::nullopt;
  }
  return bytes;
}

std::unique_ptr<Input> JsonInput(absl::StatusOr<Json::Value> document,
                                 absl::Status& error) {
  if (!document.ok() || !document->isObject()) {
    error = MalformedRequest(document.ok() ? "The request is not a JSON object."
                                           : document.status().message());
    document = Json::Value(Json::objectValue);
  }
  return std::make_unique<JsonDocumentInput>(*std::move(document), error);
}

}  // namespace byoshin::local::sqs

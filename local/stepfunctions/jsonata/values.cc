#include "local/stepfunctions/jsonata/values.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

using javascript::Engine;
using javascript::Value;

class DataObject : public javascript::HostObject {
 public:
  explicit DataObject(Data data) : data_(std::move(data)) {}

  const Data& data() const { return data_; }

  std::optional<Value> Get(Engine& engine,
                           absl::string_view name) const override {
    const Data* member = data_.Find(name);
    if (member == nullptr) return std::nullopt;
    return ToValue(engine, *member);
  }

  void ForEachName(
      absl::FunctionRef<void(absl::string_view)> visit) const override {
    for (const Data::Member& member : data_.members()) visit(member.name());
  }

 private:
  Data data_;
};

Data NumberToData(const Value& value) {
  if (const std::optional<int64_t> integer = value.integer()) {
    return Data::Integer(*integer);
  }
  const double number = value.number();
  if (std::isnan(number)) return Data::String("NaN");
  if (std::isinf(number)) {
    return Data::String(number > 0 ? "Infinity" : "-Infinity");
  }
  return Data::JavaScriptNumber(number);
}

// JSONata's own functions are objects.
bool IsJsonataFunction(const Value& value) {
  return value.Get("_jsonata_lambda").boolean() ||
         value.Get("_jsonata_function").boolean();
}

class Converter {
 public:
  explicit Converter(int64_t max_bytes) : left_(max_bytes) {}

  absl::StatusOr<Data> Convert(const Value& value, size_t depth) {
    using Type = Value::Type;
    const Type type = value.type();
    if (depth == 0 && (type == Type::kArray || type == Type::kObject)) {
      return Unrepresentable();
    }
    if (!Take(kValueBytes)) return TooLarge();
    switch (type) {
      case Type::kNull:
        return Data();
      case Type::kBoolean:
        return Data::Boolean(value.boolean());
      case Type::kNumber:
        return NumberToData(value);
      case Type::kString:
        return TextToData(value);
      case Type::kArray:
        return ArrayToData(value, depth);
      case Type::kObject:
        return ObjectToData(value, depth);
      case Type::kUndefined:
      case Type::kFunction:
      case Type::kOther:
        break;
    }
    return Unrepresentable();
  }

 private:
  static absl::Status Unrepresentable() {
    return absl::InvalidArgumentError("JSON can't represent it");
  }
  static absl::Status TooLarge() {
    return absl::ResourceExhaustedError("the result is too large");
  }

  bool Take(size_t bytes) {
    left_ -= static_cast<int64_t>(bytes);
    return left_ >= 0;
  }

  absl::StatusOr<Data> TextToData(const Value& value) {
    const std::string text = value.string();
    if (!Take(text.size())) return TooLarge();
    return Data::String(text);
  }

  absl::StatusOr<Data> ArrayToData(const Value& value, size_t depth) {
    std::vector<Data> elements;
    const uint32_t size = value.size();
    for (uint32_t i = 0; i < size; ++i) {
      const Value element = value.At(i);
      if (element.is_undefined()) {
        if (!Take(kValueBytes)) return TooLarge();
        elements.emplace_back();
        continue;
      }
      absl::StatusOr<Data> data = Convert(element, depth - 1);
      if (!data.ok()) return data;
      elements.push_back(*std::move(data));
    }
    return Data::Array(std::move(elements));
  }

  absl::StatusOr<Data> ObjectToData(const Value& value, size_t depth) {
    if (const auto* host = static_cast<const DataObject*>(value.host())) {
      if (host->data().depth() > depth) return Unrepresentable();
      return host->data();
    }
    if (IsJsonataFunction(value)) return Unrepresentable();
    ObjectBuilder builder;
    absl::Status status;
    value.ForEachMember([&](absl::string_view name, const Value& member) {
      if (member.is_undefined()) return true;
      if (!Take(name.size())) {
        status = TooLarge();
        return false;
      }
      absl::StatusOr<Data> data = Convert(member, depth - 1);
      if (!data.ok()) {
        status = data.status();
        return false;
      }
      builder.Set(name, *std::move(data));
      return true;
    });
    if (!status.ok()) return status;
    return std::move(builder).Build();
  }

  int64_t left_;
};

}  // namespace

Value ToValue(Engine& engine, const Data& data) {
  switch (data.type()) {
    case Data::Type::kNull:
      return engine.Null();
    case Data::Type::kBoolean:
      return engine.Boolean(data.boolean());
    case Data::Type::kNumber:
      return data.is_integer() ? engine.Integer(data.integer())
                               : engine.Number(data.number());
    case Data::Type::kString:
      return engine.String(data.string());
    case Data::Type::kArray: {
      std::vector<Value> elements;
      elements.reserve(data.size());
      for (const Data& element : data.elements()) {
        elements.push_back(ToValue(engine, element));
      }
      return engine.Array(elements);
    }
    case Data::Type::kObject:
      return engine.Host(std::make_shared<DataObject>(data));
  }
  return {};
}

absl::StatusOr<Data> ToData(const Value& value, int64_t max_bytes) {
  return Converter(max_bytes).Convert(value, kMaxDataDepth);
}

}  // namespace byoshin::local::stepfunctions

#include "local/javascript/value.h"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"
#include "local/javascript/quickjs_api.h"

namespace byoshin::local::javascript {
namespace {

constexpr double kMaxSafeInteger = 9007199254740991.0;

// QuickJS writes half a surrogate pair as three bytes, which are not UTF-8.
void ReplaceSurrogates(std::string& text) {
  for (size_t i = 0; i + 2 < text.size(); ++i) {
    if (text[i] == '\xED' && static_cast<uint8_t>(text[i + 1]) >= 0xA0) {
      text.replace(i, 3, "\xEF\xBF\xBD");
    }
  }
}

// Frees what JS_GetOwnPropertyNames() has allocated.
class PropertyNames {
 public:
  PropertyNames(JSContext* context, JSValueConst object) : context_(context) {
    if (JS_GetOwnPropertyNames(context, &names_, &size_, object,
                               JS_GPN_STRING_MASK | JS_GPN_ENUM_ONLY) != 0) {
      JS_FreeValue(context, JS_GetException(context));
    }
  }
  PropertyNames(const PropertyNames&) = delete;
  PropertyNames& operator=(const PropertyNames&) = delete;
  ~PropertyNames() {
    for (uint32_t i = 0; i < size_; ++i) JS_FreeAtom(context_, names_[i].atom);
    js_free(context_, names_);
  }

  uint32_t size() const { return size_; }
  JSAtom operator[](uint32_t i) const { return names_[i].atom; }

 private:
  JSContext* context_;
  JSPropertyEnum* names_ = nullptr;
  uint32_t size_ = 0;
};

Value OwnUnlessThrown(JSContext* context, JSValue value) {
  if (JS_IsException(value)) {
    JS_FreeValue(context, JS_GetException(context));
    return {};
  }
  return ValueAccess::Own(context, value);
}

}  // namespace

std::string TextOf(JSContext* context, JSValueConst value) {
  size_t size = 0;
  const char* bytes = JS_ToCStringLen(context, &size, value);
  if (bytes == nullptr) {
    JS_FreeValue(context, JS_GetException(context));
    return {};
  }
  std::string text(bytes, size);
  JS_FreeCString(context, bytes);
  ReplaceSurrogates(text);
  return text;
}

Value::Value() : raw_(std::bit_cast<Raw>(JS_UNDEFINED)) {}

Value::Value(const Value& other) : context_(other.context_), raw_(other.raw_) {
  if (context_ != nullptr) ValueAccess::Duplicate(other);
}

Value::Value(Value&& other) noexcept
    : context_(std::exchange(other.context_, nullptr)),
      raw_(std::exchange(other.raw_, std::bit_cast<Raw>(JS_UNDEFINED))) {}

Value& Value::operator=(const Value& other) {
  Value copy(other);
  *this = std::move(copy);
  return *this;
}

Value& Value::operator=(Value&& other) noexcept {
  std::swap(context_, other.context_);
  std::swap(raw_, other.raw_);
  return *this;
}

Value::~Value() {
  if (context_ != nullptr) JS_FreeValue(context_, ValueAccess::Borrow(*this));
}

Value::Type Value::type() const {
  const JSValueConst value = ValueAccess::Borrow(*this);
  switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_NULL:
      return Type::kNull;
    case JS_TAG_BOOL:
      return Type::kBoolean;
    case JS_TAG_INT:
    case JS_TAG_FLOAT64:
      return Type::kNumber;
    case JS_TAG_STRING:
    case JS_TAG_STRING_ROPE:
      return Type::kString;
    case JS_TAG_OBJECT:
      if (JS_IsFunction(context_, value)) return Type::kFunction;
      return JS_IsArray(context_, value) > 0 ? Type::kArray : Type::kObject;
    case JS_TAG_UNDEFINED:
    case JS_TAG_UNINITIALIZED:
    case JS_TAG_EXCEPTION:
      return Type::kUndefined;
    default:
      return Type::kOther;
  }
}

bool Value::boolean() const {
  const JSValueConst value = ValueAccess::Borrow(*this);
  return JS_IsBool(value) != 0 && JS_VALUE_GET_BOOL(value) != 0;
}

double Value::number() const {
  const JSValueConst value = ValueAccess::Borrow(*this);
  switch (JS_VALUE_GET_NORM_TAG(value)) {
    case JS_TAG_INT:
      return JS_VALUE_GET_INT(value);
    case JS_TAG_FLOAT64:
      return JS_VALUE_GET_FLOAT64(value);
    default:
      return 0;
  }
}

std::optional<int64_t> Value::integer() const {
  if (type() != Type::kNumber) return std::nullopt;
  const double value = number();
  if (std::abs(value) > kMaxSafeInteger || value != std::trunc(value)) {
    return std::nullopt;
  }
  return static_cast<int64_t>(value);
}

std::string Value::string() const {
  return is_string() ? TextOf(context_, ValueAccess::Borrow(*this))
                     : std::string();
}

uint32_t Value::size() const {
  if (!is_array()) return 0;
  return static_cast<uint32_t>(Get("length").number());
}

const HostObject* Value::host() const {
  const auto* held = static_cast<const std::shared_ptr<const HostObject>*>(
      JS_GetOpaque(ValueAccess::Borrow(*this), HostObjectClass()));
  return held == nullptr ? nullptr : held->get();
}

Value Value::Get(absl::string_view name) const {
  if (context_ == nullptr) return {};
  const JSAtom atom = JS_NewAtomLen(context_, name.data(), name.size());
  const JSValue member =
      JS_GetProperty(context_, ValueAccess::Borrow(*this), atom);
  JS_FreeAtom(context_, atom);
  return OwnUnlessThrown(context_, member);
}

Value Value::At(uint32_t index) const {
  if (context_ == nullptr) return {};
  return OwnUnlessThrown(
      context_,
      JS_GetPropertyUint32(context_, ValueAccess::Borrow(*this), index));
}

bool Value::ForEachMember(
    absl::FunctionRef<bool(absl::string_view, const Value&)> visit) const {
  const JSValueConst object = ValueAccess::Borrow(*this);
  if (JS_IsObject(object) == 0) return true;
  const PropertyNames names(context_, object);
  for (uint32_t i = 0; i < names.size(); ++i) {
    const Value member =
        OwnUnlessThrown(context_, JS_GetProperty(context_, object, names[i]));
    const JSValue name = JS_AtomToString(context_, names[i]);
    const bool go_on = visit(TextOf(context_, name), member);
    JS_FreeValue(context_, name);
    if (!go_on) return false;
  }
  return true;
}

}  // namespace byoshin::local::javascript

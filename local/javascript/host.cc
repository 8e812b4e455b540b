// Functions and objects of C++ that scripts can use.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/container/inlined_vector.h"
#include "absl/strings/string_view.h"
#include "local/javascript/engine.h"
#include "local/javascript/implementation.h"
#include "local/javascript/quickjs_api.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

using HeldObject = std::shared_ptr<const HostObject>;

JSClassID NewClass() {
  JSClassID id = 0;
  return JS_NewClassID(&id);
}

JSClassID HostFunctionClass() {
  static const JSClassID id = NewClass();
  return id;
}

const HostObject& HostOf(JSValueConst object) {
  return **static_cast<HeldObject*>(JS_GetOpaque(object, HostObjectClass()));
}

// Without a copy: names are usually ASCII, which QuickJS has as such.
class AtomText {
 public:
  AtomText(JSContext* context, JSAtom atom) : context_(context) {
    const JSValue name = JS_AtomToValue(context, atom);
    // A symbol is no member.
    if (JS_IsString(name) != 0) {
      bytes_ = JS_ToCStringLen(context, &size_, name);
    }
    JS_FreeValue(context, name);
  }
  AtomText(const AtomText&) = delete;
  AtomText& operator=(const AtomText&) = delete;
  ~AtomText() {
    if (bytes_ != nullptr) JS_FreeCString(context_, bytes_);
  }
  std::optional<absl::string_view> text() const {
    if (bytes_ == nullptr) return std::nullopt;
    return absl::string_view(bytes_, size_);
  }

 private:
  JSContext* context_;
  const char* bytes_ = nullptr;
  size_t size_ = 0;
};

int GetOwnProperty(JSContext* context, JSPropertyDescriptor* descriptor,
                   JSValueConst object, JSAtom property) {
  const AtomText name(context, property);
  if (!name.text().has_value()) return 0;
  std::optional<Value> member = HostOf(object).Get(
      Engine::Implementation::Of(context).engine, *name.text());
  if (!member.has_value()) return 0;
  const JSValue value = ValueAccess::Duplicate(*member);
  if (JS_IsException(value) != 0) return -1;
  if (descriptor == nullptr) {
    JS_FreeValue(context, value);
  } else {
    *descriptor = {JS_PROP_ENUMERABLE, value, JS_UNDEFINED, JS_UNDEFINED};
  }
  return 1;
}

int GetOwnPropertyNames(JSContext* context, JSPropertyEnum** names,
                        uint32_t* size, JSValueConst object) {
  absl::InlinedVector<JSAtom, 16> atoms;
  bool complete = true;
  HostOf(object).ForEachName([&](absl::string_view name) {
    const JSAtom atom = JS_NewAtomLen(context, name.data(), name.size());
    if (atom == JS_ATOM_NULL) complete = false;
    atoms.push_back(atom);
  });
  auto* made = static_cast<JSPropertyEnum*>(
      js_malloc(context, sizeof(JSPropertyEnum) * (atoms.size() + 1)));
  if (made == nullptr || !complete) {
    for (const JSAtom atom : atoms) JS_FreeAtom(context, atom);
    js_free(context, made);
    return -1;
  }
  for (size_t i = 0; i < atoms.size(); ++i) made[i] = {1, atoms[i]};
  *names = made;
  *size = static_cast<uint32_t>(atoms.size());
  return 0;
}

int RefuseChange(JSContext* context) {
  JS_ThrowTypeError(context, "object is read-only");
  return -1;
}

int DeleteProperty(JSContext* context, JSValueConst, JSAtom) {
  return RefuseChange(context);
}

int DefineOwnProperty(JSContext* context, JSValueConst, JSAtom, JSValueConst,
                      JSValueConst, JSValueConst, int) {
  return RefuseChange(context);
}

int SetProperty(JSContext* context, JSValueConst, JSAtom, JSValueConst,
                JSValueConst, int) {
  return RefuseChange(context);
}

JSValue ThrowFromHost(JSContext* context, const Exception& exception) {
  if (!exception.thrown.is_undefined()) {
    return JS_Throw(context, ValueAccess::Duplicate(exception.thrown));
  }
  auto& implementation = Engine::Implementation::Of(context);
  JSValue message = JS_NewStringLen(context, exception.message.data(),
                                    exception.message.size());
  const JSValue error =
      JS_CallConstructor(context, implementation.error, 1, &message);
  JS_FreeValue(context, message);
  return JS_IsException(error) != 0 ? error : JS_Throw(context, error);
}

// A function of C++ takes about as long with this much text as a
// step.
constexpr int64_t kCharactersPerStep = 16;
// Below this, it takes no longer than other calls.
constexpr int64_t kFreeCharacters = 1000;

// Those of a text.
int64_t CharactersOf(JSContext* context, JSValueConst value) {
  if (JS_IsString(value) == 0) return 0;
  return JS_VALUE_GET_INT(JS_GetPropertyStr(context, value, "length"));
}

JSValue CallHostFunction(JSContext* context, JSValueConst, int count,
                         JSValueConst* arguments, int, JSValue* data) {
  const auto& function = *static_cast<Engine::Function*>(
      JS_GetOpaque(data[0], HostFunctionClass()));
  auto& implementation = Engine::Implementation::Of(context);
  absl::InlinedVector<Value, 4> values;
  int64_t characters = 0;
  for (int i = 0; i < count; ++i) {
    values.push_back(ValueAccess::Copy(context, arguments[i]));
    characters += CharactersOf(context, arguments[i]);
  }
  if (characters > kFreeCharacters &&
      !implementation.budget.Take(characters / kCharactersPerStep)) {
    return implementation.ThrowInterrupted();
  }
  const Outcome outcome = function(implementation.engine, values);
  if (!outcome.ok()) return ThrowFromHost(context, outcome.exception());
  return ValueAccess::Duplicate(outcome.value());
}

}  // namespace

JSClassID HostObjectClass() {
  static const JSClassID id = NewClass();
  return id;
}

void RegisterHostClasses(JSRuntime* runtime) {
  static JSClassExoticMethods exotic = {
      .get_own_property = &GetOwnProperty,
      .get_own_property_names = &GetOwnPropertyNames,
      .delete_property = &DeleteProperty,
      .define_own_property = &DefineOwnProperty,
      .has_property = nullptr,
      .get_property = nullptr,
      .set_property = &SetProperty,
      .get_prototype = nullptr,
      .set_prototype = nullptr,
      .is_extensible = nullptr,
      .prevent_extensions = nullptr,
  };
  static const JSClassDef object_class = {
      .class_name = "Object",
      .finalizer =
          [](JSRuntime*, JSValue value) {
            delete static_cast<HeldObject*>(
                JS_GetOpaque(value, HostObjectClass()));
          },
      .gc_mark = nullptr,
      .call = nullptr,
      .exotic = &exotic,
  };
  static const JSClassDef function_class = {
      .class_name = "HostFunction",
      .finalizer =
          [](JSRuntime*, JSValue value) {
            delete static_cast<Engine::Function*>(
                JS_GetOpaque(value, HostFunctionClass()));
          },
      .gc_mark = nullptr,
      .call = nullptr,
      .exotic = nullptr,
  };
  JS_NewClass(runtime, HostObjectClass(), &object_class);
  JS_NewClass(runtime, HostFunctionClass(), &function_class);
}

JSValue NewHostFunction(JSContext* context, absl::string_view name,
                        Engine::Function function) {
  JSValue holder =
      JS_NewObjectClass(context, static_cast<int>(HostFunctionClass()));
  if (JS_IsException(holder) != 0) return holder;
  JS_SetOpaque(holder, new Engine::Function(std::move(function)));
  const JSValue made =
      JS_NewCFunctionData(context, &CallHostFunction, 0, 0, 1, &holder);
  JS_FreeValue(context, holder);
  JS_DefinePropertyValueStr(context, made, "name",
                            JS_NewStringLen(context, name.data(), name.size()),
                            JS_PROP_CONFIGURABLE);
  return made;
}

JSValue NewHostObject(JSContext* context, HeldObject object) {
  const JSValue made =
      JS_NewObjectClass(context, static_cast<int>(HostObjectClass()));
  if (JS_IsException(made) != 0) return made;
  JS_SetOpaque(made, new HeldObject(std::move(object)));
  return made;
}

}  // namespace byoshin::local::javascript

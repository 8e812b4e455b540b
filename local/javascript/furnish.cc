// What scripts find in an engine beside the language itself.
#include <array>
#include <utility>

#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/javascript/engine.h"
#include "local/javascript/implementation.h"
#include "local/javascript/quickjs_api.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

using Implementation = Engine::Implementation;

constexpr int kWritable = JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE;

double NowInMilliseconds(const Implementation& implementation) {
  if (!implementation.options.now) return 0;
  return static_cast<double>(absl::ToUnixMillis(implementation.options.now()));
}

// Frees a JSValue at the end of a block.
class Held {
 public:
  Held(JSContext* context, JSValue value) : context_(context), value_(value) {}
  Held(const Held&) = delete;
  Held& operator=(const Held&) = delete;
  ~Held() { JS_FreeValue(context_, value_); }
  JSValueConst operator*() const { return value_; }

 private:
  JSContext* context_;
  JSValue value_;
};

// Date without arguments is the engine's time.
JSValue MakeDate(JSContext* context, JSValueConst new_target, int count,
                 JSValueConst* arguments) {
  auto& implementation = Implementation::Of(context);
  JSValue now = JS_NewFloat64(context, NowInMilliseconds(implementation));
  if (JS_IsUndefined(new_target) != 0) {
    // Called as a function: the time as a text, whatever the arguments.
    const Held date(context,
                    JS_CallConstructor(context, implementation.date, 1, &now));
    return JS_ToString(context, *date);
  }
  return count == 0 ? JS_CallConstructor2(context, implementation.date,
                                          new_target, 1, &now)
                    : JS_CallConstructor2(context, implementation.date,
                                          new_target, count, arguments);
}

JSValue DateNow(JSContext* context, JSValueConst, int, JSValueConst*) {
  return JS_NewFloat64(context, NowInMilliseconds(Implementation::Of(context)));
}

JSValue MathRandom(JSContext* context, JSValueConst, int, JSValueConst*) {
  const auto& random = Implementation::Of(context).options.random;
  return JS_NewFloat64(context, random ? random() : 0);
}

void ReplaceDate(Implementation& implementation, JSValueConst global) {
  JSContext* context = implementation.context;
  implementation.date = JS_GetPropertyStr(context, global, "Date");
  const JSValueConst original = implementation.date;
  const JSValue made = JS_NewCFunction2(context, &MakeDate, "Date", 7,
                                        JS_CFUNC_constructor_or_func, 0);
  for (const char* name : {"UTC", "parse"}) {
    JS_DefinePropertyValueStr(context, made, name,
                              JS_GetPropertyStr(context, original, name),
                              kWritable);
  }
  JS_DefinePropertyValueStr(context, made, "now",
                            JS_NewCFunction(context, &DateNow, "now", 0),
                            kWritable);
  const JSValue prototype = JS_GetPropertyStr(context, original, "prototype");
  JS_DefinePropertyValueStr(context, prototype, "constructor",
                            JS_DupValue(context, made), kWritable);
  JS_DefinePropertyValueStr(context, made, "prototype", prototype, 0);
  JS_DefinePropertyValueStr(context, global, "Date", made, kWritable);
}

void AddConsole(Implementation& implementation, JSValueConst global) {
  JSContext* context = implementation.context;
  const JSValue console = JS_NewObject(context);
  constexpr std::array<std::pair<const char*, ConsoleLevel>, 5> kFunctions = {{
      {"debug", ConsoleLevel::kLog},
      {"error", ConsoleLevel::kError},
      {"info", ConsoleLevel::kLog},
      {"log", ConsoleLevel::kLog},
      {"warn", ConsoleLevel::kError},
  }};
  for (const auto& [name, level] : kFunctions) {
    auto log = [level = level](Engine& engine,
                               absl::Span<const Value> values) -> Outcome {
      auto& inside = Implementation::Of(ValueAccess::ContextOf(engine));
      if (inside.options.console) {
        inside.options.console(level, inside.Caller(), values);
      }
      return Value();
    };
    JS_DefinePropertyValueStr(context, console, name,
                              NewHostFunction(context, name, std::move(log)),
                              kWritable);
  }
  JS_DefinePropertyValueStr(context, global, "console", console, kWritable);
}

}  // namespace

void Furnish(Implementation& implementation) {
  JSContext* context = implementation.context;
  const Held global(context, JS_GetGlobalObject(context));
  implementation.error = JS_GetPropertyStr(context, *global, "Error");
  const Held object(context, JS_NewObject(context));
  JS_SetClassProto(context, HostObjectClass(),
                   JS_GetPrototype(context, *object));
  ReplaceDate(implementation, *global);
  const Held math(context, JS_GetPropertyStr(context, *global, "Math"));
  JS_DefinePropertyValueStr(context, *math, "random",
                            JS_NewCFunction(context, &MathRandom, "random", 0),
                            kWritable);
  AddConsole(implementation, *global);
}

}  // namespace byoshin::local::javascript

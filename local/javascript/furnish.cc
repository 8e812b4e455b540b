// What scripts find in an engine beside the language itself.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
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
  JSValue* operator&() { return &value_; }

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

// The length of a text, an array or what looks like one.
int64_t LengthOf(JSContext* context, JSValueConst value) {
  if (JS_IsObject(value) == 0 && JS_IsString(value) == 0) return 0;
  const JSValue length =
      JS_GetProperty(context, value, Implementation::Of(context).length_atom);
  int64_t number = 0;
  if (JS_VALUE_GET_TAG(length) == JS_TAG_INT) {
    number = JS_VALUE_GET_INT(length);
  } else if (JS_IsException(length) != 0 ||
             JS_ToInt64(context, &number, length) != 0) {
    JS_FreeValue(context, JS_GetException(context));
  }
  JS_FreeValue(context, length);
  return std::max<int64_t>(number, 0);
}

// Below this, a built-in function takes no longer than other steps.
constexpr int64_t kFreeElements = 1000;
constexpr int64_t kComparedBytesPerStep = 256;

JSValue CallAfterTaking(JSContext* context, int64_t steps, JSValueConst self,
                        absl::Span<JSValueConst> arguments,
                        JSValueConst function) {
  if (steps > kFreeElements) {
    auto& implementation = Implementation::Of(context);
    if (!implementation.budget.Take(steps)) {
      return implementation.ThrowInterrupted();
    }
  }
  return JS_Call(context, function, self, static_cast<int>(arguments.size()),
                 arguments.data());
}

// A function that visits each element; `weight` steps for each.
JSValue CallArrayFunction(JSContext* context, JSValueConst self, int count,
                          JSValueConst* arguments, int weight, JSValue* data) {
  int64_t elements = LengthOf(context, self);
  for (int i = 0; i < count; ++i) {
    // Those of concat().
    if (JS_IsObject(arguments[i]) != 0 &&
        JS_IsFunction(context, arguments[i]) == 0) {
      elements +=
          std::min<int64_t>(LengthOf(context, arguments[i]), int64_t{1} << 53);
    }
  }
  return CallAfterTaking(context, elements * weight, self,
                         {arguments, static_cast<size_t>(count)}, data[0]);
}

// A function that looks for a text in a text, which compares as many characters
// as the product of the lengths, at worst.
JSValue CallStringFunction(JSContext* context, JSValueConst self, int count,
                           JSValueConst* arguments, int, JSValue* data) {
  int64_t steps = 0;
  if (count > 0 && JS_IsString(arguments[0]) != 0) {
    steps = LengthOf(context, self) / kComparedBytesPerStep *
            LengthOf(context, arguments[0]);
  }
  return CallAfterTaking(context, steps, self,
                         {arguments, static_cast<size_t>(count)}, data[0]);
}

void Guard(JSContext* context, JSValueConst owner,
           absl::Span<const char* const> names, JSCFunctionData* guard,
           int weight) {
  for (const char* name : names) {
    Held original(context, JS_GetPropertyStr(context, owner, name));
    if (JS_IsFunction(context, *original) == 0) continue;
    const int parameters = static_cast<int>(LengthOf(context, *original));
    const JSValue guarded =
        JS_NewCFunctionData(context, guard, parameters, weight, 1, &original);
    JS_DefinePropertyValueStr(context, guarded, "name",
                              JS_NewString(context, name),
                              JS_PROP_CONFIGURABLE);
    JS_DefinePropertyValueStr(context, owner, name, guarded, kWritable);
  }
}

// QuickJS asks whether to interrupt a script in its loops and calls, but not in
// built-in functions; an array's length can be 4 billion without any element.
void GuardLoops(JSContext* context, JSValueConst global) {
  constexpr const char* kVisiting[] = {
      "concat",         "copyWithin", "every",
      "fill",           "filter",     "find",
      "findIndex",      "findLast",   "findLastIndex",
      "flat",           "flatMap",    "forEach",
      "includes",       "indexOf",    "join",
      "lastIndexOf",    "map",        "reduce",
      "reduceRight",    "reverse",    "shift",
      "slice",          "some",       "splice",
      "toLocaleString", "toReversed", "toSpliced",
      "toString",       "unshift",    "with",
  };
  constexpr const char* kSorting[] = {"sort", "toSorted"};
  constexpr const char* kSearching[] = {"includes", "indexOf",    "lastIndexOf",
                                        "replace",  "replaceAll", "split"};
  constexpr const char* kRaw[] = {"raw"};
  constexpr int kSortingWeight = 20;
  const Held array(context, JS_GetPropertyStr(context, global, "Array"));
  const Held elements(context, JS_GetPropertyStr(context, *array, "prototype"));
  Guard(context, *elements, kVisiting, &CallArrayFunction, 1);
  Guard(context, *elements, kSorting, &CallArrayFunction, kSortingWeight);
  const Held string(context, JS_GetPropertyStr(context, global, "String"));
  const Held text(context, JS_GetPropertyStr(context, *string, "prototype"));
  Guard(context, *text, kSearching, &CallStringFunction, 1);
  Guard(
      context, *string, kRaw,
      [](JSContext* inside, JSValueConst self, int count,
         JSValueConst* arguments, int, JSValue* data) {
        int64_t parts = 0;
        if (count > 0 && JS_IsObject(arguments[0]) != 0) {
          const Held raw(inside,
                         JS_GetPropertyStr(inside, arguments[0], "raw"));
          parts = LengthOf(inside, *raw);
        }
        return CallAfterTaking(inside, parts, self,
                               {arguments, static_cast<size_t>(count)},
                               data[0]);
      },
      1);
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
  GuardLoops(context, *global);
}

}  // namespace byoshin::local::javascript

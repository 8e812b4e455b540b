#include "local/javascript/implementation.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "local/javascript/engine.h"
#include "local/javascript/quickjs_api.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

// How many steps QuickJS lets pass before it asks.
constexpr int64_t kStepsPerInterrupt = 10'000;

// The first place in a stack such as
//       at map (native)
//       at request (code.js:3:14)
std::optional<Location> FirstPlace(absl::string_view stack) {
  for (absl::string_view line : absl::StrSplit(stack, '\n')) {
    const size_t open = line.find('(');
    if (open != absl::string_view::npos) {
      line.remove_prefix(open + 1);
    } else if (absl::StartsWith(line, "    at ")) {
      line.remove_prefix(7);
    }
    line = line.substr(0, line.find(')'));
    const size_t second = line.rfind(':');
    if (second == absl::string_view::npos || second == 0) continue;
    const size_t first = line.rfind(':', second - 1);
    if (first == absl::string_view::npos) continue;
    Location place;
    if (absl::SimpleAtoi(line.substr(first + 1, second - first - 1),
                         &place.line) &&
        absl::SimpleAtoi(line.substr(second + 1), &place.column)) {
      place.file = std::string(line.substr(0, first));
      return place;
    }
  }
  return std::nullopt;
}

int InitializeModule(JSContext* context, JSModuleDef* module) {
  auto& implementation = Engine::Implementation::Of(context);
  const JSAtom atom = JS_GetModuleName(context, module);
  const JSValue name = JS_AtomToString(context, atom);
  JS_FreeAtom(context, atom);
  const auto found = implementation.modules.find(TextOf(context, name));
  JS_FreeValue(context, name);
  if (found == implementation.modules.end()) return -1;
  for (const auto& [exported, value] : found->second) {
    if (JS_SetModuleExport(context, module, exported.c_str(),
                           ValueAccess::Duplicate(value)) != 0) {
      return -1;
    }
  }
  return 0;
}

JSContext* NewContext(JSRuntime* runtime) {
  JSContext* context = JS_NewContextRaw(runtime);
  JS_AddIntrinsicBaseObjects(context);
  JS_AddIntrinsicDate(context);
  JS_AddIntrinsicEval(context);
  JS_AddIntrinsicStringNormalize(context);
  JS_AddIntrinsicRegExp(context);
  JS_AddIntrinsicJSON(context);
  JS_AddIntrinsicMapSet(context);
  JS_AddIntrinsicPromise(context);
  return context;
}

}  // namespace

JSContext* ValueAccess::ContextOf(Engine& engine) {
  return engine.implementation_->context;
}

Engine::Implementation::Implementation(Engine& owner, EngineOptions given)
    : engine(owner), options(std::move(given)) {
  runtime = JS_NewRuntime2(&Budget::allocator(), &budget);
  JS_SetMaxStackSize(runtime, options.limits.stack_bytes);
  JS_SetInterruptHandler(
      runtime,
      [](JSRuntime*, void* self) {
        return static_cast<Budget*>(self)->Take(kStepsPerInterrupt) ? 0 : 1;
      },
      &budget);
  JS_SetModuleLoaderFunc(
      runtime, nullptr,
      [](JSContext*, const char* name, void* self) {
        return static_cast<Implementation*>(self)->LoadModule(name);
      },
      this);
  RegisterHostClasses(runtime);
  context = NewContext(runtime);
  JS_SetContextOpaque(context, this);
  Furnish(*this);
}

Engine::Implementation::~Implementation() {
  modules.clear();
  JS_FreeValue(context, date);
  JS_FreeValue(context, error);
  JS_FreeContext(context);
  JS_FreeRuntime(runtime);
}

Engine::Implementation::Scope::Scope(Implementation& implementation)
    : implementation_(implementation) {
  if (implementation.nesting_++ > 0) return;
  implementation.budget.Begin(implementation.limits);
  // The thread may be another one than before.
  JS_UpdateStackTop(implementation.runtime);
}

bool Engine::Implementation::RunJobs() {
  while (JS_IsJobPending(runtime) != 0) {
    JSContext* of_job = nullptr;
    if (JS_ExecutePendingJob(runtime, &of_job) < 0) return false;
  }
  return true;
}

Outcome Engine::Implementation::Finish(JSValue result) {
  if (JS_IsException(result) != 0) return TakeException();
  Value value = ValueAccess::Own(context, result);
  if (nesting_ > 1) return value;
  if (!RunJobs()) return TakeException();
  if (JS_IsObject(result) == 0) return value;
  switch (static_cast<int>(JS_PromiseState(context, result))) {
    case JS_PROMISE_FULFILLED:
      return ValueAccess::Own(context, JS_PromiseResult(context, result));
    case JS_PROMISE_REJECTED:
      return Describe(JS_PromiseResult(context, result));
    case JS_PROMISE_PENDING: {
      Exception pending;
      pending.name = "Error";
      pending.message = "The promise was never settled";
      return pending;
    }
    default:
      return value;
  }
}

Exception Engine::Implementation::TakeException() {
  return Describe(JS_GetException(context));
}

Exception Engine::Implementation::Describe(JSValue thrown) {
  Exception exception;
  exception.thrown = ValueAccess::Own(context, thrown);
  // Reading members may run a getter, which is the script's as well.
  const Value message = exception.thrown.Get("message");
  exception.message = message.is_string()            ? message.string()
                      : exception.thrown.is_string() ? exception.thrown.string()
                                                     : "";
  if (JS_IsError(context, thrown) != 0) {
    exception.name = exception.thrown.Get("name").string();
    exception.stack = exception.thrown.Get("stack").string();
    exception.location = FirstPlace(exception.stack);
  }
  if (budget.time_exceeded()) {
    exception.kind = Exception::Kind::kTime;
  } else if (budget.memory_exceeded()) {
    exception.kind = Exception::Kind::kMemory;
  } else if (exception.name == "InternalError" &&
             exception.message == "stack overflow") {
    exception.kind = Exception::Kind::kStack;
  }
  return exception;
}

JSModuleDef* Engine::Implementation::LoadModule(const char* name) {
  const auto found = modules.find(name);
  if (found == modules.end()) {
    JS_ThrowReferenceError(context, "Cannot find module '%s'", name);
    return nullptr;
  }
  JSModuleDef* module = JS_NewCModule(context, name, &InitializeModule);
  if (module == nullptr) return nullptr;
  for (const auto& [exported, value] : found->second) {
    JS_AddModuleExport(context, module, exported.c_str());
  }
  return module;
}

JSValue Engine::Implementation::ThrowInterrupted() {
  JS_ThrowInternalError(context, "interrupted");
  const JSValue thrown = JS_GetException(context);
  JS_SetUncatchableError(context, thrown, 1);
  return JS_Throw(context, thrown);
}

Location Engine::Implementation::Caller() {
  const Value made =
      ValueAccess::Own(context, JS_CallConstructor(context, error, 0, nullptr));
  return FirstPlace(made.Get("stack").string()).value_or(Location());
}

}  // namespace byoshin::local::javascript

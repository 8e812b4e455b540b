#include "local/javascript/engine.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/container/inlined_vector.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "local/javascript/implementation.h"
#include "local/javascript/quickjs_api.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {
namespace {

bool IsFailed(const Value& value) {
  return JS_IsException(ValueAccess::Borrow(value)) != 0;
}

// What JS_Eval() takes: bytes with a zero behind them.
JSValue EvalText(JSContext* context, absl::string_view source,
                 absl::string_view file, int flags) {
  const std::string text(source);
  return JS_Eval(context, text.c_str(), text.size(), std::string(file).c_str(),
                 flags);
}

std::string MessageOf(const Exception& exception) {
  return exception.name.empty()
             ? exception.message
             : absl::StrCat(exception.name, ": ", exception.message);
}

absl::Status StatusOf(const Exception& exception) {
  switch (exception.kind) {
    case Exception::Kind::kMemory:
      return absl::ResourceExhaustedError(MessageOf(exception));
    case Exception::Kind::kTime:
      return absl::DeadlineExceededError(MessageOf(exception));
    default:
      return absl::InvalidArgumentError(MessageOf(exception));
  }
}

}  // namespace

Engine::Engine(EngineOptions options)
    : implementation_(
          std::make_unique<Implementation>(*this, std::move(options))) {}

Engine::~Engine() = default;

void Engine::SetLimits(const Limits& limits) {
  implementation_->limits = limits;
}

void Engine::InterruptBy(const std::atomic<bool>& flag) {
  implementation_->budget.InterruptBy(flag);
}

Value Engine::Null() {
  return ValueAccess::Own(implementation_->context, JS_NULL);
}

Value Engine::Boolean(bool value) {
  return ValueAccess::Own(implementation_->context,
                          JS_NewBool(implementation_->context, value ? 1 : 0));
}

Value Engine::Number(double value) {
  return ValueAccess::Own(implementation_->context,
                          JS_NewFloat64(implementation_->context, value));
}

Value Engine::Integer(int64_t value) {
  return ValueAccess::Own(implementation_->context,
                          JS_NewInt64(implementation_->context, value));
}

Value Engine::String(absl::string_view text) {
  return ValueAccess::Own(
      implementation_->context,
      JS_NewStringLen(implementation_->context, text.data(), text.size()));
}

Value Engine::Array(absl::Span<const Value> elements) {
  JSContext* context = implementation_->context;
  Value array = ValueAccess::Own(context, JS_NewArray(context));
  for (uint32_t i = 0; i < elements.size(); ++i) {
    if (IsFailed(array)) return array;
    if (IsFailed(elements[i])) return elements[i];
    if (JS_DefinePropertyValueUint32(context, ValueAccess::Borrow(array), i,
                                     ValueAccess::Duplicate(elements[i]),
                                     JS_PROP_C_W_E) < 0) {
      return ValueAccess::Own(context, JS_EXCEPTION);
    }
  }
  return array;
}

Value Engine::Object(const Members& members) {
  JSContext* context = implementation_->context;
  Value object = ValueAccess::Own(context, JS_NewObject(context));
  for (const auto& [name, value] : members) {
    if (IsFailed(object)) return object;
    if (IsFailed(value)) return value;
    const JSAtom atom = JS_NewAtomLen(context, name.data(), name.size());
    const int result =
        JS_DefinePropertyValue(context, ValueAccess::Borrow(object), atom,
                               ValueAccess::Duplicate(value), JS_PROP_C_W_E);
    JS_FreeAtom(context, atom);
    if (result < 0) return ValueAccess::Own(context, JS_EXCEPTION);
  }
  return object;
}

Value Engine::Host(std::shared_ptr<const HostObject> object) {
  return ValueAccess::Own(
      implementation_->context,
      NewHostObject(implementation_->context, std::move(object)));
}

Value Engine::NewFunction(absl::string_view name, Function function) {
  return ValueAccess::Own(
      implementation_->context,
      NewHostFunction(implementation_->context, name, std::move(function)));
}

absl::StatusOr<Value> Engine::Parse(absl::string_view text) {
  const Implementation::Scope scope(*implementation_);
  const std::string terminated(text);
  const JSValue value = JS_ParseJSON(implementation_->context,
                                     terminated.c_str(), text.size(), "JSON");
  if (JS_IsException(value) != 0) {
    return StatusOf(implementation_->TakeException());
  }
  return ValueAccess::Own(implementation_->context, value);
}

absl::StatusOr<std::string> Engine::Stringify(const Value& value) {
  const Implementation::Scope scope(*implementation_);
  const Outcome text = implementation_->Finish(
      JS_JSONStringify(implementation_->context, ValueAccess::Borrow(value),
                       JS_UNDEFINED, JS_UNDEFINED));
  if (!text.ok()) return StatusOf(text.exception());
  if (!text.value().is_string()) {
    return absl::InvalidArgumentError("JSON has no representation of it");
  }
  return text.value().string();
}

Value Engine::Global(absl::string_view name) {
  JSContext* context = implementation_->context;
  return ValueAccess::Own(context, JS_GetGlobalObject(context)).Get(name);
}

void Engine::SetGlobal(absl::string_view name, const Value& value) {
  JSContext* context = implementation_->context;
  const Value global = ValueAccess::Own(context, JS_GetGlobalObject(context));
  JS_DefinePropertyValueStr(context, ValueAccess::Borrow(global),
                            std::string(name).c_str(),
                            ValueAccess::Duplicate(value), JS_PROP_C_W_E);
}

void Engine::AddModule(absl::string_view name, Members exports) {
  implementation_->modules[std::string(name)] = std::move(exports);
}

Outcome Engine::Run(absl::string_view source, absl::string_view file) {
  const Implementation::Scope scope(*implementation_);
  return implementation_->Finish(
      EvalText(implementation_->context, source, file, JS_EVAL_TYPE_GLOBAL));
}

Outcome Engine::RunModule(absl::string_view source, absl::string_view file) {
  const Implementation::Scope scope(*implementation_);
  JSContext* context = implementation_->context;
  const JSValue module = EvalText(
      context, source, file, JS_EVAL_TYPE_MODULE | JS_EVAL_FLAG_COMPILE_ONLY);
  if (JS_IsException(module) != 0) return implementation_->TakeException();
  // The context keeps it.
  auto* definition = static_cast<JSModuleDef*>(JS_VALUE_GET_PTR(module));
  Outcome evaluated = implementation_->Finish(JS_EvalFunction(context, module));
  if (!evaluated.ok()) return evaluated;
  return implementation_->Finish(JS_GetModuleNamespace(context, definition));
}

Outcome Engine::Call(const Value& function, absl::Span<const Value> arguments) {
  const Implementation::Scope scope(*implementation_);
  absl::InlinedVector<JSValue, 8> raw;
  for (const Value& argument : arguments) {
    // Memory was exhausted when it was made.
    if (IsFailed(argument)) return implementation_->TakeException();
    raw.push_back(ValueAccess::Borrow(argument));
  }
  return implementation_->Finish(
      JS_Call(implementation_->context, ValueAccess::Borrow(function),
              JS_UNDEFINED, static_cast<int>(raw.size()), raw.data()));
}

absl::StatusOr<std::string> Engine::Compile(absl::string_view source,
                                            absl::string_view file) {
  const Implementation::Scope scope(*implementation_);
  JSContext* context = implementation_->context;
  const JSValue compiled = EvalText(
      context, source, file, JS_EVAL_TYPE_GLOBAL | JS_EVAL_FLAG_COMPILE_ONLY);
  if (JS_IsException(compiled) != 0) {
    return absl::InvalidArgumentError(
        MessageOf(implementation_->TakeException()));
  }
  size_t size = 0;
  uint8_t* bytes =
      JS_WriteObject(context, &size, compiled, JS_WRITE_OBJ_BYTECODE);
  JS_FreeValue(context, compiled);
  if (bytes == nullptr) {
    return absl::InternalError(MessageOf(implementation_->TakeException()));
  }
  std::string bytecode(reinterpret_cast<const char*>(bytes), size);
  js_free(context, bytes);
  return bytecode;
}

Outcome Engine::RunCompiled(absl::string_view bytecode) {
  const Implementation::Scope scope(*implementation_);
  JSContext* context = implementation_->context;
  const JSValue compiled =
      JS_ReadObject(context, reinterpret_cast<const uint8_t*>(bytecode.data()),
                    bytecode.size(), JS_READ_OBJ_BYTECODE);
  if (JS_IsException(compiled) != 0) return implementation_->TakeException();
  return implementation_->Finish(JS_EvalFunction(context, compiled));
}

Location Engine::Caller() { return implementation_->Caller(); }

size_t Engine::memory_in_use() const {
  return implementation_->budget.memory_in_use();
}

bool Engine::limit_exceeded() const {
  return implementation_->budget.memory_exceeded() ||
         implementation_->budget.time_exceeded();
}

}  // namespace byoshin::local::javascript

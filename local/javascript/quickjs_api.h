// QuickJS's header, and how its values become ours. For this folder alone.
#ifndef BYOSHIN_LOCAL_JAVASCRIPT_QUICKJS_API_H_
#define BYOSHIN_LOCAL_JAVASCRIPT_QUICKJS_API_H_

#include <bit>
#include <string>

#include "local/javascript/value.h"

// Its inline functions have parameters that they don't use.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wunused-parameter"  // g++ wants it named
#pragma GCC diagnostic ignored "-Wcast-function-type"
#include "quickjs.h"
#pragma GCC diagnostic pop

namespace byoshin::local::javascript {

struct ValueAccess {
  static JSContext* ContextOf(Engine& engine);
  // Takes over the reference.
  static Value Own(JSContext* context, JSValue value) {
    return {context, std::bit_cast<Value::Raw>(value)};
  }
  static Value Copy(JSContext* context, JSValueConst value) {
    return Own(context, JS_DupValue(context, value));
  }
  // Without a reference of its own.
  static JSValueConst Borrow(const Value& value) {
    return std::bit_cast<JSValue>(value.raw_);
  }
  // With a reference of its own.
  static JSValue Duplicate(const Value& value) {
    return JS_DupValue(value.context_, Borrow(value));
  }
};

// The class of Engine::Host()'s objects.
JSClassID HostObjectClass();

// Text of a JavaScript string as valid UTF-8.
std::string TextOf(JSContext* context, JSValueConst value);

}  // namespace byoshin::local::javascript

#endif  // BYOSHIN_LOCAL_JAVASCRIPT_QUICKJS_API_H_

// A JavaScript value as C++ sees it.
//
//   Outcome outcome = engine.Run("({name: 'x', sizes: [1, 2]})", "example.js");
//   if (!outcome.ok()) return Refuse(outcome.exception().message);
//   std::string name = outcome.value().Get("name").string();
//
// A value keeps what it refers to alive. It belongs to the engine that made it,
// must not outlive it, and is used on the thread that uses the engine.
#ifndef BYOSHIN_LOCAL_JAVASCRIPT_VALUE_H_
#define BYOSHIN_LOCAL_JAVASCRIPT_VALUE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "absl/functional/function_ref.h"
#include "absl/strings/string_view.h"

struct JSContext;

namespace byoshin::local::javascript {

class Engine;
class Value;

// An object whose members are made when a script first reads them. Scripts can
// enumerate it, and cannot change it.
class HostObject {
 public:
  virtual ~HostObject() = default;
  // The member of this name; std::nullopt if there is none.
  virtual std::optional<Value> Get(Engine& engine,
                                   absl::string_view name) const = 0;
  // Calls `visit` with the name of each member, in order.
  virtual void ForEachName(
      absl::FunctionRef<void(absl::string_view)> visit) const = 0;
};

class Value {
 public:
  enum class Type {
    kUndefined,
    kNull,
    kBoolean,
    kNumber,
    kString,
    kArray,
    kObject,
    kFunction,
    // A symbol or a BigInt.
    kOther,
  };

  // Undefined. Needs no engine.
  Value();
  Value(const Value& other);
  Value(Value&& other) noexcept;
  Value& operator=(const Value& other);
  Value& operator=(Value&& other) noexcept;
  ~Value();

  Type type() const;
  bool is_undefined() const { return type() == Type::kUndefined; }
  bool is_null() const { return type() == Type::kNull; }
  bool is_string() const { return type() == Type::kString; }
  bool is_array() const { return type() == Type::kArray; }
  bool is_function() const { return type() == Type::kFunction; }

  // Each of these has a neutral result if the value is of another type.
  bool boolean() const;
  double number() const;
  // The number, if it is an integer that a double can represent exactly.
  std::optional<int64_t> integer() const;
  // UTF-8. Half a surrogate pair becomes U+FFFD.
  std::string string() const;
  // The number of elements of an array.
  uint32_t size() const;
  // What Engine::Host() was given; null for anything else.
  const HostObject* host() const;

  // A member or an element. Undefined if there is none, or if reading it threw.
  Value Get(absl::string_view name) const;
  Value At(uint32_t index) const;
  // Visits the enumerable members in the order of JavaScript, until `visit`
  // returns false. Returns whether it visited them all.
  bool ForEachMember(
      absl::FunctionRef<bool(absl::string_view, const Value&)> visit) const;

 private:
  friend class Engine;
  friend struct ValueAccess;

  // A JSValue, whose header is not needed by those who include this one.
  struct Raw {
    uint64_t words[2];
  };

  // Takes over a reference.
  Value(JSContext* context, Raw raw) : context_(context), raw_(raw) {}

  JSContext* context_ = nullptr;
  Raw raw_;
};

// Where in a script something is. Lines and columns count from 1.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
};

// Why a script did not end normally.
struct Exception {
  enum class Kind {
    // The script threw, or could not be parsed.
    kThrown,
    // The script exceeded a limit. For kMemory and kTime, what the engine holds
    // may be incomplete: discard the engine.
    kMemory,
    kStack,
    kTime,
  };
  Kind kind = Kind::kThrown;
  // For an Error: "TypeError" and so on. Empty if something else was thrown.
  std::string name;
  std::string message;
  // Where it was thrown, if known.
  std::optional<Location> location;
  // One line for each call.
  std::string stack;
  // What was thrown.
  Value thrown;
};

// What a script resulted in.
class Outcome {
 public:
  // NOLINTNEXTLINE(google-explicit-constructor): so that `return value` works.
  Outcome(Value value) : content_(std::in_place_index<0>, std::move(value)) {}
  // NOLINTNEXTLINE(google-explicit-constructor): likewise.
  Outcome(Exception exception)
      : content_(std::in_place_index<1>, std::move(exception)) {}

  bool ok() const { return content_.index() == 0; }
  // Requires ok().
  const Value& value() const { return *std::get_if<0>(&content_); }
  // Requires !ok().
  const Exception& exception() const { return *std::get_if<1>(&content_); }

 private:
  std::variant<Value, Exception> content_;
};

}  // namespace byoshin::local::javascript

#endif  // BYOSHIN_LOCAL_JAVASCRIPT_VALUE_H_

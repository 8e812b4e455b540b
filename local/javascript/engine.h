// An embedded JavaScript engine (QuickJS) for scripts that nobody vouches for.
//
//   Engine engine({.limits = {.memory_bytes = 16 << 20}});
//   Outcome module = engine.RunModule(source, "code.js");
//   if (!module.ok()) return Refuse(module.exception());
//   Outcome answer =
//       engine.Call(module.value().Get("request"), {*engine.Parse(context)});
//
// A script has the language's own objects and what the engine's owner adds; it
// reaches no file, no network, no process and no timer. Time and randomness
// come from the options, so that a script can be run again with the same
// result. Typed arrays, proxies and weak references are left out.
//
// Limits hold for each call from outside by itself. Steps are counted and not
// measured, so that they do not depend on the machine; cpu_time is only for
// steps that take unusually long, such as comparing long texts.
#ifndef BYOSHIN_LOCAL_JAVASCRIPT_ENGINE_H_
#define BYOSHIN_LOCAL_JAVASCRIPT_ENGINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/javascript/value.h"

namespace byoshin::local::javascript {

struct Limits {
  // What a call may allocate beyond what is in use when it begins.
  size_t memory_bytes = size_t{64} << 20;
  // Of the C++ stack. Leave room for it: threads have 8 MiB by default.
  size_t stack_bytes = size_t{1} << 20;
  // Calls and iterations of loops, and elements that built-in functions visit,
  // each time that they visit them. Checked about every 10,000 steps.
  int64_t steps = 20'000'000;
  // Of the calling thread.
  absl::Duration cpu_time = absl::Seconds(10);
};

enum class ConsoleLevel { kLog, kError };

struct EngineOptions {
  Limits limits;
  // For `new Date()` and Date.now(). If empty, it is always 1970.
  std::function<absl::Time()> now;
  // For Math.random(): at least 0 and less than 1. If empty, it is always 0.
  std::function<double()> random;
  // For console.log() and console.error(), with the place of the call. If
  // empty, what scripts log is dropped.
  std::function<void(ConsoleLevel, const Location&, absl::Span<const Value>)>
      console;
};

// Not thread-safe: several threads may use an engine one after another, never
// at the same time.
class Engine {
 public:
  // A function of C++ that scripts can call. An exception in the outcome is
  // thrown in the script: `thrown` if that is defined, otherwise an Error with
  // `message`.
  using Function =
      std::function<Outcome(Engine& engine, absl::Span<const Value> arguments)>;
  using Members = std::vector<std::pair<std::string, Value>>;

  explicit Engine(EngineOptions options = {});
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  // Values must be gone by then.
  ~Engine();

  // Values. When memory is exhausted, these give a value that makes the calling
  // script throw.
  Value Null();
  Value Boolean(bool value);
  Value Number(double value);
  Value Integer(int64_t value);
  // `text` is UTF-8.
  Value String(absl::string_view text);
  Value Array(absl::Span<const Value> elements);
  // Members in this order.
  Value Object(const Members& members);
  Value Host(std::shared_ptr<const HostObject> object);
  Value NewFunction(absl::string_view name, Function function);

  // JSON. InvalidArgument if `text` is not JSON, or `value` can't be
  // represented. ResourceExhausted if the memory does not suffice,
  // DeadlineExceeded if the time does not: discard the engine.
  absl::StatusOr<Value> Parse(absl::string_view text);
  absl::StatusOr<std::string> Stringify(const Value& value);

  Value Global(absl::string_view name);
  void SetGlobal(absl::string_view name, const Value& value);
  // A module that scripts can import, such as '@aws-appsync/utils'.
  void AddModule(absl::string_view name, Members exports);

  // Each of these also runs the jobs that the script has queued, and gives what
  // a promise was resolved with. One that is still pending then is an error.
  //
  // The value of a script's last statement.
  Outcome Run(absl::string_view source, absl::string_view file);
  // The exports of a module, as an object.
  Outcome RunModule(absl::string_view source, absl::string_view file);
  Outcome Call(const Value& function, absl::Span<const Value> arguments);

  // A script compiled for other engines of this process, which saves parsing.
  // Never run bytecode from elsewhere.
  absl::StatusOr<std::string> Compile(absl::string_view source,
                                      absl::string_view file);
  Outcome RunCompiled(absl::string_view bytecode);

  // For calls from now on. The limit of the stack stays as it is.
  void SetLimits(const Limits& limits);

  // While `flag` is true, calls end soon as if they had exceeded their time.
  // `flag` outlives the engine.
  void InterruptBy(const std::atomic<bool>& flag);

  // Within a Function: where the script called it.
  Location Caller();
  // What the engine has allocated.
  size_t memory_in_use() const;
  // Whether a limit has been exceeded since the last call began, also while
  // what it gave was read: texts may be empty then.
  bool limit_exceeded() const;

  class Implementation;

 private:
  friend struct ValueAccess;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace byoshin::local::javascript

#endif  // BYOSHIN_LOCAL_JAVASCRIPT_ENGINE_H_

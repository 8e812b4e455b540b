// Runs the handlers of resolvers and functions: the runtime APPSYNC_JS 1.0.0.
//
//   Runtime runtime({.now = [&clock] { return clock.Now(); }});
//   LoadedScript loaded = runtime.Load(code);
//   if (loaded.script == nullptr) return BadRequest(loaded.errors);
//   Evaluation request = runtime.Evaluate(*loaded.script, kRequestHandler,
//                                         R"({"arguments":{"id":"1"}})");
//   if (request.error.has_value()) return FieldError(*request.error);
//   Send(request.result.value_or("null"));
//
// Code is parsed once, when it is loaded, and evaluated by a pool of JavaScript
// engines. Every evaluation runs the module from its beginning, so what it
// declares is as new; what is shared (`util`, `Array.prototype` and so on)
// is frozen. No evaluation can observe another.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_RUNTIME_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_RUNTIME_H_

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "local/appsync/script/checker.h"
#include "local/javascript/engine.h"

namespace byoshin::local::appsync::script {

inline constexpr char kRequestHandler[] = "request";
inline constexpr char kResponseHandler[] = "response";

// The errorType of util.unauthorized().
inline constexpr char kUnauthorizedType[] = "Unauthorized";
// Of faults, such as reading a member of null.
inline constexpr char kCodeErrorType[] = "Code";

// An evaluation may initiate this many invalidations, cf.
// extensions.invalidateSubscriptions().
inline constexpr size_t kMaxInvalidations = 5;

// What the code threw, or appended with util.appendError().
struct ScriptError {
  enum class Kind {
    kRaised,        // util.error() or util.appendError()
    kUnauthorized,  // util.unauthorized()
    kFault,         // uncaught, or a limit was exceeded
  };
  Kind kind = Kind::kRaised;
  // For a fault, with its place in front: "code.js:3:5: ...".
  std::string message;
  // Empty if there is none.
  std::string error_type;
  // JSON texts, "null" if there is none.
  std::string data = "null";
  std::string error_info = "null";
};

// Where runtime.earlyReturn() goes.
enum class SkipTo {
  kDefault,  // not specified: on, as it suits the handler
  kNext,
  kEnd,
};

// Of extensions.invalidateSubscriptions().
struct SubscriptionInvalidation {
  std::string subscription_field;
  // A JSON object.
  std::string payload;
};

// Of extensions.evictFromApiCache().
struct CacheEviction {
  std::string type_name;
  std::string field_name;
  // A JSON object whose members are in order.
  std::string key_values;
};

// What a handler did. What it logged, appended and asked for counts even if it
// ended with an error.
struct Evaluation {
  // The JSON text that it returned, also by an early return. std::nullopt if
  // that is undefined, or there is an error.
  std::optional<std::string> result;
  std::optional<ScriptError> error;
  // If runtime.earlyReturn() ended it.
  std::optional<SkipTo> early_return;
  std::vector<ScriptError> appended_errors;
  // Lines such as `INFO - code.js:13:5: "text"`.
  std::vector<std::string> logs;
  // ctx.stash afterwards, a JSON object.
  std::string stash = "{}";
  // Of extensions.setSubscriptionFilter() and
  // setSubscriptionInvalidationFilter(): JSON texts such as
  // {"filterGroup":[{"filters":[{"fieldName":...,"operator":...,"value":...}]}]}
  // and "null" for a filter that was removed.
  std::optional<std::string> subscription_filter;
  std::optional<std::string> invalidation_filter;
  std::vector<SubscriptionInvalidation> invalidations;
  std::vector<CacheEviction> evictions;
  // Of util.http.addResponseHeader(), in the order of the calls.
  std::vector<std::pair<std::string, std::string>> response_headers;
};

// Code that was loaded. Thread-safe, and independent of the Runtime that loaded
// it except that only that one can run it.
class Script {
 public:
  // Whether the code exports a function of this name.
  bool Has(absl::string_view handler) const;

 private:
  friend class Runtime;
  friend class ScriptEngine;
  Script() = default;

  // By which engines know it.
  uint64_t id_ = 0;
  std::vector<std::string> exports_;
  std::string bytecode_;
};

// Members of ctx that are parsed only if the code reads them, which most code
// does not. JSON texts; empty if they are in the context, or are undefined.
struct LazyMembers {
  absl::string_view info{};
  absl::string_view request{};
};

struct LoadedScript {
  // Null if there are errors.
  std::shared_ptr<const Script> script;
  std::vector<CodeError> errors;
};

// What one evaluation may use.
inline constexpr javascript::Limits kEvaluationLimits = {
    .memory_bytes = size_t{64} << 20,
    .stack_bytes = size_t{512} << 10,
    .steps = 5'000'000,
    .cpu_time = absl::Seconds(5)};

// What an evaluation may use on a thread that others wait for.
inline constexpr javascript::Limits kQuickLimits = {
    .memory_bytes = kEvaluationLimits.memory_bytes,
    .stack_bytes = kEvaluationLimits.stack_bytes,
    .steps = 200'000,
    .cpu_time = absl::Milliseconds(20)};

struct RuntimeOptions {
  // For util.time and identifiers. If empty, the system's time.
  std::function<absl::Time()> now;
  // 64 random bits. If empty, those of core/random.
  std::function<uint64_t()> random_bits;
  // An engine needs at least 8 MiB and 1,000,000 steps to begin with.
  javascript::Limits limits = kEvaluationLimits;
  javascript::Limits quick_limits = kQuickLimits;
  // Engines that are kept for later; further ones are made when that many
  // threads evaluate at once.
  size_t max_idle_engines = 4;
};

// Thread-safe: evaluations run on the threads that call, concurrently. The
// functions of the options are called on these threads.
class Runtime {
 public:
  explicit Runtime(RuntimeOptions options = {});
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;
  ~Runtime();

  // Checks and compiles code. Takes milliseconds; the same code again (of the
  // last few hundred) takes none.
  LoadedScript Load(absl::string_view code);

  // Drops what is kept of code that is no longer used. Scripts stay valid.
  void Forget(absl::string_view code);

  // Runs a handler. `context` is the JSON object of ctx: arguments, source,
  // identity, request, result, prev, stash, env, info, error, outErrors; what
  // is missing is undefined, but arguments (also ctx.args), stash, env and
  // outErrors are empty ones. Text that is not a JSON object gives a fault.
  Evaluation Evaluate(const Script& script, absl::string_view handler,
                      absl::string_view context, const LazyMembers& lazy = {});

  // The same within the quick limits. nullopt if they were exceeded: nothing
  // has happened then, and Evaluate() on a thread that may be busy for seconds
  // gives the result.
  std::optional<Evaluation> EvaluateQuickly(const Script& script,
                                            absl::string_view handler,
                                            absl::string_view context,
                                            const LazyMembers& lazy = {});

  // Ends the evaluations under way soon, and later ones, as if they took too
  // long. Those that are short may still give their results.
  void Interrupt();

 private:
  class Pool;

  std::unique_ptr<Pool> pool_;
  Checker checker_;
};

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_RUNTIME_H_

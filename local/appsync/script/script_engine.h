// A JavaScript engine with APPSYNC_JS's library in it. For this folder alone.
#ifndef BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPT_ENGINE_H_
#define BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPT_ENGINE_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "local/appsync/script/runtime.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::appsync::script {

// The file that locations in messages name.
inline constexpr char kCodeFile[] = "code.js";

// Not thread-safe.
class ScriptEngine {
 public:
  // `options` and `interrupted` must outlive this; now and random_bits are set.
  // While `interrupted` is true, evaluations end as if they took too long.
  ScriptEngine(const RuntimeOptions& options,
               const std::atomic<bool>& interrupted);
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;

  // Of what is compiled and evaluated from now on.
  void SetLimits(const javascript::Limits& limits) {
    engine_.SetLimits(limits);
  }

  absl::StatusOr<std::string> Compile(absl::string_view factory) {
    return engine_.Compile(factory, kCodeFile);
  }
  Evaluation Evaluate(const Script& script, absl::string_view handler,
                      absl::string_view context, const LazyMembers& lazy);

  // Forgets the scripts that it has read.
  void Clear() { factories_.clear(); }
  // How many times scripts had been forgotten when it was taken; the owner's.
  uint64_t generation() const { return generation_; }
  void set_generation(uint64_t generation) { generation_ = generation; }

  // False after a script exceeded a limit: this can't be used again.
  bool usable() const { return usable_; }

 private:
  javascript::Value HostFunctions();
  // Null if it is empty.
  javascript::Value TextOrNull(absl::string_view text);
  // What the script's bytecode gives. Read once.
  javascript::Outcome FactoryOf(const Script& script);
  // Of a limit: this is not usable any more.
  Evaluation ExceedTime();
  Evaluation ExceedMemory();
  Evaluation LimitExceeded(const javascript::Exception& exception);

  const RuntimeOptions& options_;
  bool usable_ = true;
  uint64_t generation_ = 0;
  javascript::Engine engine_;
  javascript::Value evaluate_;
  javascript::Value request_name_;
  javascript::Value response_name_;
  // By the script's id.
  absl::flat_hash_map<uint64_t, javascript::Value> factories_;
  size_t memory_at_first_ = 0;
};

}  // namespace byoshin::local::appsync::script

#endif  // BYOSHIN_LOCAL_APPSYNC_SCRIPT_SCRIPT_ENGINE_H_

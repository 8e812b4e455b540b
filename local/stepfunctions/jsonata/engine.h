// A JavaScript engine with the JSONata library in it. For this folder alone.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_ENGINE_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_ENGINE_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {

// What is known of an expression without evaluating it.
struct JsonataAnalysis {
  // What it reads from the context, which Step Functions does not have.
  std::vector<std::string> reads;
  // The variables and functions that it mentions, without the $.
  std::vector<std::string> variables;
  // The members of $states that it mentions.
  std::vector<std::string> states;
  // If it is only a path such as $a.b.c: the names, otherwise empty.
  std::vector<std::string> path;
};

// A text with a number of its own, by which engines know it.
struct JsonataText {
  uint64_t id = 0;
  std::string text;
  JsonataAnalysis analysis;
};

// The value of a variable, `$states` included; null if there is none.
const Data* VariableOf(const ExpressionBindings& bindings,
                       absl::string_view name);

// Not thread-safe.
class JsonataEngine {
 public:
  explicit JsonataEngine(const javascript::Limits& limits);
  JsonataEngine(const JsonataEngine&) = delete;
  JsonataEngine& operator=(const JsonataEngine&) = delete;

  // The message of the parser, if it refuses the text.
  std::variant<JsonataAnalysis, std::string> Analyze(absl::string_view text);

  ExpressionResult Evaluate(const JsonataText& expression,
                            const ExpressionBindings& bindings);

  // False after an expression exceeded a limit: this can't be used again.
  bool usable() const { return usable_; }

 private:
  javascript::Value HostFunctions();
  // Compiles it, unless this has done so already.
  javascript::Outcome Compiled(const JsonataText& expression);
  javascript::Value Bind(const JsonataText& expression,
                         const ExpressionBindings& bindings);
  ExpressionFailure FailureOf(const javascript::Exception& exception);

  // Those of the evaluation under way.
  const ExpressionBindings* bindings_ = nullptr;
  bool usable_ = true;
  javascript::Engine engine_;
  javascript::Value compile_;
  javascript::Value analyze_;
  javascript::Value evaluate_;
  // By the expression's number.
  absl::flat_hash_map<uint64_t, javascript::Value> compiled_;
  size_t memory_at_first_ = 0;
};

// Engines for any number of threads. Thread-safe.
class JsonataEngines {
 public:
  explicit JsonataEngines(const javascript::Limits& limits) : limits_(limits) {}

  // An engine for one thread, which goes back at the end.
  class Lease {
   public:
    explicit Lease(JsonataEngines& engines);
    Lease(const Lease&) = delete;
    Lease& operator=(const Lease&) = delete;
    ~Lease();
    JsonataEngine* operator->() { return engine_.get(); }

   private:
    JsonataEngines& engines_;
    std::unique_ptr<JsonataEngine> engine_;
  };

 private:
  const javascript::Limits limits_;
  sync::Mutex mutex_;
  std::vector<std::unique_ptr<JsonataEngine>> idle_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_ENGINE_H_

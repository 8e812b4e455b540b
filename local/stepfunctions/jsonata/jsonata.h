// JSONata as Step Functions has it: version 2.0.6 of the reference
// implementation, without $eval, with $parse, $partition, $range, $hash,
// $random(seed) and $uuid, and with AWS's limits.
//
//   JsonataCompiler compiler;
//   auto compiled = compiler.Compile("$states.input.a + 1");
//   using Mistakes = std::vector<ExpressionMistake>;
//   auto* mistakes = std::get_if<Mistakes>(&compiled);
//   if (mistakes != nullptr) return Refuse(*mistakes);
//
// Runs on the embedded JavaScript engine. Engines are made when they are first
// needed, are kept, and each is used by one thread at a time.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_JSONATA_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_JSONATA_H_

#include <cstddef>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/javascript/engine.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {

class JsonataEngines;

// Of one evaluation. AWS's own limits, on depth and on the size of values, hold
// as well; QuickJS takes twice the memory for a number, and the library holds
// several copies of a sequence. The steps take about a second.
inline constexpr javascript::Limits kJsonataLimits = {
    .memory_bytes = size_t{128} << 20, .steps = 20'000'000};

// Thread-safe. Expressions may outlive it.
class JsonataCompiler : public ExpressionCompiler {
 public:
  explicit JsonataCompiler(const javascript::Limits& limits = kJsonataLimits);
  JsonataCompiler(const JsonataCompiler&) = delete;
  JsonataCompiler& operator=(const JsonataCompiler&) = delete;
  ~JsonataCompiler() override;

  // The same text gives the same expression as long as somebody has it.
  std::variant<std::shared_ptr<const Expression>,
               std::vector<ExpressionMistake>>
  Compile(absl::string_view text) override;

 private:
  const std::shared_ptr<JsonataEngines> engines_;
  sync::Mutex mutex_;
  absl::flat_hash_map<std::string, std::weak_ptr<const Expression>> known_
      ABSL_GUARDED_BY(mutex_);
  // When to drop those that nobody has any longer.
  size_t prune_at_ ABSL_GUARDED_BY(mutex_) = 1000;
};

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_JSONATA_JSONATA_H_

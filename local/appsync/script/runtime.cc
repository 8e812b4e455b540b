#include "local/appsync/script/runtime.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_map.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "local/appsync/script/checker.h"
#include "local/appsync/script/script_engine.h"

namespace byoshin::local::appsync::script {
namespace {

// Code that is kept for the case that it is loaded again.
constexpr size_t kMaxKnownScripts = 300;

uint64_t NextScriptId() {
  static std::atomic<uint64_t> last = 0;
  return ++last;
}

RuntimeOptions WithDefaults(RuntimeOptions options) {
  if (!options.now) options.now = absl::Now;
  if (!options.random_bits) options.random_bits = random::Bits;
  return options;
}

}  // namespace

bool Script::Has(absl::string_view handler) const {
  return absl::c_linear_search(exports_, handler);
}

// Engines for any number of threads, and the scripts that are known.
// Thread-safe.
class Runtime::Pool {
 public:
  explicit Pool(RuntimeOptions options)
      : options_(WithDefaults(std::move(options))) {}
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  const RuntimeOptions& options() const { return options_; }
  void Interrupt() { interrupted_ = true; }

  std::unique_ptr<ScriptEngine> Take() {
    uint64_t generation = 0;
    {
      const sync::MutexLock lock(mutex_);
      generation = generation_;
      if (!idle_.empty()) {
        std::unique_ptr<ScriptEngine> engine = std::move(idle_.back());
        idle_.pop_back();
        engine->set_generation(generation);
        return engine;
      }
    }
    auto engine = std::make_unique<ScriptEngine>(options_, interrupted_);
    engine->set_generation(generation);
    return engine;
  }

  void GiveBack(std::unique_ptr<ScriptEngine> engine) {
    if (!engine->usable()) return;
    const sync::MutexLock lock(mutex_);
    if (engine->generation() != generation_) engine->Clear();
    if (idle_.size() < options_.max_idle_engines) {
      idle_.push_back(std::move(engine));
    }
  }

  std::shared_ptr<const Script> Find(absl::string_view code) {
    const sync::MutexLock lock(mutex_);
    const auto found = known_.find(code);
    return found == known_.end() ? nullptr : found->second;
  }

  void Remember(absl::string_view code, std::shared_ptr<const Script> script) {
    const sync::MutexLock lock(mutex_);
    if (known_.size() >= kMaxKnownScripts) known_.clear();
    known_.insert_or_assign(std::string(code), std::move(script));
  }

  void Forget(absl::string_view code) {
    const sync::MutexLock lock(mutex_);
    if (known_.erase(code) == 0) return;
    ++generation_;
    for (const std::unique_ptr<ScriptEngine>& engine : idle_) engine->Clear();
  }

 private:
  const RuntimeOptions options_;
  std::atomic<bool> interrupted_ = false;
  sync::Mutex mutex_;
  std::vector<std::unique_ptr<ScriptEngine>> idle_ ABSL_GUARDED_BY(mutex_);
  absl::flat_hash_map<std::string, std::shared_ptr<const Script>> known_
      ABSL_GUARDED_BY(mutex_);
  // How many scripts were forgotten.
  uint64_t generation_ ABSL_GUARDED_BY(mutex_) = 0;
};

Runtime::Runtime(RuntimeOptions options)
    : pool_(std::make_unique<Pool>(std::move(options))) {}

Runtime::~Runtime() = default;

LoadedScript Runtime::Load(absl::string_view code) {
  if (std::shared_ptr<const Script> known = pool_->Find(code)) {
    return {.script = std::move(known), .errors = {}};
  }
  CheckedCode checked = checker_.Check(code);
  if (!checked.errors.empty()) {
    return {.script = nullptr, .errors = std::move(checked.errors)};
  }
  std::unique_ptr<ScriptEngine> engine = pool_->Take();
  engine->SetLimits(pool_->options().limits);
  absl::StatusOr<std::string> bytecode = engine->Compile(checked.factory);
  pool_->GiveBack(std::move(engine));
  if (!bytecode.ok()) {
    return {.script = nullptr,
            .errors = {{.error_type = kParserError,
                        .value = std::string(bytecode.status().message()),
                        .location = {.line = 0, .column = 0, .span = -1}}}};
  }
  const std::shared_ptr<Script> script(new Script());
  script->id_ = NextScriptId();
  script->exports_ = std::move(checked.exports);
  script->bytecode_ = *std::move(bytecode);
  pool_->Remember(code, script);
  return {.script = script, .errors = {}};
}

void Runtime::Interrupt() { pool_->Interrupt(); }

void Runtime::Forget(absl::string_view code) { pool_->Forget(code); }

Evaluation Runtime::Evaluate(const Script& script, absl::string_view handler,
                             absl::string_view context,
                             const LazyMembers& lazy) {
  std::unique_ptr<ScriptEngine> engine = pool_->Take();
  engine->SetLimits(pool_->options().limits);
  Evaluation evaluation = engine->Evaluate(script, handler, context, lazy);
  pool_->GiveBack(std::move(engine));
  return evaluation;
}

std::optional<Evaluation> Runtime::EvaluateQuickly(const Script& script,
                                                   absl::string_view handler,
                                                   absl::string_view context,
                                                   const LazyMembers& lazy) {
  std::unique_ptr<ScriptEngine> engine = pool_->Take();
  engine->SetLimits(pool_->options().quick_limits);
  Evaluation evaluation = engine->Evaluate(script, handler, context, lazy);
  if (!engine->usable()) return std::nullopt;
  pool_->GiveBack(std::move(engine));
  return evaluation;
}

}  // namespace byoshin::local::appsync::script

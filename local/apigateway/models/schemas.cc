#include "local/apigateway/models/schemas.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/sync/mutex.h"
#include "local/apigateway/models/scripts.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::apigateway {
namespace {

// A body has at most 10 MB; its values take several times as much.
constexpr javascript::Limits kSchemaLimits = {.memory_bytes = size_t{128} << 20,
                                              .steps = 20'000'000,
                                              .cpu_time = absl::Seconds(2)};
// Compiled schemas that are kept.
constexpr size_t kMaxCompiled = 200;

std::uint64_t NextSetId() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

SchemaSet::SchemaSet(std::string base_uri,
                     std::map<std::string, std::string> texts)
    : base_uri_(std::move(base_uri)),
      texts_(std::move(texts)),
      id_(NextSetId()) {}

// An engine with the library in it. Not thread-safe.
class Schemas::Validator {
 public:
  Validator()
      : engine_({.limits = kSchemaLimits,
                 .now = nullptr,
                 .random = nullptr,
                 .console = nullptr}) {
    engine_.Run(SchemaLibraryScript(), "json-schema.js");
    const javascript::Outcome run =
        engine_.Run(SchemaRuntimeScript(), "runtime.js");
    if (!run.ok()) failure_ = run.exception().message;
    compile_ = engine_.Global("compileSchema");
    check_ = engine_.Global("checkSchema");
    validate_ = engine_.Global("validateDocument");
  }
  Validator(const Validator&) = delete;
  Validator& operator=(const Validator&) = delete;

  // False after a limit was exceeded.
  bool usable() const { return usable_; }

  absl::Status Check(absl::string_view text) {
    const javascript::Outcome checked = Call(check_, {engine_.String(text)});
    if (checked.ok()) return absl::OkStatus();
    return absl::InvalidArgumentError(checked.exception().message);
  }

  absl::StatusOr<std::vector<std::string>> Validate(
      const SchemaSet& set, const std::string& name,
      absl::string_view document) {
    const absl::StatusOr<javascript::Value> compiled = Compiled(set, name);
    if (!compiled.ok()) return compiled.status();
    const javascript::Outcome faults =
        Call(validate_, {*compiled, engine_.String(document)});
    if (!faults.ok()) {
      const std::string& message = faults.exception().message;
      if (absl::StartsWith(message, "Unresolved $ref")) {
        return absl::FailedPreconditionError(absl::StrCat(
            "the model ", name, ": ", message.substr(0, message.find('\n'))));
      }
      return absl::InvalidArgumentError(message);
    }
    std::vector<std::string> texts;
    texts.reserve(faults.value().size());
    for (std::uint32_t i = 0; i < faults.value().size(); ++i) {
      texts.push_back(faults.value().At(i).string());
    }
    return texts;
  }

 private:
  javascript::Outcome Call(const javascript::Value& function,
                           const std::vector<javascript::Value>& arguments) {
    javascript::Outcome outcome = engine_.Call(function, arguments);
    using Kind = javascript::Exception::Kind;
    if (!outcome.ok() && (outcome.exception().kind == Kind::kMemory ||
                          outcome.exception().kind == Kind::kTime)) {
      usable_ = false;
    }
    return outcome;
  }

  absl::StatusOr<javascript::Value> Compiled(const SchemaSet& set,
                                             const std::string& name) {
    if (!failure_.empty()) return absl::FailedPreconditionError(failure_);
    const std::pair<std::uint64_t, std::string> key(set.id(), name);
    if (const auto known = compiled_.find(key); known != compiled_.end()) {
      return known->second;
    }
    const auto text = set.texts().find(name);
    if (text == set.texts().end()) {
      return absl::FailedPreconditionError(
          absl::StrCat("there is no model ", name));
    }
    std::vector<javascript::Value> others;
    for (const auto& [other, other_text] : set.texts()) {
      others.push_back(
          engine_.Array({engine_.String(absl::StrCat(set.base_uri(), other)),
                         engine_.String(other_text)}));
    }
    javascript::Outcome compiled =
        Call(compile_, {engine_.String(absl::StrCat(set.base_uri(), name)),
                        engine_.String(text->second), engine_.Array(others)});
    if (!compiled.ok()) {
      return absl::FailedPreconditionError(
          absl::StrCat("the model ", name, ": ", compiled.exception().message));
    }
    if (compiled_.size() >= kMaxCompiled) compiled_.clear();
    compiled_[key] = compiled.value();
    return compiled.value();
  }

  javascript::Engine engine_;
  bool usable_ = true;
  std::string failure_;
  javascript::Value compile_;
  javascript::Value check_;
  javascript::Value validate_;
  // By the set's id and the schema's name.
  std::map<std::pair<std::uint64_t, std::string>, javascript::Value> compiled_;
};

Schemas::Schemas() = default;
Schemas::~Schemas() = default;

Schemas::Validator& Schemas::validator() {
  if (validator_ == nullptr || !validator_->usable()) {
    validator_ = std::make_unique<Validator>();
  }
  return *validator_;
}

absl::Status Schemas::Check(absl::string_view text) {
  const sync::MutexLock lock(mutex_);
  return validator().Check(text);
}

absl::StatusOr<std::vector<std::string>> Schemas::Validate(
    const SchemaSet& set, const std::string& name, absl::string_view document) {
  const sync::MutexLock lock(mutex_);
  return validator().Validate(set, name, document);
}

}  // namespace byoshin::local::apigateway

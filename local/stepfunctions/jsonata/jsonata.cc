#include "local/stepfunctions/jsonata/jsonata.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/sync/mutex.h"
#include "local/javascript/engine.h"
#include "local/stepfunctions/jsonata/engine.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kInvalid[] = "INVALID_JSONATA_EXPRESSION";
constexpr char kUnsupported[] = "UNSUPPORTED_JSONATA_EXPRESSION";

uint64_t NextExpressionId() {
  static std::atomic<uint64_t> last{0};
  return ++last;
}

// What the engine gives for a number.
Data AsJavaScriptNumber(const Data& data) {
  return data.is_number() && !data.is_integer()
             ? Data::JavaScriptNumber(data.number())
             : data;
}

// The result of a path that leads through objects alone, most expressions of
// most state machines, without an engine. std::nullopt if it is none: names
// after an array select from its elements, and functions are variables, too.
std::optional<ExpressionResult> FollowPath(const std::vector<std::string>& path,
                                           const ExpressionBindings& bindings) {
  if (path.empty()) return std::nullopt;
  const Data* data = VariableOf(bindings, path.front());
  if (data == nullptr) return std::nullopt;
  for (size_t i = 1; i < path.size(); ++i) {
    if (data->is_array()) return std::nullopt;
    data = data->Find(path[i]);
    if (data == nullptr) return std::optional<Data>();
  }
  return AsJavaScriptNumber(*data);
}

class JsonataExpression : public Expression {
 public:
  JsonataExpression(std::shared_ptr<JsonataEngines> engines, JsonataText text)
      : engines_(std::move(engines)), text_(std::move(text)) {}

  bool references_result() const override { return ReadsOfStates("result"); }
  bool references_error_output() const override {
    return ReadsOfStates("errorOutput");
  }

  ExpressionResult Evaluate(const ExpressionBindings& bindings) const override {
    if (std::optional<ExpressionResult> result =
            FollowPath(text_.analysis.path, bindings)) {
      return *std::move(result);
    }
    return JsonataEngines::Lease(*engines_)->Evaluate(text_, bindings);
  }

 private:
  bool ReadsOfStates(absl::string_view member) const {
    return absl::c_linear_search(text_.analysis.states, member);
  }

  const std::shared_ptr<JsonataEngines> engines_;
  const JsonataText text_;
};

ExpressionMistake ContextRead(absl::string_view name) {
  return {kUnsupported,
          name == "$$" ? "Reference to '$$' is not supported."
                       : absl::StrCat("Reference to '", name,
                                      "' at the top level is not supported.")};
}

}  // namespace

JsonataCompiler::JsonataCompiler(const javascript::Limits& limits)
    : engines_(std::make_shared<JsonataEngines>(limits)) {}

JsonataCompiler::~JsonataCompiler() = default;

std::variant<std::shared_ptr<const Expression>, std::vector<ExpressionMistake>>
JsonataCompiler::Compile(absl::string_view text) {
  {
    const sync::MutexLock lock(mutex_);
    const auto found = known_.find(text);
    if (found != known_.end()) {
      if (std::shared_ptr<const Expression> known = found->second.lock()) {
        return known;
      }
    }
  }
  std::variant<JsonataAnalysis, std::string> analyzed =
      JsonataEngines::Lease(*engines_)->Analyze(text);
  if (auto* message = std::get_if<std::string>(&analyzed)) {
    return std::vector<ExpressionMistake>{{kInvalid, std::move(*message)}};
  }
  auto& analysis = *std::get_if<JsonataAnalysis>(&analyzed);
  if (!analysis.reads.empty()) {
    std::vector<ExpressionMistake> mistakes;
    mistakes.reserve(analysis.reads.size());
    for (const std::string& name : analysis.reads) {
      mistakes.push_back(ContextRead(name));
    }
    return mistakes;
  }
  std::shared_ptr<const Expression> expression =
      std::make_shared<JsonataExpression>(
          engines_, JsonataText{.id = NextExpressionId(),
                                .text = std::string(text),
                                .analysis = std::move(analysis)});
  const sync::MutexLock lock(mutex_);
  known_[text] = expression;
  if (known_.size() >= prune_at_) {
    absl::erase_if(known_,
                   [](const auto& entry) { return entry.second.expired(); });
    prune_at_ = std::max(prune_at_, 2 * known_.size());
  }
  return expression;
}

}  // namespace byoshin::local::stepfunctions

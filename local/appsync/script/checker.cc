#include "local/appsync/script/checker.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/strings/utf16.h"
#include "core/sync/mutex.h"
#include "local/appsync/script/scripts.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::appsync::script {
namespace {

using javascript::Engine;
using javascript::Exception;
using javascript::Outcome;
using javascript::Value;

constexpr javascript::Limits kCheckerLimits = {
    .memory_bytes = size_t{128} << 20,
    .stack_bytes = size_t{2} << 20,
    .steps = 100'000'000,
    .cpu_time = absl::Seconds(10)};

// The parser, compiled once in this process.
const std::string& ParserBytecode() {
  static const auto* bytecode =
      new std::string(Engine().Compile(ParserScript(), "acorn.js").value());
  return *bytecode;
}

int NumberOf(const Value& value) {
  return static_cast<int>(value.integer().value_or(0));
}

CheckedCode Refused(absl::string_view value) {
  CheckedCode checked;
  checked.errors.push_back({.error_type = kParserError,
                            .value = absl::StrCat("Parsing error: ", value),
                            .location = {.line = 1, .column = 1, .span = -1}});
  return checked;
}

CheckedCode CheckedOf(const Value& value) {
  CheckedCode checked;
  const Value errors = value.Get("errors");
  for (uint32_t i = 0; i < errors.size(); ++i) {
    const Value error = errors.At(i);
    checked.errors.push_back(
        {.error_type = error.Get("errorType").string(),
         .value = error.Get("value").string(),
         .location = {.line = NumberOf(error.Get("line")),
                      .column = NumberOf(error.Get("column")),
                      .span = NumberOf(error.Get("span"))}});
  }
  const Value exports = value.Get("exports");
  for (uint32_t i = 0; i < exports.size(); ++i) {
    checked.exports.push_back(exports.At(i).string());
  }
  checked.factory = value.Get("factory").string();
  return checked;
}

}  // namespace

class Checker::Parser {
 public:
  Parser()
      : engine_({.limits = kCheckerLimits,
                 .now = nullptr,
                 .random = nullptr,
                 .console = nullptr}) {
    engine_.RunCompiled(ParserBytecode());
    const Outcome check = engine_.Run(CheckerScript(), "checker.js");
    check_ = check.value();
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;

  // False after code exceeded a limit: this can't be used again.
  bool usable() const { return usable_; }

  CheckedCode Check(absl::string_view code) {
    const Outcome checked = engine_.Call(check_, {engine_.String(code)});
    if (checked.ok()) return CheckedOf(checked.value());
    const Exception& exception = checked.exception();
    switch (exception.kind) {
      case Exception::Kind::kStack:
        return Refused("The code is nested too deeply.");
      case Exception::Kind::kThrown:
        return Refused(exception.message);
      default:
        usable_ = false;
        return Refused("The code is too complex.");
    }
  }

 private:
  bool usable_ = true;
  Engine engine_;
  Value check_;
};

Checker::Checker() = default;
Checker::~Checker() = default;

CheckedCode Checker::Check(absl::string_view code) {
  if (strings::Utf16Length(code) > kMaxCodeCharacters) {
    return Refused(absl::StrCat("The code exceeds the limit of ",
                                kMaxCodeCharacters, " characters."));
  }
  const sync::MutexLock lock(mutex_);
  if (parser_ == nullptr) parser_ = std::make_unique<Parser>();
  CheckedCode checked = parser_->Check(code);
  if (!parser_->usable()) parser_ = nullptr;
  return checked;
}

}  // namespace byoshin::local::appsync::script

#include "local/stepfunctions/jsonata/engine.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/crypto/sha1.h"
#include "core/crypto/sha256.h"
#include "core/crypto/sha512.h"
#include "core/random/java_random.h"
#include "core/sync/mutex.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"
#include "local/stepfunctions/jsonata/scripts.h"
#include "local/stepfunctions/jsonata/values.h"
#include "local/stepfunctions/language/data.h"
#include "local/stepfunctions/language/expression.h"

namespace byoshin::local::stepfunctions {
namespace {

using javascript::Engine;
using javascript::Exception;
using javascript::Outcome;
using javascript::Value;

// What others have seen AWS accept: an expression nested 100 deep, [1..873782]
// (8 bytes for each number), $range(1, 360145, 1).
constexpr int64_t kMaxDepth = 100;
constexpr int64_t kMaxValueBytes = int64_t{873'782} * 8;
constexpr int64_t kMaxRangeElements = 360'145;
// Not an AWS limit: twice the largest value, since a result has several.
constexpr int64_t kMaxResultBytes = 2 * kMaxValueBytes;

// Expressions that were compiled are kept until they take this much.
constexpr size_t kMaxCompiledBytes = size_t{16} << 20;
constexpr size_t kMaxIdleEngines = 4;

constexpr char kTimeExceeded[] =
    ": Expression evaluation timeout: Check for infinite loop";
constexpr char kMemoryExceeded[] =
    ": Expression evaluation memory limit exceeded: Check for excessive memory "
    "usage";
constexpr char kStackExceeded[] =
    ": Stack overflow error: Check for non-terminating recursive function. "
    "Consider rewriting as tail-recursive";

std::optional<std::string> HexDigest(absl::string_view algorithm,
                                     absl::string_view text) {
  if (algorithm == "MD5") return crypto::HexEncode(crypto::Md5(text));
  if (algorithm == "SHA-1") return crypto::HexEncode(crypto::Sha1(text));
  if (algorithm == "SHA-256") return crypto::HexEncode(crypto::Sha256(text));
  if (algorithm == "SHA-384") return crypto::HexEncode(crypto::Sha384(text));
  if (algorithm == "SHA-512") return crypto::HexEncode(crypto::Sha512(text));
  return std::nullopt;
}

// btoa() and atob() of browsers: a character is a byte. std::nullopt if one is
// more than that.
std::optional<std::string> ToBytes(absl::string_view utf8) {
  std::string bytes;
  for (size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<uint8_t>(utf8[i]);
    if (byte < 0x80) {
      bytes.push_back(utf8[i]);
    } else if (byte < 0xC4 && i + 1 < utf8.size()) {
      bytes.push_back(
          static_cast<char>((byte & 0x03) << 6 | (utf8[++i] & 0x3F)));
    } else {
      return std::nullopt;
    }
  }
  return bytes;
}

std::string FromBytes(absl::string_view bytes) {
  std::string utf8;
  for (const char c : bytes) {
    const auto byte = static_cast<uint8_t>(c);
    if (byte < 0x80) {
      utf8.push_back(c);
    } else {
      utf8.push_back(static_cast<char>(0xC0 | byte >> 6));
      utf8.push_back(static_cast<char>(0x80 | (byte & 0x3F)));
    }
  }
  return utf8;
}

Outcome Refusal(absl::string_view message) {
  Exception exception;
  exception.message = std::string(message);
  return exception;
}

Outcome EncodeBase64(Engine& engine, absl::Span<const Value> arguments) {
  const std::optional<std::string> bytes = ToBytes(arguments[0].string());
  if (!bytes.has_value()) {
    return Refusal("The text has characters beyond U+00FF");
  }
  return engine.String(absl::Base64Escape(*bytes));
}

Outcome DecodeBase64(Engine& engine, absl::Span<const Value> arguments) {
  std::string bytes;
  if (!absl::Base64Unescape(arguments[0].string(), &bytes)) {
    return Refusal("The text is not base64");
  }
  return engine.String(FromBytes(bytes));
}

// The library, compiled once in this process. Parsing it takes longer than all
// else that a new engine needs.
const std::string& LibraryBytecode() {
  static const auto* bytecode =
      new std::string(Engine().Compile(JsonataScript(), "jsonata.js").value());
  return *bytecode;
}

std::vector<std::string> Texts(const Value& array) {
  std::vector<std::string> texts;
  const uint32_t size = array.size();
  texts.reserve(size);
  for (uint32_t i = 0; i < size; ++i) {
    texts.push_back(array.At(i).string());
  }
  return texts;
}

}  // namespace

const Data* VariableOf(const ExpressionBindings& bindings,
                       absl::string_view name) {
  return name == "states" ? &bindings.states : bindings.variables.Find(name);
}

JsonataEngine::JsonataEngine(const javascript::Limits& limits)
    : engine_({.limits = limits,
               .now =
                   [this] {
                     return bindings_ == nullptr ? absl::UnixEpoch()
                                                 : bindings_->now;
                   },
               .random =
                   [this] {
                     return bindings_ == nullptr
                                ? 0.0
                                : bindings_->random->Fraction();
                   },
               .console = nullptr}) {
  // The library looks for these where browsers have them.
  engine_.SetGlobal(
      "window",
      engine_.Object({{"btoa", engine_.NewFunction("btoa", EncodeBase64)},
                      {"atob", engine_.NewFunction("atob", DecodeBase64)}}));
  engine_.RunCompiled(LibraryBytecode());
  const Outcome runtime = engine_.Run(JsonataRuntimeScript(), "runtime.js");
  const Outcome made = engine_.Call(runtime.value(), {HostFunctions()});
  compile_ = made.value().Get("compile");
  analyze_ = made.value().Get("analyze");
  evaluate_ = made.value().Get("evaluate");
  memory_at_first_ = engine_.memory_in_use();
}

Value JsonataEngine::HostFunctions() {
  const Value limits =
      engine_.Object({{"depth", engine_.Integer(kMaxDepth)},
                      {"bytes", engine_.Integer(kMaxValueBytes)},
                      {"rangeElements", engine_.Integer(kMaxRangeElements)}});
  auto hash = [](Engine& engine, absl::Span<const Value> arguments) -> Outcome {
    const std::optional<std::string> digest =
        HexDigest(arguments[1].string(), arguments[0].string());
    return digest.has_value() ? engine.String(*digest) : Value();
  };
  auto java_random = [](Engine& engine, absl::Span<const Value> arguments) {
    random::JavaRandom random(arguments[0].integer().value_or(0));
    return engine.Number(random.NextDouble());
  };
  auto uuid = [this](Engine& engine, absl::Span<const Value>) {
    return engine.String(bindings_->random->Uuid());
  };
  return engine_.Object(
      {{"jsonata", engine_.Global("window").Get("jsonata")},
       {"limits", limits},
       {"hash", engine_.NewFunction("hash", hash)},
       {"javaRandom", engine_.NewFunction("javaRandom", java_random)},
       {"uuid", engine_.NewFunction("uuid", uuid)}});
}

std::variant<JsonataAnalysis, std::string> JsonataEngine::Analyze(
    absl::string_view text) {
  const Outcome compiled = engine_.Call(compile_, {engine_.String(text)});
  const Outcome analyzed =
      compiled.ok() ? engine_.Call(analyze_, {compiled.value()}) : compiled;
  if (!analyzed.ok()) {
    const Exception& exception = analyzed.exception();
    usable_ = exception.kind != Exception::Kind::kTime &&
              exception.kind != Exception::Kind::kMemory;
    return exception.message;
  }
  return JsonataAnalysis{.reads = Texts(analyzed.value().Get("reads")),
                         .variables = Texts(analyzed.value().Get("variables")),
                         .states = Texts(analyzed.value().Get("states")),
                         .path = Texts(analyzed.value().Get("path"))};
}

Outcome JsonataEngine::Compiled(const JsonataText& expression) {
  const auto found = compiled_.find(expression.id);
  if (found != compiled_.end()) return found->second;
  if (engine_.memory_in_use() > memory_at_first_ + kMaxCompiledBytes) {
    compiled_.clear();
  }
  Outcome compiled = engine_.Call(compile_, {engine_.String(expression.text)});
  if (compiled.ok()) compiled_.emplace(expression.id, compiled.value());
  return compiled;
}

Value JsonataEngine::Bind(const JsonataText& expression,
                          const ExpressionBindings& bindings) {
  Engine::Members members;
  for (const std::string& name : expression.analysis.variables) {
    const Data* data = VariableOf(bindings, name);
    if (data != nullptr) members.emplace_back(name, ToValue(engine_, *data));
  }
  return engine_.Object(members);
}

ExpressionResult JsonataEngine::Evaluate(const JsonataText& expression,
                                         const ExpressionBindings& bindings) {
  const Outcome compiled = Compiled(expression);
  if (!compiled.ok()) return FailureOf(compiled.exception());
  bindings_ = &bindings;
  const Outcome outcome =
      engine_.Call(evaluate_, {compiled.value(), Bind(expression, bindings)});
  bindings_ = nullptr;
  if (!outcome.ok()) return FailureOf(outcome.exception());
  if (outcome.value().is_undefined()) return std::optional<Data>();
  absl::StatusOr<Data> data = ToData(outcome.value(), kMaxResultBytes);
  if (engine_.limit_exceeded()) usable_ = false;
  if (!usable_ || absl::IsResourceExhausted(data.status())) {
    return ExpressionFailure{.tail = kMemoryExceeded};
  }
  if (data.ok()) return std::optional<Data>(*std::move(data));
  return ExpressionFailure{.kind = ExpressionFailure::Kind::kUnsupportedResult,
                           .tail = ""};
}

ExpressionFailure JsonataEngine::FailureOf(const Exception& exception) {
  ExpressionFailure failure;
  switch (exception.kind) {
    case Exception::Kind::kTime:
      usable_ = false;
      failure.tail = kTimeExceeded;
      return failure;
    case Exception::Kind::kMemory:
      usable_ = false;
      failure.tail = kMemoryExceeded;
      return failure;
    case Exception::Kind::kStack:
      failure.tail = kStackExceeded;
      return failure;
    case Exception::Kind::kThrown:
      break;
  }
  const std::string code = exception.thrown.Get("code").string();
  failure.tail = code.empty()
                     ? absl::StrCat(": ", exception.message)
                     : absl::StrCat(". ", code, ": ", exception.message);
  return failure;
}

JsonataEngines::Lease::Lease(JsonataEngines& engines) : engines_(engines) {
  {
    const sync::MutexLock lock(engines.mutex_);
    if (!engines.idle_.empty()) {
      engine_ = std::move(engines.idle_.back());
      engines.idle_.pop_back();
    }
  }
  if (engine_ == nullptr)
    engine_ = std::make_unique<JsonataEngine>(engines.limits_);
}

JsonataEngines::Lease::~Lease() {
  if (!engine_->usable()) return;
  const sync::MutexLock lock(engines_.mutex_);
  if (engines_.idle_.size() < kMaxIdleEngines) {
    engines_.idle_.push_back(std::move(engine_));
  }
}

}  // namespace byoshin::local::stepfunctions

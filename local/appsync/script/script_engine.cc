#include "local/appsync/script/script_engine.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "core/random/random.h"
#include "core/time/iso8601.h"
#include "local/appsync/script/identifiers.h"
#include "local/appsync/script/runtime.h"
#include "local/appsync/script/scripts.h"
#include "local/appsync/script/time_format.h"
#include "local/appsync/script/time_zone.h"
#include "local/javascript/engine.h"
#include "local/javascript/value.h"

namespace byoshin::local::appsync::script {
namespace {

using javascript::Engine;
using javascript::Exception;
using javascript::Outcome;
using javascript::Value;

// Scripts that were read are kept until they take this much.
constexpr size_t kMaxFactoryBytes = size_t{16} << 20;

// The library, compiled once in this process.
const std::string& LibraryBytecode() {
  static const auto* bytecode =
      new std::string(Engine().Compile(LibraryScript(), "library.js").value());
  return *bytecode;
}

double FractionOf(uint64_t bits) {
  return static_cast<double>(bits >> 11) * 0x1.0p-53;
}

Outcome ThrowStatus(const absl::Status& status) {
  Exception exception;
  exception.message = std::string(status.message());
  return exception;
}

absl::Time TimeOf(const Value& milliseconds) {
  return absl::FromUnixMillis(static_cast<int64_t>(milliseconds.number()));
}

constexpr char kIsoPattern[] = "uuuu-MM-dd'T'HH:mm:ss.SSSX";

Outcome FormatTime(Engine& engine, absl::Span<const Value> arguments) {
  const absl::StatusOr<Zone> zone = FindZone(arguments[2].string());
  if (!zone.ok()) return ThrowStatus(zone.status());
  const absl::StatusOr<std::string> text =
      FormatJavaTime(TimeOf(arguments[0]), arguments[1].string(), *zone);
  if (!text.ok()) return ThrowStatus(text.status());
  return engine.String(*text);
}

Outcome FormatIso(Engine& engine, absl::Span<const Value> arguments) {
  const absl::StatusOr<std::string> text =
      FormatJavaTime(TimeOf(arguments[0]), kIsoPattern, Zone());
  if (!text.ok()) return ThrowStatus(text.status());
  return engine.String(*text);
}

Outcome ParseTime(Engine& engine, absl::Span<const Value> arguments) {
  const absl::StatusOr<Zone> zone = FindZone(arguments[2].string());
  if (!zone.ok()) return ThrowStatus(zone.status());
  const absl::StatusOr<absl::Time> time =
      ParseJavaTime(arguments[0].string(), arguments[1].string(), *zone);
  if (!time.ok()) return ThrowStatus(time.status());
  return engine.Integer(absl::ToUnixMillis(*time));
}

constexpr size_t kIsoMinutesSize = sizeof("2018-02-06T19:01") - 1;

bool HasNoSeconds(absl::string_view text) {
  return text.size() > kIsoMinutesSize &&
         absl::StrContains("Z+-", text[kIsoMinutesSize]);
}

Outcome ParseIso(Engine& engine, absl::Span<const Value> arguments) {
  const std::string text = arguments[0].string();
  absl::StatusOr<absl::Time> time = time::ParseIso8601(text);
  // Java lets seconds be left out.
  if (!time.ok() && HasNoSeconds(text)) {
    const absl::StatusOr<absl::Time> whole = time::ParseIso8601(absl::StrCat(
        text.substr(0, kIsoMinutesSize), ":00", text.substr(kIsoMinutesSize)));
    if (whole.ok()) time = whole;
  }
  if (!time.ok()) return ThrowStatus(time.status());
  return engine.Integer(absl::ToUnixMillis(*time));
}

Outcome EncodeText(Engine& engine, absl::Span<const Value> arguments) {
  return engine.String(absl::Base64Escape(arguments[0].string()));
}

Outcome DecodeText(Engine& engine, absl::Span<const Value> arguments) {
  std::string bytes;
  if (!absl::Base64Unescape(arguments[0].string(), &bytes)) {
    return ThrowStatus(absl::InvalidArgumentError("The text is not base64"));
  }
  return engine.String(bytes);
}

SkipTo SkipToOf(absl::string_view text) {
  if (text == "END") return SkipTo::kEnd;
  if (text == "NEXT") return SkipTo::kNext;
  return SkipTo::kDefault;
}

// Reads what an evaluation gave. A script can use the same long text any number
// of times, which memory does not limit until it is copied.
class Reader {
 public:
  explicit Reader(size_t max_bytes) : left_(max_bytes) {}

  // Whether the texts were longer than they may be altogether: some are empty.
  bool exceeded() const { return exceeded_; }

  std::string Text(const Value& value) {
    if (value.Get("length").number() > static_cast<double>(left_)) {
      exceeded_ = true;
    }
    if (exceeded_) return "";
    std::string text = value.string();
    left_ -= std::min(left_, text.size());
    return text;
  }

  std::optional<std::string> TextIfAny(const Value& value) {
    if (!value.is_string()) return std::nullopt;
    return Text(value);
  }

  ScriptError Error(const Value& error) {
    const std::string kind = error.Get("kind").string();
    return {.kind = kind == "fault"          ? ScriptError::Kind::kFault
                    : kind == "unauthorized" ? ScriptError::Kind::kUnauthorized
                                             : ScriptError::Kind::kRaised,
            .message = Text(error.Get("message")),
            .error_type = Text(error.Get("errorType")),
            .data = Text(error.Get("data")),
            .error_info = Text(error.Get("errorInfo"))};
  }

 private:
  size_t left_;
  bool exceeded_ = false;
};

// What most evaluations don't have.
void ReadExtras(const Value& extras, Reader& reader, Evaluation& evaluation) {
  const Value logs = extras.Get("logs");
  for (uint32_t i = 0; i < logs.size(); ++i) {
    evaluation.logs.push_back(reader.Text(logs.At(i)));
  }
  const Value appended = extras.Get("appended");
  for (uint32_t i = 0; i < appended.size(); ++i) {
    evaluation.appended_errors.push_back(reader.Error(appended.At(i)));
  }
  evaluation.subscription_filter = reader.TextIfAny(extras.Get("filter"));
  evaluation.invalidation_filter =
      reader.TextIfAny(extras.Get("invalidationFilter"));
  const Value invalidations = extras.Get("invalidations");
  for (uint32_t i = 0; i < invalidations.size(); ++i) {
    const Value invalidation = invalidations.At(i);
    evaluation.invalidations.push_back(
        {.subscription_field = reader.Text(invalidation.At(0)),
         .payload = reader.Text(invalidation.At(1))});
  }
  const Value evictions = extras.Get("evictions");
  for (uint32_t i = 0; i < evictions.size(); ++i) {
    const Value eviction = evictions.At(i);
    evaluation.evictions.push_back({.type_name = reader.Text(eviction.At(0)),
                                    .field_name = reader.Text(eviction.At(1)),
                                    .key_values = reader.Text(eviction.At(2))});
  }
  const Value headers = extras.Get("headers");
  for (uint32_t i = 0; i < headers.size(); ++i) {
    evaluation.response_headers.emplace_back(reader.Text(headers.At(i).At(0)),
                                             reader.Text(headers.At(i).At(1)));
  }
}

Evaluation FaultOf(std::string message) {
  Evaluation evaluation;
  evaluation.error = ScriptError{.kind = ScriptError::Kind::kFault,
                                 .message = std::move(message),
                                 .error_type = kCodeErrorType};
  return evaluation;
}

}  // namespace

ScriptEngine::ScriptEngine(const RuntimeOptions& options,
                           const std::atomic<bool>& interrupted)
    : options_(options),
      engine_({.limits = options.limits,
               .now = options.now,
               .random = [this] { return FractionOf(options_.random_bits()); },
               .console = nullptr}) {
  const Outcome library = engine_.RunCompiled(LibraryBytecode());
  const Outcome made = engine_.Call(library.value(), {HostFunctions()});
  evaluate_ = made.value().Get("evaluate");
  request_name_ = engine_.String(kRequestHandler);
  response_name_ = engine_.String(kResponseHandler);
  memory_at_first_ = engine_.memory_in_use();
  engine_.InterruptBy(interrupted);
}

Value ScriptEngine::HostFunctions() {
  auto now = [this](Engine& engine, absl::Span<const Value>) -> Outcome {
    return engine.Integer(absl::ToUnixMillis(options_.now()));
  };
  auto random = [this](Engine& engine, absl::Span<const Value>) -> Outcome {
    return engine.Number(FractionOf(options_.random_bits()));
  };
  auto uuid = [this](Engine& engine, absl::Span<const Value>) -> Outcome {
    return engine.String(random::UuidOf(options_.random_bits));
  };
  auto ulid = [this](Engine& engine, absl::Span<const Value>) -> Outcome {
    return engine.String(NewUlid(options_.now(), options_.random_bits));
  };
  auto ksuid = [this](Engine& engine, absl::Span<const Value>) -> Outcome {
    return engine.String(NewKsuid(options_.now(), options_.random_bits));
  };
  const std::vector<std::pair<std::string, Engine::Function>> functions = {
      {"now", now},
      {"random", random},
      {"uuid", uuid},
      {"ulid", ulid},
      {"ksuid", ksuid},
      {"formatTime", FormatTime},
      {"formatIso8601", FormatIso},
      {"parseTime", ParseTime},
      {"parseIso8601", ParseIso},
      {"base64Encode", EncodeText},
      {"base64Decode", DecodeText}};
  Engine::Members members = {
      {"maxInvalidations", engine_.Integer(kMaxInvalidations)}};
  for (const auto& [name, function] : functions) {
    members.emplace_back(name, engine_.NewFunction(name, function));
  }
  return engine_.Object(members);
}

Outcome ScriptEngine::FactoryOf(const Script& script) {
  const auto found = factories_.find(script.id_);
  if (found != factories_.end()) return found->second;
  if (engine_.memory_in_use() > memory_at_first_ + kMaxFactoryBytes) {
    factories_.clear();
  }
  Outcome factory = engine_.RunCompiled(script.bytecode_);
  if (factory.ok()) factories_.emplace(script.id_, factory.value());
  return factory;
}

Evaluation ScriptEngine::ExceedTime() {
  usable_ = false;
  return FaultOf("The code exceeded its time limit.");
}

Evaluation ScriptEngine::ExceedMemory() {
  usable_ = false;
  return FaultOf("The code exceeded its memory limit.");
}

Evaluation ScriptEngine::LimitExceeded(const Exception& exception) {
  switch (exception.kind) {
    case Exception::Kind::kTime:
      return ExceedTime();
    case Exception::Kind::kMemory:
      return ExceedMemory();
    default:
      return FaultOf(exception.message);
  }
}

Value ScriptEngine::TextOrNull(absl::string_view text) {
  return text.empty() ? engine_.Null() : engine_.String(text);
}

Evaluation ScriptEngine::Evaluate(const Script& script,
                                  absl::string_view handler,
                                  absl::string_view context,
                                  const LazyMembers& lazy) {
  if (!script.Has(handler)) {
    return FaultOf(
        absl::StrCat("The code does not export a function ", handler, "."));
  }
  const Outcome factory = FactoryOf(script);
  if (!factory.ok()) return LimitExceeded(factory.exception());
  const absl::StatusOr<Value> ctx = engine_.Parse(context);
  if (absl::IsResourceExhausted(ctx.status())) return ExceedMemory();
  if (absl::IsDeadlineExceeded(ctx.status())) return ExceedTime();
  if (!ctx.ok()) {
    return FaultOf(
        absl::StrCat("The context is not JSON: ", ctx.status().message()));
  }
  const Outcome outcome = engine_.Call(
      evaluate_, {factory.value(),
                  handler == kRequestHandler    ? request_name_
                  : handler == kResponseHandler ? response_name_
                                                : engine_.String(handler),
                  *ctx, TextOrNull(lazy.info), TextOrNull(lazy.request)});
  if (!outcome.ok()) return LimitExceeded(outcome.exception());
  Evaluation evaluation;
  Reader reader(options_.limits.memory_bytes);
  evaluation.result = reader.TextIfAny(outcome.value().Get("result"));
  const Value error = outcome.value().Get("error");
  if (!error.is_undefined()) evaluation.error = reader.Error(error);
  if (const auto skip_to = reader.TextIfAny(outcome.value().Get("skipTo"))) {
    evaluation.early_return = SkipToOf(*skip_to);
  }
  evaluation.stash = reader.Text(outcome.value().Get("stash"));
  const Value extras = outcome.value().Get("extras");
  if (!extras.is_undefined()) ReadExtras(extras, reader, evaluation);
  return reader.exceeded() || engine_.limit_exceeded() ? ExceedMemory()
                                                       : evaluation;
}

}  // namespace byoshin::local::appsync::script

#include "local/appsync/script/evaluate_code.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/appsync/runtime.h"
#include "core/json/value.h"
#include "core/json/writer.h"
#include "core/strings/utf16.h"
#include "local/appsync/script/checker.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync::script {
namespace {

struct EvaluateCodeRequest {
  std::string code;
  std::string context;
  std::string function;
};

absl::Status RefuseRequest(absl::string_view message) {
  return absl::InvalidArgumentError(message);
}

// A text of 1 to `max` characters.
absl::StatusOr<std::string> RequiredText(const Json::Value& request,
                                         const char* name, size_t max) {
  if (!request[name].isString() || request[name].asString().empty()) {
    return RefuseRequest(absl::StrCat(name, " is required."));
  }
  std::string text = request[name].asString();
  if (strings::Utf16Length(text) > max) {
    return RefuseRequest(
        absl::StrCat(name, " exceeds the limit of ", max, " characters."));
  }
  return text;
}

absl::StatusOr<EvaluateCodeRequest> ReadRequest(absl::string_view text) {
  const absl::StatusOr<Json::Value> request = json::ParseValue(text);
  if (!request.ok()) return request.status();
  if (!request->isObject()) {
    return RefuseRequest("The request is not a JSON object.");
  }
  const Json::Value& runtime = (*request)["runtime"];
  if (json::TextMember(runtime, "name") != ::byoshin::appsync::kRuntimeName ||
      json::TextMember(runtime, "runtimeVersion") !=
          ::byoshin::appsync::kRuntimeVersion) {
    return RefuseRequest(absl::StrCat(
        "runtime must be ", ::byoshin::appsync::kRuntimeName,
        " with runtimeVersion ", ::byoshin::appsync::kRuntimeVersion, "."));
  }
  absl::StatusOr<std::string> code =
      RequiredText(*request, "code", kMaxCodeCharacters);
  if (!code.ok()) return code.status();
  absl::StatusOr<std::string> context =
      RequiredText(*request, "context", kMaxContextCharacters);
  if (!context.ok()) return context.status();
  const absl::StatusOr<Json::Value> parsed = json::ParseValue(*context);
  if (!parsed.ok() || !parsed->isObject()) {
    return RefuseRequest("context must be a JSON object as text.");
  }
  const Json::Value& function = (*request)["function"];
  if (!function.isNull() && function != Json::Value(kRequestHandler) &&
      function != Json::Value(kResponseHandler)) {
    return RefuseRequest("function must be request or response.");
  }
  return EvaluateCodeRequest{
      .code = *std::move(code),
      .context = *std::move(context),
      .function = function.isNull() ? kRequestHandler : function.asString()};
}

void WriteCodeErrors(const std::vector<CodeError>& errors,
                     json::Writer& writer) {
  writer.Open('[');
  for (const CodeError& error : errors) {
    writer.Open('{');
    writer.Key("errorType").String(error.error_type);
    writer.Key("value").String(error.value);
    writer.Key("location").Open('{');
    writer.Key("line").Int(error.location.line);
    writer.Key("column").Int(error.location.column);
    writer.Key("span").Int(error.location.span);
    writer.Close('}').Close('}');
  }
  writer.Close(']');
}

std::string AppendedErrorsJson(const std::vector<ScriptError>& errors) {
  std::string text = "[";
  for (const ScriptError& error : errors) {
    json::Writer writer;
    writer.Open('{').Key("message").String(error.message);
    writer.Key("errorType");
    if (error.error_type.empty()) {
      writer.Null();
    } else {
      writer.String(error.error_type);
    }
    absl::StrAppend(&text, text.size() > 1 ? "," : "", writer.text(),
                    ",\"data\":", error.data,
                    ",\"errorInfo\":", error.error_info, "}");
  }
  return text + "]";
}

std::string AnswerOf(const Evaluation& evaluation) {
  json::Writer writer;
  writer.Open('{');
  if (evaluation.error.has_value()) {
    writer.Key("error").Open('{');
    writer.Key("message").String(evaluation.error->message);
    writer.Key("codeErrors").Open('[').Close(']').Close('}');
  } else {
    writer.Key("evaluationResult").String(evaluation.result.value_or("null"));
  }
  writer.Key("logs").Open('[');
  for (const std::string& line : evaluation.logs) writer.String(line);
  writer.Close(']');
  writer.Key("stash").String(evaluation.stash);
  writer.Key("outErrors")
      .String(AppendedErrorsJson(evaluation.appended_errors));
  writer.Close('}');
  return writer.text();
}

std::string AnswerOf(const std::vector<CodeError>& errors) {
  json::Writer writer;
  writer.Open('{').Key("error").Open('{');
  writer.Key("message").String(kCodeErrorsMessage);
  writer.Key("codeErrors");
  WriteCodeErrors(errors, writer);
  writer.Close('}').Key("logs").Open('[').Close(']').Close('}');
  return writer.text();
}

}  // namespace

std::string CodeErrorsJson(const std::vector<CodeError>& errors) {
  json::Writer writer;
  WriteCodeErrors(errors, writer);
  return writer.text();
}

absl::StatusOr<std::string> EvaluateCode(Runtime& runtime,
                                         absl::string_view request) {
  const absl::StatusOr<EvaluateCodeRequest> read = ReadRequest(request);
  if (!read.ok()) return read.status();
  const LoadedScript loaded = runtime.Load(read->code);
  if (loaded.script == nullptr) return AnswerOf(loaded.errors);
  return AnswerOf(
      runtime.Evaluate(*loaded.script, read->function, read->context));
}

}  // namespace byoshin::local::appsync::script

#include "local/stepfunctions/lambda_task.h"

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/random/random.h"
#include "local/stepfunctions/integration.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr char kEventType[] = "Event";

std::string TextArgument(const Data& arguments, absl::string_view name) {
  const Data* value = arguments.Find(name);
  return value != nullptr && value->is_string() ? std::string(value->string())
                                                : "";
}

std::string EscapedPathPart(absl::string_view text) {
  std::string escaped;
  for (const char c : text) {
    const bool plain = absl::ascii_isalnum(static_cast<unsigned char>(c)) ||
                       c == '-' || c == '_' || c == '.' || c == '~';
    if (plain) {
      escaped += c;
    } else {
      absl::StrAppendFormat(&escaped, "%%%02X", static_cast<unsigned char>(c));
    }
  }
  return escaped;
}

// A text that is JSON is the payload itself.
std::string PayloadOf(const Data& arguments) {
  const Data* payload = arguments.Find("Payload");
  if (payload == nullptr || payload->is_null()) return "{}";
  if (payload->is_string() && Data::Parse(payload->string()).ok()) {
    return std::string(payload->string());
  }
  return payload->ToJson();
}

std::string AnswerHeader(const Answer& answer, absl::string_view name) {
  for (const http::Header& header : answer.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return "";
}

TaskFailure FunctionFailure(const std::string& payload) {
  const absl::StatusOr<Data> data = Data::Parse(payload);
  const Data* type = data.ok() ? data->Find("errorType") : nullptr;
  if (type != nullptr && type->is_string() && !type->string().empty()) {
    return {.error = std::string(type->string()), .cause = payload};
  }
  return {.error = "Lambda.Unknown",
          .cause = absl::StrCat(
              "The cause could not be determined because Lambda did not return "
              "an error type. Returned payload: ",
              payload)};
}

HttpMetadata InvocationMetadata(const Answer& answer,
                                absl::string_view request_id, absl::Time now,
                                absl::string_view version) {
  std::string trace = absl::StrFormat(
      "root=1-%08x-%s%s;parent=%s;sampled=0", absl::ToUnixSeconds(now),
      random::NewHex(), random::NewHex().substr(0, 8), random::NewHex());
  HttpMetadata metadata{.status = answer.status,
                        .request_id = std::string(request_id)};
  metadata.headers = {{"X-Amz-Executed-Version", std::string(version)},
                      {"x-amzn-Remapped-Content-Length", "0"},
                      {"Connection", "keep-alive"},
                      {"x-amzn-RequestId", metadata.request_id},
                      {"Content-Length", absl::StrCat(answer.body.size())},
                      {"Date", HttpDate(now)},
                      {"X-Amzn-Trace-Id", std::move(trace)},
                      {"Content-Type", "application/json"}};
  return metadata;
}

}  // namespace

bool IsLambdaInvocation(const TaskResource& resource) {
  return resource.kind == TaskKind::kLambdaFunction ||
         (resource.service == "lambda" && resource.action == "invoke");
}

std::variant<Call, TaskFailure> LambdaRequest(const TaskCall& task) {
  const bool by_arn = task.resource.kind == TaskKind::kLambdaFunction;
  const std::string function =
      by_arn ? task.resource.arn : TextArgument(task.arguments, "FunctionName");
  if (function.empty()) {
    return FailureFor(task.resource, "ValidationException",
                      "1 validation error detected: Value null at "
                      "'functionName' failed to satisfy constraint: Member "
                      "must not be null",
                      400, random::NewUuid());
  }
  Call call{
      .protocol = WireProtocol::kRestJson,
      .body = by_arn ? task.arguments.ToJson() : PayloadOf(task.arguments),
      .path = absl::StrCat("/2015-03-31/functions/", EscapedPathPart(function),
                           "/invocations"),
      .method = "POST"};
  if (by_arn) return call;
  for (const auto& [argument, header] :
       {std::pair("InvocationType", "X-Amz-Invocation-Type"),
        std::pair("ClientContext", "X-Amz-Client-Context"),
        std::pair("LogType", "X-Amz-Log-Type")}) {
    std::string value = TextArgument(task.arguments, argument);
    if (!value.empty()) call.headers.push_back({header, std::move(value)});
  }
  if (const std::string qualifier = TextArgument(task.arguments, "Qualifier");
      !qualifier.empty()) {
    call.query = absl::StrCat("Qualifier=", EscapedPathPart(qualifier));
  }
  return call;
}

TaskFailure LambdaFailure(const TaskCall& task, const Answer& answer,
                          absl::string_view request_id) {
  TaskFailure failure = FailureOf(task.resource, answer, request_id);
  // AWS names the version that it looked for.
  constexpr absl::string_view kNotFound = "Function not found: ";
  const std::size_t end = failure.cause.find(" (Service: ");
  if (absl::StartsWith(failure.cause, kNotFound) && end != std::string::npos &&
      TextArgument(task.arguments, "Qualifier").empty() &&
      task.resource.kind != TaskKind::kLambdaFunction) {
    failure.cause.insert(end, ":$LATEST");
  }
  return failure;
}

TaskOutcome LambdaOutcome(const TaskCall& task, const Answer& answer,
                          absl::string_view request_id, absl::Time now) {
  if (!AnswerHeader(answer, "X-Amz-Function-Error").empty()) {
    return FunctionFailure(answer.body);
  }
  absl::StatusOr<Data> payload = Data::Parse(answer.body);
  if (task.resource.kind == TaskKind::kLambdaFunction) {
    return payload.ok() ? *std::move(payload) : Data::String(answer.body);
  }
  std::string version = AnswerHeader(answer, "X-Amz-Executed-Version");
  if (version.empty()) version = "$LATEST";
  ObjectBuilder result;
  if (TextArgument(task.arguments, "InvocationType") != kEventType) {
    result.Set("ExecutedVersion", Data::String(version));
  }
  if (const std::string log = AnswerHeader(answer, "X-Amz-Log-Result");
      !log.empty()) {
    result.Set("LogResult", Data::String(log));
  }
  result.Set("Payload",
             payload.ok() ? *std::move(payload) : Data::String(answer.body));
  if (task.resource.kind != TaskKind::kSdk) {
    AddHttpMetadata(InvocationMetadata(answer, request_id, now, version),
                    result);
  }
  result.Set("StatusCode", Data::Integer(answer.status));
  return std::move(result).Build();
}

}  // namespace byoshin::local::stepfunctions

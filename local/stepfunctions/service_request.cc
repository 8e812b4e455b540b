#include "local/stepfunctions/service_request.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/crypto/crc32.h"
#include "local/stepfunctions/integration.h"
#include "local/stepfunctions/lambda_task.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

constexpr int kOk = 200;

// Optimized integrations, and the parameters that may be given as JSON although
// the API takes text.
struct Optimized {
  absl::string_view service;
  absl::string_view action;
  absl::string_view json_parameter{};
};
constexpr Optimized kOptimizedActions[] = {
    {"dynamodb", "deleteItem"},
    {"dynamodb", "getItem"},
    {"dynamodb", "putItem"},
    {"dynamodb", "updateItem"},
    {"events", "putEvents"},
    {"lambda", "invoke"},
    {"sns", "publish", "Message"},
    {"sqs", "sendMessage", "MessageBody"},
    {"states", "startExecution", "Input"}};

const Optimized* FindOptimized(const TaskResource& resource) {
  for (const Optimized& optimized : kOptimizedActions) {
    if (optimized.service == resource.service &&
        optimized.action == resource.action) {
      return &optimized;
    }
  }
  return nullptr;
}

// Objects and arrays as JSON text; anything else as it is.
Data AsText(const Data& value) {
  return value.is_object() || value.is_array() ? Data::String(value.ToJson())
                                               : value;
}

// The entries of PutEvents, each with its Detail as text.
Data EntriesWithText(const Data& entries) {
  std::vector<Data> result;
  for (const Data& entry : entries.elements()) {
    ObjectBuilder builder(entry);
    if (const Data* detail = entry.Find("Detail")) {
      builder.Set("Detail", AsText(*detail));
    }
    result.push_back(std::move(builder).Build());
  }
  return Data::Array(std::move(result));
}

Data OptimizedArguments(const Optimized& optimized, const Data& arguments) {
  if (!arguments.is_object()) return arguments;
  ObjectBuilder builder(arguments);
  if (const Data* value = arguments.Find(optimized.json_parameter);
      !optimized.json_parameter.empty() && value != nullptr) {
    builder.Set(optimized.json_parameter, AsText(*value));
  }
  if (const Data* entries = arguments.Find("Entries");
      optimized.service == "events" && entries != nullptr &&
      entries->is_array()) {
    builder.Set("Entries", EntriesWithText(*entries));
  }
  return std::move(builder).Build();
}

// Services whose API begins the names of members with a small letter.
bool HasSmallNames(absl::string_view service) {
  return service == "states" || service == "logs";
}

// The API has times in seconds, and the SDK's results have them in
// milliseconds.
Data WithStartDate(const Data& answer) {
  const Data* date = answer.Find("StartDate");
  if (date == nullptr || !date->is_number()) return answer;
  constexpr double kMillis = 1000;
  ObjectBuilder builder(answer);
  builder.Set("StartDate",
              Data::Integer(std::llround(date->number() * kMillis)));
  return std::move(builder).Build();
}

HttpMetadata MetadataOf(const TaskCall& task, const Answer& answer,
                        absl::string_view request_id, absl::Time now) {
  HttpMetadata metadata{.status = answer.status,
                        .request_id = std::string(request_id)};
  const bool dynamodb = task.resource.service == "dynamodb";
  if (dynamodb) metadata.headers.push_back({"Server", "Server"});
  if (dynamodb) metadata.headers.push_back({"Connection", "keep-alive"});
  metadata.headers.push_back({"x-amzn-RequestId", metadata.request_id});
  if (dynamodb) {
    metadata.headers.push_back(
        {"x-amz-crc32", absl::StrCat(crypto::Crc32(answer.body))});
  } else {
    metadata.headers.push_back({"connection", "keep-alive"});
  }
  metadata.headers.push_back(
      {"Content-Length", absl::StrCat(answer.body.size())});
  metadata.headers.push_back({"Date", HttpDate(now)});
  metadata.headers.push_back({"Content-Type", answer.content_type});
  return metadata;
}

}  // namespace

std::variant<Call, TaskFailure> RequestFor(const TaskCall& task,
                                           const Service& service) {
  const TaskResource& resource = task.resource;
  if (IsLambdaInvocation(resource)) return LambdaRequest(task);
  const std::string operation = OperationName(resource.action);
  Call call{.operation = operation};
  if (resource.kind == TaskKind::kSdk) {
    if (*service.traits().target_prefix == '\0' ||
        service.traits().speaks_rest) {
      return UnreachableFailure(
          resource, absl::StrCat("the local cloud can't call ", resource.arn,
                                 ": only operations of JSON services and "
                                 "Lambda's Invoke can be called"));
    }
    call.body = (HasSmallNames(service.name())
                     ? WithFirstLetters(task.arguments, FirstLetter::kSmall)
                     : task.arguments)
                    .ToJson();
    return call;
  }
  const Optimized* optimized = FindOptimized(resource);
  if (optimized == nullptr) {
    return UnreachableFailure(
        resource,
        absl::StrCat("the local cloud has no integration ", resource.arn));
  }
  const Data arguments = OptimizedArguments(*optimized, task.arguments);
  call.body = (HasSmallNames(service.name())
                   ? WithFirstLetters(arguments, FirstLetter::kSmall)
                   : arguments)
                  .ToJson();
  return call;
}

TaskOutcome OutcomeOf(const TaskCall& task, const Answer& answer,
                      absl::string_view request_id, absl::Time now) {
  const TaskResource& resource = task.resource;
  if (answer.status < kOk || answer.status >= kOk + 100) {
    return IsLambdaInvocation(resource)
               ? LambdaFailure(task, answer, request_id)
               : FailureOf(resource, answer, request_id);
  }
  if (IsLambdaInvocation(resource)) {
    return LambdaOutcome(task, answer, request_id, now);
  }
  absl::StatusOr<Data> body = answer.body.empty()
                                  ? absl::StatusOr<Data>(Data::EmptyObject())
                                  : Data::Parse(answer.body);
  if (!body.ok()) {
    return UnreachableFailure(resource, body.status().message());
  }
  const bool small = HasSmallNames(IntegrationOf(resource).service);
  Data named =
      small ? WithStartDate(WithFirstLetters(*body, FirstLetter::kCapital))
            : *body;
  if (resource.kind == TaskKind::kSdk) return named;
  ObjectBuilder result(named);
  AddHttpMetadata(MetadataOf(task, answer, request_id, now), result);
  return std::move(result).Build();
}

}  // namespace byoshin::local::stepfunctions

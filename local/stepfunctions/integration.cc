#include "local/stepfunctions/integration.h"

#include <json/json.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"

namespace byoshin::local::stepfunctions {
namespace {

// Optimized integrations use AWS's first SDK for Java, the others its second.
struct Names {
  absl::string_view task;
  absl::string_view service;
  absl::string_view error_prefix;
  absl::string_view general_error;
  absl::string_view service_name;
};
constexpr Names kOptimized[] = {
    {"dynamodb", "dynamodb", "DynamoDB", "AmazonDynamoDBException",
     "AmazonDynamoDBv2"},
    {"events", "events", "EventBridge", "AmazonEventBridgeException",
     "AmazonEventBridge"},
    {"lambda", "lambda", "Lambda", "AWSLambdaException", "AWSLambda"},
    {"sns", "sns", "SNS", "AmazonSNSException", "AmazonSNS"},
    {"sqs", "sqs", "SQS", "AmazonSQSException", "AmazonSQS"},
    {"states", "states", "StepFunctions", "AWSStepFunctionsException",
     "AWSStepFunctions"},
};
constexpr Names kSdk[] = {
    {"apigateway", "apigateway", "ApiGateway", "ApiGatewayException",
     "ApiGateway"},
    {"cloudformation", "cloudformation", "CloudFormation",
     "CloudFormationException", "CloudFormation"},
    {"cloudwatchlogs", "logs", "CloudWatchLogs", "CloudWatchLogsException",
     "CloudWatchLogs"},
    {"dynamodb", "dynamodb", "DynamoDb", "DynamoDbException", "DynamoDb"},
    {"eventbridge", "events", "EventBridge", "EventBridgeException",
     "EventBridge"},
    {"iam", "iam", "Iam", "IamException", "Iam"},
    {"lambda", "lambda", "Lambda", "LambdaException", "Lambda"},
    {"secretsmanager", "secretsmanager", "SecretsManager",
     "SecretsManagerException", "SecretsManager"},
    {"sfn", "states", "Sfn", "SfnException", "Sfn"},
    {"sns", "sns", "Sns", "SnsException", "Sns"},
    {"sqs", "sqs", "Sqs", "SqsException", "Sqs"},
    {"sts", "sts", "Sts", "StsException", "Sts"},
};

template <std::size_t size>
const Names* FindNames(const Names (&all)[size], absl::string_view task) {
  for (const Names& names : all) {
    if (names.task == task) return &names;
  }
  return nullptr;
}

// Errors that AWS's SDKs have no class for.
bool IsGeneral(absl::string_view code, absl::string_view service) {
  constexpr absl::string_view kGeneral[] = {"AccessDenied",
                                            "AccessDeniedException",
                                            "InternalFailure",
                                            "InvalidAction",
                                            "InvalidParameterValue",
                                            "MissingParameter",
                                            "SerializationException",
                                            "UnknownOperationException",
                                            "UnrecognizedClientException"};
  if (std::find(std::begin(kGeneral), std::end(kGeneral), code) !=
      std::end(kGeneral)) {
    return true;
  }
  return code == "ValidationException" && service != "states";
}

std::string ErrorType(const Answer& answer, const Json::Value& body) {
  for (const http::Header& header : answer.headers) {
    if (absl::EqualsIgnoreCase(header.name, "x-amzn-ErrorType")) {
      return header.value;
    }
  }
  const std::string type = json::TextMember(body, "__type");
  return type.substr(type.find('#') + 1);
}

}  // namespace

Integration IntegrationOf(const TaskResource& resource) {
  const bool sdk = resource.kind == TaskKind::kSdk;
  absl::string_view task = resource.service;
  if (resource.kind == TaskKind::kLambdaFunction) task = "lambda";
  const Names* names =
      sdk ? FindNames(kSdk, task) : FindNames(kOptimized, task);
  if (names == nullptr) {
    const std::string name = OperationName(task);
    return {.service = std::string(task),
            .error_prefix = name,
            .general_error = absl::StrCat(name, "Exception"),
            .service_name = name};
  }
  return {.service = std::string(names->service),
          .error_prefix = std::string(names->error_prefix),
          .general_error = std::string(names->general_error),
          .service_name = std::string(names->service_name)};
}

std::string OperationName(absl::string_view action) {
  std::string name(action);
  if (!name.empty()) name[0] = absl::ascii_toupper(name[0]);
  return name;
}

TaskFailure FailureFor(const TaskResource& resource, absl::string_view code,
                       absl::string_view message, int http_status,
                       absl::string_view request_id) {
  const Integration integration = IntegrationOf(resource);
  std::string name(code);
  if (!absl::EndsWith(name, "Exception")) name += "Exception";
  if (IsGeneral(code, integration.service)) name = integration.general_error;
  TaskFailure failure{.error =
                          absl::StrCat(integration.error_prefix, ".", name)};
  if (resource.kind == TaskKind::kSdk) {
    failure.cause = absl::StrCat(
        message, " (Service: ", integration.service_name,
        ", Status Code: ", http_status, ", Request ID: ", request_id, ")");
  } else {
    failure.cause =
        absl::StrCat(message, " (Service: ", integration.service_name,
                     "; Status Code: ", http_status, "; Error Code: ", code,
                     "; Request ID: ", request_id, "; Proxy: null)");
  }
  return failure;
}

TaskFailure FailureOf(const TaskResource& resource, const Answer& answer,
                      absl::string_view request_id) {
  const Json::Value body =
      json::ParseValue(answer.body).value_or(Json::Value());
  std::string message = json::TextMember(body, "message");
  if (message.empty()) message = json::TextMember(body, "Message");
  return FailureFor(resource, ErrorType(answer, body), message, answer.status,
                    request_id);
}

TaskFailure UnreachableFailure(const TaskResource& resource,
                               absl::string_view why) {
  return {.error = absl::StrCat(IntegrationOf(resource).error_prefix,
                                ".SdkClientException"),
          .cause = absl::StrCat("Unable to execute HTTP request: ", why)};
}

void AddHttpMetadata(const HttpMetadata& metadata, ObjectBuilder& result) {
  ObjectBuilder all;
  std::vector<std::pair<std::string, std::string>> sorted = metadata.headers;
  for (const auto& [name, value] : sorted) {
    all.Set(name, Data::Array({Data::String(value)}));
  }
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return absl::AsciiStrToLower(a.first) < absl::AsciiStrToLower(b.first);
  });
  ObjectBuilder headers;
  for (const auto& [name, value] : sorted) {
    headers.Set(name, Data::String(value));
  }
  ObjectBuilder http;
  http.Set("AllHttpHeaders", std::move(all).Build());
  http.Set("HttpHeaders", std::move(headers).Build());
  http.Set("HttpStatusCode", Data::Integer(metadata.status));
  ObjectBuilder response;
  response.Set("RequestId", Data::String(metadata.request_id));
  result.Set("SdkHttpMetadata", std::move(http).Build());
  result.Set("SdkResponseMetadata", std::move(response).Build());
}

std::string HttpDate(absl::Time time) {
  return absl::FormatTime("%a, %d %b %Y %H:%M:%S GMT", time,
                          absl::UTCTimeZone());
}

Data WithFirstLetters(const Data& data, FirstLetter letter) {
  if (data.is_array()) {
    std::vector<Data> elements;
    for (const Data& element : data.elements()) {
      elements.push_back(WithFirstLetters(element, letter));
    }
    return Data::Array(std::move(elements));
  }
  if (!data.is_object()) return data;
  ObjectBuilder object;
  for (const Data::Member& member : data.members()) {
    std::string name(member.name());
    if (!name.empty()) {
      name[0] = letter == FirstLetter::kCapital ? absl::ascii_toupper(name[0])
                                                : absl::ascii_tolower(name[0]);
    }
    object.Set(name, WithFirstLetters(member.value, letter));
  }
  return std::move(object).Build();
}

}  // namespace byoshin::local::stepfunctions

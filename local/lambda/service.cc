#include "local/lambda/service.h"

#include <json/json.h>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/escaping.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "core/json/value.h"
#include "local/gateway/error.h"
#include "local/gateway/rest.h"
#include "local/gateway/service_traits.h"
#include "local/lambda/function_checks.h"
#include "local/lambda/permissions.h"
#include "local/lambda/service_json.h"

namespace byoshin::local::lambda {
namespace {

constexpr ServiceTraits kTraits = {
    .name = "lambda", .target_prefix = "AWSLambda", .speaks_rest = true};

constexpr char kEmptyEvent[] = "{}";

Answer ErrorAnswerFor(const absl::Status& status) {
  return RestErrorAnswer(status, MessageSpelling::kUpperCase);
}

absl::Status NotFound(absl::string_view message) {
  return ServiceError({.code = "ResourceNotFoundException",
                       .message = std::string(message),
                       .http_status = 404,
                       .json_members = R"("Type":"User")"});
}

absl::Status CheckPayload(const std::string& payload, std::size_t max_bytes) {
  if (absl::Status size = CheckEventSize(payload, max_bytes); !size.ok()) {
    return size;
  }
  const absl::StatusOr<Json::Value> value = json::ParseValue(payload);
  if (value.ok()) return absl::OkStatus();
  return ServiceError(
      {.code = "InvalidRequestContentException",
       .message = absl::StrCat("Could not parse request body into json: ",
                               value.status().message()),
       .json_members = R"("Type":"User")"});
}

Answer ToAnswer(const absl::StatusOr<InvokeResult>& result, bool with_tail) {
  if (!result.ok()) return ErrorAnswerFor(result.status());
  Answer answer{.status = 200,
                .headers = {{"X-Amz-Executed-Version", kLatestVersion}},
                .content_type = kRestContentType,
                .body = result->payload};
  if (!result->function_error.empty()) {
    answer.headers.push_back({"X-Amz-Function-Error", result->function_error});
  }
  if (with_tail) {
    answer.headers.push_back(
        {"X-Amz-Log-Result", absl::Base64Escape(result->log_tail)});
  }
  return answer;
}

}  // namespace

LambdaOperation OperationOf(absl::string_view method, absl::string_view path) {
  struct Form {
    const char* name;
    const char* method;
    const char* path;
  };
  static constexpr Form kForms[] = {
      {"GetEventSourceMapping", "GET",
       "/2015-03-31/event-source-mappings/{uuid}"},
      {"GetFunction", "GET", "/2015-03-31/functions/{name}"},
      {"GetFunctionConcurrency", "GET",
       "/2019-09-30/functions/{name}/concurrency"},
      {"GetFunctionConfiguration", "GET",
       "/2015-03-31/functions/{name}/configuration"},
      {"GetFunctionEventInvokeConfig", "GET",
       "/2019-09-25/functions/{name}/event-invoke-config"},
      {"GetPolicy", "GET", "/2015-03-31/functions/{name}/policy"},
      {"Invoke", "POST", "/2015-03-31/functions/{name}/invocations"},
      {"ListEventSourceMappings", "GET", "/2015-03-31/event-source-mappings"},
      {"ListFunctions", "GET", "/2015-03-31/functions"},
  };
  for (const Form& form : kForms) {
    if (form.method != method) continue;
    if (auto parts = MatchPath(form.path, path)) {
      return {.name = form.name,
              .subject = parts->empty() ? "" : std::move(parts->front())};
    }
  }
  return {};
}

const ServiceTraits& LambdaService::traits() const { return kTraits; }

std::vector<NeededPermission> LambdaService::PermissionsFor(
    const Call& call) const {
  return {PermissionFor(call)};
}

void LambdaService::Handle(Call call, AnswerFunction answer) {
  const LambdaOperation operation = OperationOf(call.method, call.path);
  if (operation.name == "GetEventSourceMapping") {
    return GetEventSourceMapping(operation.subject, std::move(answer));
  }
  const std::string arn = lambda_.ArnOf(operation.subject, call.region);
  const std::string qualifier = FindParameter(call, "Qualifier");
  if (!qualifier.empty() && qualifier != kLatestVersion) {
    return answer(ErrorAnswerFor(
        NotFound(absl::StrCat("Function not found: ", arn, ":", qualifier))));
  }
  if (operation.name == "Invoke") return Invoke(call, arn, std::move(answer));
  if (absl::StartsWith(operation.name, "Get")) {
    return GetOfFunction(operation.name, arn, std::move(answer));
  }
  if (operation.name == "ListFunctions") {
    return ListFunctions(call, std::move(answer));
  }
  if (operation.name == "ListEventSourceMappings") {
    return ListEventSourceMappings(call, std::move(answer));
  }
  answer(ErrorAnswerFor(ServiceError(
      {.code = "UnknownOperationException",
       .message = absl::StrCat("the local Lambda does not support ",
                               call.method, " ", call.path),
       .http_status = 404})));
}

// https://docs.aws.amazon.com/lambda/latest/api/API_Invoke.html
void LambdaService::Invoke(const Call& call, const std::string& arn,
                           AnswerFunction answer) {
  const absl::string_view type = FindHeader(call, "X-Amz-Invocation-Type");
  InvokeRequest request{
      .payload = call.body.empty() ? kEmptyEvent : call.body,
      .request_id = call.request_id,
      .client_context = std::string(FindHeader(call, "X-Amz-Client-Context"))};
  const bool asynchronous = type == "Event";
  absl::Status good = CheckPayload(
      request.payload, asynchronous ? kMaxAsyncRequestBytes : kMaxRequestBytes);
  if (good.ok() && !type.empty() && !asynchronous && type != "DryRun" &&
      type != "RequestResponse") {
    good = ServiceError(
        {.code = "InvalidParameterValueException",
         .message = absl::StrCat("Unknown invocation type: ", type),
         .json_members = R"("Type":"User")"});
  }
  if (!good.ok()) return answer(ErrorAnswerFor(good));
  if (type == "DryRun") {
    return lambda_.CheckInvoke(arn, [answer](const absl::Status& status) {
      answer(status.ok() ? Answer{.status = 204} : ErrorAnswerFor(status));
    });
  }
  if (asynchronous) {
    return lambda_.InvokeAsync(
        arn, std::move(request), nullptr,
        [answer](const absl::StatusOr<std::string>& id) {
          answer(id.ok()
                     ? Answer{.status = 202, .content_type = kRestContentType}
                     : ErrorAnswerFor(id.status()));
        });
  }
  // Only this caller waits for the function.
  request.let_time_pass = call.let_time_pass;
  const bool with_tail = FindHeader(call, "X-Amz-Log-Type") == "Tail";
  lambda_.Invoke(
      arn, std::move(request), nullptr,
      [answer, with_tail](const absl::StatusOr<InvokeResult>& result) {
        answer(ToAnswer(result, with_tail));
      });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunction.html
// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConfiguration.html
// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionConcurrency.html
// https://docs.aws.amazon.com/lambda/latest/api/API_GetFunctionEventInvokeConfig.html
// https://docs.aws.amazon.com/lambda/latest/api/API_GetPolicy.html
void LambdaService::GetOfFunction(const std::string& operation,
                                  const std::string& arn,
                                  AnswerFunction answer) {
  lambda_.InspectFunction(
      arn, [operation, answer](const absl::StatusOr<FunctionDetails>& details) {
        if (!details.ok()) return answer(ErrorAnswerFor(details.status()));
        if (operation == "GetFunctionConfiguration") {
          return answer(RestAnswer(ToJson(details->config)));
        }
        if (operation == "GetFunctionConcurrency") {
          return answer(RestAnswer(ConcurrencyJson(details->config)));
        }
        if (operation == "GetFunctionEventInvokeConfig") {
          if (details->invoke_config.has_value()) {
            return answer(RestAnswer(InvokeConfigJson(*details)));
          }
          return answer(ErrorAnswerFor(NotFound(
              absl::StrCat("The function ", details->config.arn,
                           ":$LATEST doesn't have an EventInvokeConfig"))));
        }
        if (operation != "GetPolicy") {
          return answer(RestAnswer(FunctionJson(details->config)));
        }
        if (details->permissions.empty()) {
          return answer(ErrorAnswerFor(
              NotFound("The resource you requested does not exist.")));
        }
        answer(RestAnswer(PolicyJson(*details)));
      });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_GetEventSourceMapping.html
void LambdaService::GetEventSourceMapping(const std::string& uuid,
                                          AnswerFunction answer) {
  lambda_.Inspect([uuid, answer](const std::vector<FunctionConfig>&,
                                 const std::vector<MappingConfig>& mappings) {
    for (const MappingConfig& mapping : mappings) {
      if (mapping.uuid == uuid) return answer(RestAnswer(ToJson(mapping)));
    }
    answer(
        ErrorAnswerFor(NotFound("The resource you requested does not exist.")));
  });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_ListFunctions.html
void LambdaService::ListFunctions(const Call& call, AnswerFunction answer) {
  lambda_.Inspect([region = call.region, answer](
                      const std::vector<FunctionConfig>& functions,
                      const std::vector<MappingConfig>&) {
    Json::Value value(Json::objectValue);
    value["Functions"] = Json::arrayValue;
    for (const FunctionConfig& function : functions) {
      if (function.region == region) {
        value["Functions"].append(ToJson(function));
      }
    }
    answer(RestAnswer(value));
  });
}

// https://docs.aws.amazon.com/lambda/latest/api/API_ListEventSourceMappings.html
void LambdaService::ListEventSourceMappings(const Call& call,
                                            AnswerFunction answer) {
  const std::string function = FindParameter(call, "FunctionName");
  const std::string arn =
      function.empty() ? "" : lambda_.ArnOf(function, call.region);
  const std::string source = FindParameter(call, "EventSourceArn");
  lambda_.Inspect(
      [arn, source, answer](const std::vector<FunctionConfig>&,
                            const std::vector<MappingConfig>& mappings) {
        Json::Value value(Json::objectValue);
        value["EventSourceMappings"] = Json::arrayValue;
        for (const MappingConfig& mapping : mappings) {
          if ((arn.empty() || mapping.function_arn == arn) &&
              (source.empty() || mapping.queue_arn == source)) {
            value["EventSourceMappings"].append(ToJson(mapping));
          }
        }
        answer(RestAnswer(value));
      });
}

}  // namespace byoshin::local::lambda

#include "local/appsync/sources/data_sources.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/aws/credentials.h"
#include "core/aws/sigv4.h"
#include "core/http/client.h"
#include "core/json/data.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/sources/database_source.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/dynamodb_source.h"
#include "local/appsync/sources/function_result.h"
#include "local/appsync/sources/http_source.h"
#include "local/appsync/sources/source_result.h"
#include "local/iam/iam.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {

absl::StatusOr<lambda::FunctionInvoker::Mode> InvocationModeOf(
    const json::Data& request) {
  using Mode = lambda::FunctionInvoker::Mode;
  const std::string type = TextOf(request, "invocationType");
  if (type.empty() || type == "RequestResponse") return Mode::kRequestResponse;
  if (type == "Event") return Mode::kEvent;
  return absl::InvalidArgumentError(absl::StrCat(
      "The invocationType ", type, " is not one of RequestResponse, Event"));
}

DataSources::DataSources(World world)
    : world_(std::move(world)), threads_({}) {}

DataSources::~DataSources() {
  ending_ = true;
  threads_.Drop();
}

void DataSources::Call(const SourceCall& call, SourceDone done) {
  switch (call.source->type) {
    case DataSource::Type::kNone:
      return done({.result = MemberOf(call.request, "payload")});
    case DataSource::Type::kDynamoDb:
      return CallDynamoDb({world_.roles, world_.functions}, call,
                          std::move(done));
    case DataSource::Type::kLambda:
      return CallLambda(call, std::move(done));
    case DataSource::Type::kHttp:
      return CallHttp(call, std::move(done));
    case DataSource::Type::kRelationalDatabase:
      return CallDatabase(world_.roles, call, std::move(done));
  }
}

void DataSources::Invoke(const DataSource& source, std::string payload,
                         lambda::FunctionInvoker::Mode mode, SourceDone done) {
  world_.functions.InvokeForApi(
      {.function_arn = source.function_arn,
       .payload = std::move(payload),
       .role_arn = source.role_arn,
       .mode = mode},
      [done = std::move(done)](
          const absl::StatusOr<lambda::FunctionInvoker::Result>& result) {
        done(FunctionResult(result));
      });
}

void DataSources::CallLambda(const SourceCall& call, SourceDone done) {
  const std::string operation = TextOf(call.request, "operation");
  if (operation != "Invoke" && operation != "BatchInvoke") {
    return done(InvalidSourceRequest(absl::StrCat(
        "Unsupported operation '", operation,
        "'; the operations of a Lambda data source are Invoke, BatchInvoke")));
  }
  const absl::StatusOr<lambda::FunctionInvoker::Mode> mode =
      InvocationModeOf(call.request);
  if (!mode.ok()) {
    return done(InvalidSourceRequest(std::string(mode.status().message())));
  }
  Invoke(*call.source, MemberOf(call.request, "payload").ToJson(), *mode,
         std::move(done));
}

absl::Status DataSources::SignHttp(const DataSource& source,
                                   http::Request& request) {
  if (source.signing_service.empty()) return absl::OkStatus();
  const absl::StatusOr<iam::SessionCredentials> session =
      world_.roles.CredentialsOf(source.role_arn);
  if (!session.ok()) return session.status();
  absl::StatusOr<aws::Signature> signature =
      aws::Sign(request,
                {.access_key_id = session->access_key_id,
                 .secret_access_key = aws::Secret(session->secret_access_key),
                 .session_token = aws::Secret(session->session_token)},
                {.region = source.signing_region,
                 .service = source.signing_service,
                 .time = world_.signing_clock.Now()});
  if (!signature.ok()) return signature.status();
  for (http::Header& header : signature->headers) {
    request.headers.push_back(std::move(header));
  }
  return absl::OkStatus();
}

SourceResult DataSources::SendHttp(const SourceCall& call,
                                   http::Request request) {
  const auto is_over = [this, &call] {
    return ending_.load() || (call.is_over != nullptr && call.is_over());
  };
  // It may have waited for a thread for long.
  if (is_over()) {
    return SourceFailure("Http:RequestFailed",
                         "The GraphQL request was over before this one began");
  }
  if (absl::Status signed_ = SignHttp(*call.source, request); !signed_.ok()) {
    return absl::IsInvalidArgument(signed_)
               ? InvalidSourceRequest(std::string(signed_.message()))
               : SourceFailure("UnauthorizedException",
                               std::string(signed_.message()));
  }
  request.cancelled = is_over;
  return HttpResult(world_.new_client()->Send(request));
}

void DataSources::CallHttp(const SourceCall& call, SourceDone done) {
  absl::StatusOr<http::Request> request =
      HttpRequestFor(call.source->endpoint, call.request);
  if (!request.ok()) {
    return done(InvalidSourceRequest(std::string(request.status().message())));
  }
  threads_.Do(call.owner,
              [this, call, request = *std::move(request),
               done = std::move(done)] { done(SendHttp(call, request)); });
}

}  // namespace byoshin::local::appsync

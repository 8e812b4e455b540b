#include "local/appsync/sources/data_sources.h"

#include <memory>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/sources/database_source.h"
#include "local/appsync/sources/dynamodb_request.h"
#include "local/appsync/sources/dynamodb_source.h"
#include "local/appsync/sources/function_result.h"
#include "local/appsync/sources/http_source.h"
#include "local/appsync/sources/source_result.h"

namespace byoshin::local::appsync {

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
                         SourceDone done) {
  world_.functions.InvokeForApi(
      {.function_arn = source.function_arn,
       .payload = std::move(payload),
       .role_arn = source.role_arn},
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
  const std::string type = TextOf(call.request, "invocationType");
  if (!type.empty() && type != "RequestResponse") {
    return done(InvalidSourceRequest(absl::StrCat(
        "The invocationType ", type, " is not supported by the local cloud.")));
  }
  Invoke(*call.source, MemberOf(call.request, "payload").ToJson(),
         std::move(done));
}

void DataSources::CallHttp(const SourceCall& call, SourceDone done) {
  absl::StatusOr<http::Request> request =
      HttpRequestFor(call.source->endpoint, call.request);
  if (!request.ok()) {
    return done(InvalidSourceRequest(std::string(request.status().message())));
  }
  request->cancelled = [this] { return ending_.load(); };
  threads_.Do(call.owner, [this, request = *std::move(request),
                           done = std::move(done)] {
    const std::unique_ptr<http::Client> client = world_.new_client();
    done(HttpResult(client->Send(request)));
  });
}

}  // namespace byoshin::local::appsync

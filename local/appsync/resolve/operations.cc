#include "local/appsync/resolve/operations.h"

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/error.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/request_log.h"
#include "local/appsync/sources/dynamodb_request.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

constexpr char kMalformed[] = "MalformedHttpRequestException";
constexpr char kBadRequest[] = "BadRequestException";
constexpr char kUnparsable[] = "Unable to parse GraphQL query.";
constexpr int kBadRequestStatus = 400;
constexpr int kOkStatus = 200;

RequestRefusal Unparsable() {
  return RefuseWith(kBadRequestStatus, kMalformed, kUnparsable);
}

std::variant<OperationText, RequestRefusal> OperationOf(const Data& request) {
  OperationText text{.query = TextOf(request, "query"),
                     .name = TextOf(request, "operationName"),
                     .variables = MemberOf(request, "variables")};
  if (text.query.empty()) return Unparsable();
  if (!text.variables.is_null() && !text.variables.is_object()) {
    return RefuseWith(kBadRequestStatus, kMalformed,
                      "Variables must be an object.");
  }
  return text;
}

graphql::ValidationOptions OptionsFor(const GraphqlApi& api) {
  graphql::ValidationOptions options;
  if (api.query_depth_limit > 0) {
    options.query_depth_limit = static_cast<int>(api.query_depth_limit);
  }
  options.introspection = api.introspection ? graphql::Introspection::kEnabled
                                            : graphql::Introspection::kDisabled;
  return options;
}

// That a subscription has no value yet when it starts is no error, whatever its
// type; a value without what its type requires is one.
bool IsNoValueYet(const graphql::Error& error) {
  return error.path.has_value() && error.path->size() == 1 &&
         !error.details.has_value();
}

}  // namespace

RequestRefusal RefuseWith(int status, absl::string_view error_type,
                          absl::string_view message) {
  RequestRefusal refusal{.status = status};
  refusal.errors = "[{\"errorType\":";
  json::AppendQuoted(error_type, refusal.errors);
  absl::StrAppend(&refusal.errors, ",\"message\":");
  json::AppendQuoted(message, refusal.errors);
  refusal.errors += "}]";
  refusal.body = absl::StrCat("{\"errors\":", refusal.errors, "}");
  return refusal;
}

std::variant<OperationText, RequestRefusal> ParseOperation(
    absl::string_view body) {
  if (body.empty()) {
    return RefuseWith(kBadRequestStatus, kMalformed, "Request body is empty.");
  }
  const absl::StatusOr<Data> request = Data::Parse(body);
  if (!request.ok() || !request->is_object()) return Unparsable();
  return OperationOf(*request);
}

std::variant<OperationText, RequestRefusal> ParseOperationQuery(
    absl::string_view query) {
  const absl::StatusOr<std::vector<http::QueryParameter>> parameters =
      http::ParseQuery(query);
  if (!parameters.ok()) return Unparsable();
  ObjectBuilder request;
  for (const http::QueryParameter& parameter : *parameters) {
    const std::string value = json::ValidUtf8(parameter.value);
    if (parameter.name == "variables") {
      const absl::StatusOr<Data> variables = Data::Parse(value);
      if (!variables.ok()) return Unparsable();
      request.Set("variables", *variables);
    } else if (parameter.name == "query" || parameter.name == "operationName") {
      request.Set(parameter.name, Data::String(value));
    }
  }
  return OperationOf(std::move(request).Build());
}

Data HeadersData(const http::ServerRequest& request) {
  ObjectBuilder headers;
  for (const http::Header& header : request.headers) {
    headers.Set(absl::AsciiStrToLower(json::ValidUtf8(header.name)),
                Data::String(json::ValidUtf8(header.value)));
  }
  // AppSync is behind a balancer, which adds the client's address.
  const std::string address =
      request.remote.substr(0, request.remote.rfind(':'));
  const absl::string_view forwarded = request.FindHeader(kForwardedForHeader);
  headers.Set(
      kForwardedForHeader,
      Data::String(forwarded.empty() ? address
                                     : absl::StrCat(json::ValidUtf8(forwarded),
                                                    ", ", address)));
  return std::move(headers).Build();
}

std::variant<PreparedOperation, RequestRefusal> Operations::Prepare(
    const std::shared_ptr<const ApiState>& state, OperationText text) {
  PreparedOperation prepared{.api = apis_.Get(state), .text = std::move(text)};
  if (prepared.api->schema == nullptr) {
    return RefuseWith(kBadRequestStatus, kBadRequest,
                      "No schema definition exists.");
  }
  prepared.document = documents_.Prepare(
      prepared.api->schema, prepared.text.query, OptionsFor(*state->api));
  // The API may have been deleted meanwhile.
  if (!is_current_(*state)) documents_.Forget(*prepared.api->schema);
  if (prepared.document->syntax_error().has_value()) return Unparsable();
  if (!prepared.document->errors().empty()) {
    return RequestRefusal{
        .status = kOkStatus,
        .body = graphql::ErrorResponse(prepared.document->errors()),
        .errors = graphql::ToData(prepared.document->errors()).ToJson()};
  }
  prepared.operation = prepared.document->FindOperation(prepared.text.name);
  if (prepared.operation == nullptr) {
    return RefuseWith(kBadRequestStatus, kBadRequest,
                      prepared.text.name.empty()
                          ? "Missing operation name."
                          : absl::StrCat("Unknown operation named '",
                                         prepared.text.name, "'."));
  }
  return prepared;
}

void Operations::Forget(const ApiState& before, const ApiState* after) {
  if (after == nullptr || after->schema != before.schema) {
    const CompiledApis::Pointer forgotten = apis_.Forget(before.api->id);
    if (forgotten != nullptr && forgotten->schema != nullptr) {
      documents_.Forget(*forgotten->schema);
    }
  }
  const auto forget_code = [&](const auto& pieces, const auto* kept) {
    for (const auto& [name, piece] : pieces) {
      if (kept != nullptr) {
        const auto found = kept->find(name);
        if (found != kept->end() &&
            (found->second == piece || found->second->code == piece->code)) {
          continue;
        }
      }
      world_.runtime.Forget(piece->code);
    }
  };
  forget_code(before.resolvers, after == nullptr ? nullptr : &after->resolvers);
  forget_code(before.functions, after == nullptr ? nullptr : &after->functions);
}

void Operations::Execute(const PreparedOperation& prepared,
                         std::shared_ptr<const ApiCaller> caller,
                         OperationOrigin origin,
                         std::function<void(RequestOutcome)> done) {
  const GraphqlApi& api = *prepared.api->state->api;
  const auto log = std::make_shared<RequestLog>(
      RequestLog::Options{.config = api.log,
                          .api_id = api.id,
                          .request_id = origin.request_id,
                          .write = log_writer_(*prepared.api)});
  log->BeginRequest(origin.headers, prepared.text.query, prepared.text.name,
                    prepared.text.variables);
  const absl::Time began = world_.clock.Now();
  std::make_shared<RequestExecution>(
      world_, OperationRequest{.api = prepared.api,
                               .caller = std::move(caller),
                               .document = prepared.document,
                               .operation = prepared.operation,
                               .query = prepared.text.query,
                               .operation_name = prepared.text.name,
                               .variables = prepared.text.variables,
                               .request_id = std::move(origin.request_id),
                               .headers = std::move(origin.headers),
                               .source_ip = std::move(origin.source_ip),
                               .log = log})
      ->Run([log, began, type = prepared.operation->type,
             done = std::move(done)](RequestOutcome outcome) {
        if (type == graphql::OperationType::kSubscription) {
          std::erase_if(outcome.result.errors, IsNoValueYet);
        }
        if (!outcome.result.errors.empty()) {
          log->Failed(graphql::ToData(outcome.result.errors));
        }
        log->EndRequest(kOkStatus, began, outcome.trace.duration);
        done(std::move(outcome));
      });
}

}  // namespace byoshin::local::appsync

#include "local/appsync/resolve/request_execution.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/json/data.h"
#include "core/json/text.h"
#include "core/sync/mutex.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/auth/field_access.h"
#include "local/appsync/graphql/document.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/schema.h"
#include "local/appsync/model/graphql_api.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/resolver_run.h"
#include "local/appsync/resolve/trace.h"
#include "local/iam/evaluation.h"

namespace byoshin::local::appsync {
namespace {

using json::Data;
using json::ObjectBuilder;

// The action of callers with IAM credentials.
constexpr char kGraphqlAction[] = "appsync:GraphQL";

// The addresses that the request came through, the client's first. Its header
// ends with that of the connection, cf. HeadersData().
Data SourceIps(const OperationRequest& request) {
  const Data* forwarded = request.headers.Find(kForwardedForHeader);
  if (forwarded == nullptr || !forwarded->is_string()) {
    return Data::Array({Data::String(request.source_ip)});
  }
  std::vector<Data> addresses;
  for (const absl::string_view address :
       absl::StrSplit(forwarded->string(), ',', absl::SkipWhitespace())) {
    addresses.push_back(Data::String(absl::StripAsciiWhitespace(address)));
  }
  return Data::Array(std::move(addresses));
}

std::string IdentityJson(const OperationRequest& request) {
  const ApiCaller& caller = *request.caller;
  if (caller.identity.is_null()) return "null";
  if (caller.type == AuthenticationType::kLambda) {
    return caller.identity.ToJson();
  }
  ObjectBuilder identity(caller.identity);
  identity.Set("sourceIp", SourceIps(request));
  return std::move(identity).Build().ToJson();
}

RequestTrace::Kind KindOf(graphql::OperationType type) {
  switch (type) {
    case graphql::OperationType::kQuery:
      return RequestTrace::Kind::kQuery;
    case graphql::OperationType::kMutation:
      return RequestTrace::Kind::kMutation;
    case graphql::OperationType::kSubscription:
      return RequestTrace::Kind::kSubscription;
  }
  return RequestTrace::Kind::kQuery;
}

}  // namespace

RequestExecution::RequestExecution(const ResolveWorld& world,
                                   OperationRequest request)
    : world_(world),
      request_(std::move(request)),
      began_on_clock_(world.clock.Now()),
      batches_(world.sources) {
  identity_json_ = IdentityJson(request_);
  request_json_ = absl::StrCat("{\"headers\":", request_.headers.ToJson(),
                               ",\"domainName\":null}");
}

void RequestExecution::Run(std::function<void(RequestOutcome)> done) {
  const Batches::Round round(batches_);
  const std::int64_t limit = api().state->api->resolver_count_limit;
  graphql::Execute(
      {.document = request_.document,
       .operation = request_.operation,
       .variables = request_.variables,
       .max_resolvers = limit > 0 ? static_cast<std::size_t>(limit)
                                  : graphql::kMaxResolvers},
      *this,
      [self = shared_from_this(),
       done = std::move(done)](graphql::ExecutionResult result) {
        RequestOutcome outcome{.result = std::move(result)};
        const OperationRequest& request = self->request_;
        outcome.trace = {
            .request_id = request.request_id,
            .api_id = self->api().state->api->id,
            .time = self->world_.clock.Now(),
            .kind = KindOf(request.operation->type),
            .operation_name = std::string(
                json::CutAtCharacter(request.operation_name,
                                     self->world_.traces.limits().text_bytes)),
            .query = std::string(json::CutAtCharacter(
                request.query, self->world_.traces.limits().query_bytes)),
            .duration = self->Elapsed(),
            .errors = outcome.result.errors.size()};
        outcome.effects = self->effects_.Finish();
        {
          const sync::MutexLock lock(self->mutex_);
          outcome.trace.resolvers = std::move(self->traces_);
        }
        done(std::move(outcome));
      });
}

bool RequestExecution::IsOver() const {
  return code_time() > world_.max_code_time ||
         world_.clock.Now() - began_on_clock_ >= kRequestTimeout;
}

std::optional<graphql::FieldError> RequestExecution::Refuse(
    const graphql::NamedType& type, const graphql::FieldDefinition& field) {
  const ApiCaller& caller = *request_.caller;
  if (type.built_in) return std::nullopt;
  const graphql::Schema& schema = *api().schema;
  const bool root = &type == schema.query_type() ||
                    &type == schema.mutation_type() ||
                    &type == schema.subscription_type();
  bool allowed = MayAccess(caller, api().arn, type, field);
  if (allowed && root && caller.type == AuthenticationType::kIam) {
    allowed = world_.is_allowed(
        {.principal = caller.principal,
         .action = kGraphqlAction,
         .resource = FieldArn(api().arn, type.name, field.name)});
  }
  if (allowed) return std::nullopt;
  return graphql::NotAuthorized(type, field);
}

bool RequestExecution::HasResolver(const graphql::NamedType&,
                                   const graphql::FieldDefinition& field) {
  return api().FindResolver(field) != nullptr;
}

void RequestExecution::Resolve(
    const graphql::FieldRequest& request,
    std::function<void(graphql::FieldOutcome)> done) {
  RunResolver(shared_from_this(), *api().FindResolver(request.field()), request,
              std::move(done));
}

bool RequestExecution::HasRoomForTrace() {
  const sync::MutexLock lock(mutex_);
  return traces_.size() < world_.traces.limits().resolvers;
}

void RequestExecution::AddTrace(ResolverTrace trace) {
  const sync::MutexLock lock(mutex_);
  if (traces_.size() < world_.traces.limits().resolvers) {
    traces_.push_back(std::move(trace));
  }
}

}  // namespace byoshin::local::appsync

// The execution of one GraphQL operation: decides which fields the caller may
// see, and runs their resolvers.
//
//   auto execution = std::make_shared<RequestExecution>(world, request);
//   execution->Run([](RequestOutcome outcome) { Send(outcome); });
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EXECUTION_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EXECUTION_H_

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/time/clock.h"
#include "absl/time/time.h"
#include "core/json/data.h"
#include "core/sync/mutex.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/execution.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/resolve/batches.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_effects.h"
#include "local/appsync/resolve/request_log.h"
#include "local/appsync/resolve/resolve_world.h"
#include "local/appsync/resolve/trace.h"

namespace byoshin::local::appsync {

// Where the addresses of a client and of proxies are, in lower case.
inline constexpr char kForwardedForHeader[] = "x-forwarded-for";

struct OperationRequest {
  CompiledApis::Pointer api{};
  std::shared_ptr<const ApiCaller> caller{};
  // Valid, with the operation in it.
  std::shared_ptr<const graphql::PreparedDocument> document{};
  const graphql::ast::Operation* operation = nullptr;
  std::string query{};
  std::string operation_name{};
  json::Data variables{};
  std::string request_id{};
  // ctx.request.headers.
  json::Data headers{};
  std::string source_ip{};
  std::shared_ptr<RequestLog> log{};
};

struct RequestOutcome {
  graphql::ExecutionResult result{};
  Effects effects{};
  // Without deliveries.
  RequestTrace trace{};
};

// The resolver of the operation's fields. Lives until all have answered.
class RequestExecution final
    : public graphql::FieldResolver,
      public std::enable_shared_from_this<RequestExecution> {
 public:
  // `world` outlives it.
  RequestExecution(const ResolveWorld& world, OperationRequest request);

  // Calls `done` once, maybe before it returns. Call it once.
  void Run(std::function<void(RequestOutcome)> done);

  std::optional<graphql::FieldError> Refuse(
      const graphql::NamedType& type,
      const graphql::FieldDefinition& field) override;
  bool HasResolver(const graphql::NamedType& type,
                   const graphql::FieldDefinition& field) override;
  void Resolve(const graphql::FieldRequest& request,
               std::function<void(graphql::FieldOutcome)> done) override;

  // For its resolvers.
  const ResolveWorld& world() const { return world_; }
  const OperationRequest& request() const { return request_; }
  const CompiledApi& api() const { return *request_.api; }
  Batches& batches() { return batches_; }
  RequestLog& log() { return *request_.log; }
  // Parts of ctx that are the same for all resolvers, as JSON.
  const std::string& identity_json() const { return identity_json_; }
  const std::string& request_json() const { return request_json_; }
  // Since the request began, in real time.
  absl::Duration Elapsed() const { return absl::Now() - began_; }

  // How long its code has run so far, all resolvers together.
  absl::Duration code_time() const {
    return absl::Nanoseconds(code_nanoseconds_.load());
  }
  void AddCodeTime(absl::Duration duration) {
    code_nanoseconds_ += absl::ToInt64Nanoseconds(duration);
  }
  // Whether it has taken longer than a request may: nobody waits for it.
  bool IsOver() const;

  RequestEffects& effects() { return effects_; }
  bool HasRoomForTrace();
  void AddTrace(ResolverTrace trace);

  // Whether a data source may be sent so many bytes more; all requests may wait
  // at the same time.
  bool MaySend(std::size_t bytes) {
    return (sent_bytes_ += bytes) <= kMaxSourceBytes;
  }

 private:
  const ResolveWorld& world_;
  const OperationRequest request_;
  const absl::Time began_ = absl::Now();
  // By the cloud's clock.
  const absl::Time began_on_clock_;
  std::atomic<std::int64_t> code_nanoseconds_ = 0;
  std::atomic<std::size_t> sent_bytes_ = 0;
  std::string identity_json_;
  std::string request_json_;
  Batches batches_;
  RequestEffects effects_;
  sync::Mutex mutex_;
  std::vector<ResolverTrace> traces_ ABSL_GUARDED_BY(mutex_);
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_REQUEST_EXECUTION_H_

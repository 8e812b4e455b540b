// From the text of a request to its execution.
//
//   std::variant<OperationText, RequestRefusal> text =
//       ParseOperation(request.body);
//   auto prepared = operations.Prepare(state, std::get<OperationText>(text));
//   operations.Execute(std::get<PreparedOperation>(prepared), caller, origin,
//                      [](RequestOutcome outcome) { … });
#ifndef BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_H_
#define BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/data.h"
#include "local/appsync/auth/caller.h"
#include "local/appsync/graphql/operation.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/resolve/compiled_api.h"
#include "local/appsync/resolve/request_execution.h"
#include "local/appsync/resolve/request_log.h"
#include "local/appsync/resolve/resolve_world.h"

namespace byoshin::local::appsync {

struct OperationText {
  std::string query{};
  std::string name{};  // empty if the document's only operation is meant
  json::Data variables{};
};

// A request that is not executed.
struct RequestRefusal {
  int status = 400;
  // JSON: {"errors":[…]}.
  std::string body{};
  // The errors alone, a JSON array.
  std::string errors{};
};

// {"errors":[{"errorType":…,"message":…}]}
RequestRefusal RefuseWith(int status, absl::string_view error_type,
                          absl::string_view message);

// Reads {"query":…,"operationName":…,"variables":…}.
std::variant<OperationText, RequestRefusal> ParseOperation(
    absl::string_view body);
// The same of a GET request's parameters.
std::variant<OperationText, RequestRefusal> ParseOperationQuery(
    absl::string_view query);

struct PreparedOperation {
  CompiledApis::Pointer api{};
  std::shared_ptr<const graphql::PreparedDocument> document{};
  const graphql::ast::Operation* operation = nullptr;
  OperationText text{};
};

// Where an operation comes from.
struct OperationOrigin {
  std::string request_id{};
  json::Data headers{};  // ctx.request.headers
  std::string source_ip{};
};

// The headers of a request for resolvers: names in lower case.
json::Data HeadersData(const http::ServerRequest& request);

// Thread-safe.
class Operations {
 public:
  // A function that writes a line to the log of the API; null if it has none.
  using LogWriter =
      std::function<std::function<void(std::string)>(const CompiledApi& api)>;

  struct Options {
    std::string account_id{};
    LogWriter log_writer{};                // never null
    CompiledApis::IsCurrent is_current{};  // never null
  };

  // `world` outlives it.
  Operations(const ResolveWorld& world, Options options)
      : world_(world),
        is_current_(std::move(options.is_current)),
        apis_(world.runtime, std::move(options.account_id), is_current_),
        log_writer_(std::move(options.log_writer)) {}

  std::variant<PreparedOperation, RequestRefusal> Prepare(
      const std::shared_ptr<const ApiState>& state, OperationText text);

  // Of a subscription, this is its start.
  void Execute(const PreparedOperation& prepared,
               std::shared_ptr<const ApiCaller> caller, OperationOrigin origin,
               std::function<void(RequestOutcome)> done);

  // Drops what was compiled for an API and is no longer part of it. `before` is
  // not the current state any more; `after` is null if the API was deleted.
  void Forget(const ApiState& before, const ApiState* after);

 private:
  const ResolveWorld& world_;
  const CompiledApis::IsCurrent is_current_;
  CompiledApis apis_;
  const LogWriter log_writer_;
  graphql::DocumentCache documents_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_RESOLVE_OPERATIONS_H_

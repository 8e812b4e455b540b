// Calls data sources for resolvers.
//
//   DataSources sources({.roles = roles, .functions = functions, …});
//   sources.Call({.source = source, .request = request},
//                [](SourceResult result) { … });
//
// Tables, functions, databases, and servers whose requests are signed, are
// called as the data source's role, with its permissions.
#ifndef BYOSHIN_LOCAL_APPSYNC_SOURCES_DATA_SOURCES_H_
#define BYOSHIN_LOCAL_APPSYNC_SOURCES_DATA_SOURCES_H_

#include <atomic>
#include <functional>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/http/client.h"
#include "core/json/data.h"
#include "core/time/clock.h"
#include "local/appsync/model/data_source.h"
#include "local/appsync/sources/request_threads.h"
#include "local/appsync/sources/source_result.h"
#include "local/iam/role_caller.h"
#include "local/lambda/function_invoker.h"

namespace byoshin::local::appsync {

struct SourceCall {
  std::shared_ptr<const DataSource> source{};
  // What the request handler has returned.
  json::Data request{};
  // Members of the payload for a function that handles failed conditions:
  // "arguments", "identity" and "resolver".
  json::Data context{};
  // The GraphQL request that it is part of, which may have many at the same
  // time. Only compared.
  const void* owner = nullptr;
  // Whether nobody waits for the result any more, on any thread; may be null.
  std::function<bool()> is_over{};
};

// The invocationType of a request to a Lambda data source. InvalidArgument if
// it has another one.
absl::StatusOr<lambda::FunctionInvoker::Mode> InvocationModeOf(
    const json::Data& request);

// Thread-safe.
class DataSources {
 public:
  struct World {
    // All outlive it.
    iam::RoleCaller& roles;
    lambda::FunctionInvoker& functions;
    // The clock that requests of HTTP data sources are signed by.
    const time::Clock& signing_clock;
    // A new client for each request of an HTTP data source.
    std::function<std::unique_ptr<http::Client>()> new_client;
  };

  explicit DataSources(World world);
  DataSources(const DataSources&) = delete;
  DataSources& operator=(const DataSources&) = delete;
  // HTTP requests that have not been sent are dropped, those that wait for
  // their answers are cancelled.
  ~DataSources();

  // Does not block. `done` is called once.
  void Call(const SourceCall& call, SourceDone done);

  // Calls the function of a Lambda data source with this event.
  void Invoke(const DataSource& source, std::string payload,
              lambda::FunctionInvoker::Mode mode, SourceDone done);

 private:
  void CallLambda(const SourceCall& call, SourceDone done);
  void CallHttp(const SourceCall& call, SourceDone done);
  SourceResult SendHttp(const SourceCall& call, http::Request request);
  // Signs it as the role of a data source that wants that.
  absl::Status SignHttp(const DataSource& source, http::Request& request);

  const World world_;
  std::atomic<bool> ending_ = false;
  RequestThreads threads_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_SOURCES_DATA_SOURCES_H_

// Serves the endpoints of GraphQL APIs over HTTP.
//
//   Front front({.find_api = …, .authentication = authentication, …});
//   if (Front::Wants(request)) return front.Handle(request, respond);
#ifndef BYOSHIN_LOCAL_APPSYNC_FRONT_H_
#define BYOSHIN_LOCAL_APPSYNC_FRONT_H_

#include <functional>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"
#include "core/async/gate.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/time/alarms.h"
#include "core/time/clock.h"
#include "local/appsync/auth/authentication.h"
#include "local/appsync/model/api_state.h"
#include "local/appsync/realtime/realtime.h"
#include "local/appsync/resolve/operations.h"
#include "local/appsync/resolve/trace.h"

namespace byoshin::local::appsync {

// Thread-safe.
class Front {
 public:
  // All outlive it.
  struct World {
    // The API of this id; null if there is none. Never null itself.
    std::function<std::shared_ptr<const ApiState>(absl::string_view)> find_api;
    Authentication& authentication;
    Operations& operations;
    Realtime& realtime;
    Traces& traces;
    time::Clock& clock;
    // A new id for each request. Never null.
    std::function<std::string()> new_request_id;
    // Answers of functions are dropped once it is closed.
    std::shared_ptr<async::Gate> gate;
  };

  explicit Front(World world);
  Front(const Front&) = delete;
  Front& operator=(const Front&) = delete;
  // The gate is closed before.
  ~Front();

  static bool Wants(const http::ServerRequest& request);
  // Whether pages of any origin may send it: signatures of the account's keys,
  // which every page may know, are for pages of the cloud's own origin.
  static bool IsOpenToPages(const http::ServerRequest& request);

  void Handle(const http::ServerRequest& request,
              const http::Responder& respond);

 private:
  struct Exchange;
  using ExchangePointer = std::shared_ptr<Exchange>;

  void Authorized(const ExchangePointer& exchange,
                  const Authentication::Outcome& outcome);
  void Executed(const ExchangePointer& exchange,
                const PreparedOperation& prepared, RequestOutcome outcome);

  const World world_;
  std::unique_ptr<time::Alarms> alarms_;
};

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_FRONT_H_

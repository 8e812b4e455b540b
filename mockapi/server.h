// The mock API as an HTTP server.
//
//   auto server = mockapi::StartServer({.port = 3000}, logger);
//   if (!server.ok()) return server.status();
//   (*server)->url();  // "http://127.0.0.1:3000"
//
// `./bazelw run //mockapi:server` runs it (server_main.cc).
#ifndef BYOSHIN_MOCKAPI_SERVER_H_
#define BYOSHIN_MOCKAPI_SERVER_H_

#include <cstdint>
#include <memory>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/log/logger.h"

namespace byoshin::mockapi {

inline constexpr std::uint16_t kDefaultPort = 3000;
inline constexpr char kPortVariable[] = "PORT";

// The API's answer to a request, for other servers.
http::ServerResponse Answer(const http::ServerRequest& request);

// Serves until it is stopped; see http::Server::Start for the errors. Writes
// one line per request to `logger`, which must outlive the server. Sets the
// options' on_served and on_accept_error.
absl::StatusOr<std::unique_ptr<http::Server>> StartServer(
    http::ServerOptions options, log::Logger& logger);

// The port in the environment variable PORT, or else kDefaultPort. 0 selects a
// free port. InvalidArgument if PORT is not a valid port.
absl::StatusOr<std::uint16_t> PortFrom(const env::Environment& environment);

}  // namespace byoshin::mockapi

#endif  // BYOSHIN_MOCKAPI_SERVER_H_

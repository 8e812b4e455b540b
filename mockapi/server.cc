#include "mockapi/server.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/http/url.h"
#include "core/json/value.h"
#include "core/log/logger.h"
#include "mockapi/handler.h"

namespace byoshin::mockapi {
namespace {

constexpr int kMaxPort = 65535;

void LogServed(const http::ServedRequest& served, log::Logger& logger) {
  std::vector<log::Field> fields = {
      {"remote", served.remote},
      {"method", served.method},
      {"target", served.target},
      {"status", served.status},
      {"requestBytes", static_cast<std::int64_t>(served.request_body_bytes)},
      {"responseBytes", static_cast<std::int64_t>(served.response_body_bytes)},
      {"milliseconds", absl::ToDoubleMilliseconds(served.duration)},
  };
  if (served.error.empty()) {
    logger.Log(log::Level::kInfo, "request served", fields);
  } else {
    fields.push_back({"error", served.error});
    logger.Log(log::Level::kWarning, "request failed", fields);
  }
}

}  // namespace

http::ServerResponse Answer(const http::ServerRequest& request) {
  absl::StatusOr<std::vector<http::QueryParameter>> parameters =
      http::ParseQuery(request.query);
  if (!parameters.ok()) return BadRequest(parameters.status().message());
  return Handle({.method = request.method,
                 .path = request.path,
                 .parameters = *std::move(parameters)});
}

absl::StatusOr<std::unique_ptr<http::Server>> StartServer(
    http::ServerOptions options, log::Logger& logger) {
  options.on_served = [&logger](const http::ServedRequest& served) {
    LogServed(served, logger);
  };
  options.on_accept_error = [&logger](const absl::Status& status) {
    logger.Error("not accepting connections for a moment",
                 {{"error", std::string(status.message())}});
  };
  return http::Server::Start(
      std::move(options),
      [](const http::ServerRequest& request, http::Responder respond) {
        respond(Answer(request));
      });
}

absl::StatusOr<std::uint16_t> PortFrom(const env::Environment& environment) {
  const std::optional<std::string> text =
      env::NonEmpty(environment, kPortVariable);
  if (!text.has_value()) return kDefaultPort;
  int port;
  // SimpleAtoi alone would also accept a sign and spaces.
  if (!std::all_of(text->begin(), text->end(), absl::ascii_isdigit) ||
      !absl::SimpleAtoi(*text, &port) || port > kMaxPort) {
    return absl::InvalidArgumentError(
        absl::StrCat(kPortVariable, " is ", json::Describe(*text),
                     "; expected a number from 0 to ", kMaxPort,
                     ", where 0 lets the system choose"));
  }
  return port;
}

}  // namespace byoshin::mockapi

// A request for a REST API in progress.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_EXCHANGE_H_
#define BYOSHIN_LOCAL_APIGATEWAY_EXCHANGE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "local/apigateway/gateway_response.h"
#include "local/apigateway/parameter_source.h"
#include "local/apigateway/proxy.h"
#include "local/apigateway/registry.h"

namespace byoshin::local::apigateway {

// One thread at a time uses it.
struct Exchange {
  http::ServerRequest request;
  http::Responder respond;
  Address address{};
  Route route{};
  RequestContext context{};
  // Where the integration began; InfiniteFuture before.
  absl::Time integration_began = absl::InfiniteFuture();
  absl::Duration integration_latency = absl::ZeroDuration();
  // For the access log; empty if there is none.
  std::string integration_error{};
  std::string authorizer_error{};
  std::optional<GatewayError> error{};
};

// The values of $context, except those of the response.
ContextVariables VariablesOf(const Exchange& exchange);

// "arn:aws:execute-api:us-east-1:000000000000:api" and `suffix`.
std::string ApiArn(const RequestContext& context, absl::string_view region,
                   absl::string_view suffix);

// A line of the stage's access log.
std::string AccessLogLine(const Exchange& exchange,
                          const http::ServerResponse& response, absl::Time now);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_EXCHANGE_H_

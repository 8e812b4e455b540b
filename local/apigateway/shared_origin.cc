#include "local/apigateway/shared_origin.h"

#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local::apigateway {

// https://w3c.github.io/ServiceWorker/#service-worker-script-request
bool IsForServiceWorker(const http::ServerRequest& request) {
  return !request.FindHeader("Service-Worker").empty();
}

// https://www.w3.org/TR/CSP3/#directive-sandbox
void TakeOriginAway(http::ServerResponse& response) {
  response.headers.push_back({"Content-Security-Policy", "sandbox"});
}

}  // namespace byoshin::local::apigateway

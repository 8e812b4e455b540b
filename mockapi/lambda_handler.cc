#include "mockapi/lambda_handler.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "core/json/json.h"
#include "core/lambda/handler.h"
#include "mockapi/handler.h"
#include "proto/api_gateway.pb.h"

namespace byoshin::mockapi {
namespace {

Request ToRequest(const events::ApiGatewayRequest& event) {
  Request request{.method = event.http_method(), .path = event.path()};
  // Only the multi-value form has repetitions; an event written by hand may
  // have only the other.
  const auto& lists = event.multi_value_query_string_parameters();
  for (const auto& [name, list] : lists) {
    for (const std::string& value : list.values()) {
      request.parameters.push_back({name, value});
    }
  }
  for (const auto& [name, value] : event.query_string_parameters()) {
    if (!lists.contains(name)) request.parameters.push_back({name, value});
  }
  return request;
}

events::ApiGatewayResponse ToEvent(http::ServerResponse response) {
  events::ApiGatewayResponse event;
  event.set_status_code(response.status);
  for (const http::Header& header : response.headers) {
    (*event.mutable_headers())[header.name] = header.value;
  }
  event.set_body(std::move(response.body));
  event.set_is_base64_encoded(false);
  return event;
}

}  // namespace

absl::StatusOr<std::string> LambdaHandler::Handle(
    const lambda::Invocation& invocation) {
  const absl::StatusOr<events::ApiGatewayRequest> event =
      json::FromJson<events::ApiGatewayRequest>(invocation.payload);
  if (!event.ok()) {
    return absl::Status(
        event.status().code(),
        absl::StrCat("not an event of an API Gateway proxy integration: ",
                     event.status().message()));
  }
  const Request request = ToRequest(*event);
  http::ServerResponse response = mockapi::Handle(request);
  logger_.Info("request served", {{"method", request.method},
                                  {"path", request.path},
                                  {"status", response.status}});
  if (request.method == "HEAD") response.body.clear();
  return json::ToJson(ToEvent(std::move(response)));
}

}  // namespace byoshin::mockapi

// Which API, stage and path a request is for.
//
// A stage is reached under the path
//   /restapis/{api id}/{stage}/_user_request_/{path}
// and under the host {api id}.execute-api.{region}.… as /{stage}/{path}.
#ifndef BYOSHIN_LOCAL_APIGATEWAY_ADDRESS_H_
#define BYOSHIN_LOCAL_APIGATEWAY_ADDRESS_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/registry.h"

namespace byoshin::local::apigateway {

// nullopt if the request is not for a REST API, or its path is not
// percent-encoded correctly.
std::optional<Address> AddressOf(const http::ServerRequest& request);

// Whether the request is for the host of an API.
bool IsForApiHost(const http::ServerRequest& request);

// The URL of a stage, without a trailing slash. `endpoint` is the gateway's:
// "http://127.0.0.1:4566".
std::string StageUrl(absl::string_view endpoint, absl::string_view api_id,
                     absl::string_view stage);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_ADDRESS_H_

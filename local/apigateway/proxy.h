// Lambda proxy integration: the event that a function gets for an HTTP request,
// and the HTTP answer that its result stands for.
//
//   std::string event = ProxyEvent(request, context);
//   ...                                     // the function is invoked with it
//   absl::StatusOr<http::ServerResponse> response = ProxyResponse(result);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_
#define BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_

#include <map>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"

namespace byoshin::local::apigateway {

// What API Gateway knows about a request beside the request itself.
struct RequestContext {
  std::string account_id{};
  std::string api_id{};
  std::string stage{};
  std::string domain_name{};
  std::string request_id{};
  std::string extended_request_id{};
  std::string resource_id{};
  std::string resource_path{};
  // Percent-decoded, without the stage.
  std::string path{};
  std::map<std::string, std::string> path_parameters{};
  absl::Time time{};
  std::string api_key{};     // empty if the method needs none
  std::string api_key_id{};  // likewise
};

// "16/Nov/2026:07:22:59 +0000", as in access logs.
std::string FormatRequestTime(absl::Time time);

// The address in `remote`, "127.0.0.1:40312", without the port.
std::string SourceIp(absl::string_view remote);

// The event as JSON text. InvalidArgument if the query is malformed.
absl::StatusOr<std::string> ProxyEvent(const http::ServerRequest& request,
                                       const RequestContext& context);

// InvalidArgument, saying what is wrong, if `result` is not what API Gateway
// accepts: an object with an integer statusCode and, optionally, headers,
// multiValueHeaders, body and isBase64Encoded.
absl::StatusOr<http::ServerResponse> ProxyResponse(absl::string_view result);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_

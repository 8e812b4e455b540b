// Lambda proxy integration: the event of an HTTP request for a function, and
// the HTTP answer from the function's result.
//
//   std::string event = ProxyEvent(request, context);
//   ...                                     // the function is invoked with it
//   absl::StatusOr<http::ServerResponse> response = ProxyResponse(result);
//
// https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-lambda-proxy-integrations.html
#ifndef BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_
#define BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_

#include <json/value.h>

#include <map>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server_message.h"

namespace byoshin::local::apigateway {

// What API Gateway knows about a request in addition to the request itself.
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
  std::map<std::string, std::string> stage_variables{};
  // The types of bodies that are not text; see IsOfType().
  std::vector<std::string> binary_media_types{};
  absl::Time time{};
  std::string api_key{};     // empty if the method needs none
  std::string api_key_id{};  // likewise
  // Members of requestContext.identity: who signed the request.
  std::map<std::string, std::string> identity{};
  // What the authorizer says about the caller: requestContext.authorizer. Null
  // if the method has none.
  Json::Value authorizer{};
};

// "16/Nov/2026:07:22:59 +0000", as in access logs.
std::string FormatRequestTime(absl::Time time);

// The address in `remote`, "127.0.0.1:40312", without the port.
std::string SourceIp(absl::string_view remote);

// Whether the first media type in `header`, an Accept or a Content-Type, is one
// of `types`, which may be wildcards like "image/*" and "*/*".
bool IsOfType(absl::string_view header, const std::vector<std::string>& types);

// The event as JSON text. A body whose Content-Type is among the binary ones is
// in base64; any other is text, in which bytes that are not UTF-8 are replaced.
// InvalidArgument if the query is malformed.
// https://docs.aws.amazon.com/apigateway/latest/developerguide/api-gateway-payload-encodings.html
absl::StatusOr<std::string> ProxyEvent(const http::ServerRequest& request,
                                       const RequestContext& context);

// A body that the function marks as base64 is decoded only if the client's
// first accepted type is one of the API's binary media types.
enum class Base64Body { kDecode, kLeaveAsItIs };

// InvalidArgument, with the reason, unless `result` is what API Gateway
// accepts: an object with an integer statusCode and, optionally, headers,
// multiValueHeaders, body and isBase64Encoded. Without a Content-Type it is
// application/json.
absl::StatusOr<http::ServerResponse> ProxyResponse(absl::string_view result,
                                                   Base64Body base64);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_PROXY_H_

// Which service and operation a request is for, as far as it can be told
// without believing its signature.
//
//   const Route route = FindRoute(request);
//   route.protocol;   // kJson10
//   route.prefix;     // "DynamoDB_20120810"
//   route.operation;  // "PutItem"
#ifndef BYOSHIN_LOCAL_GATEWAY_ROUTE_H_
#define BYOSHIN_LOCAL_GATEWAY_ROUTE_H_

#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/gateway/service.h"

namespace byoshin::local {

struct Route {
  WireProtocol protocol = WireProtocol::kJson10;
  // Of X-Amz-Target, before the last dot; with the Query protocol empty.
  std::string prefix{};
  // Empty if the request names none.
  std::string operation{};
};

Route FindRoute(const http::ServerRequest& request);

// What the Query protocol's parameters are, wherever they stand: those of the
// URL first, except those of a presigned signature, then those of the body.
std::string QueryParametersOf(const http::ServerRequest& request);

// Of the credential scope that the request names in its signature, "sqs";
// empty if it names none. Only good for choosing how to refuse it.
std::string ClaimedService(const http::ServerRequest& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_ROUTE_H_

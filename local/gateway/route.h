// Determines which service and operation a request is for, without relying on
// its signature.
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
  // The part of X-Amz-Target before the last dot; empty in the Query protocol.
  std::string prefix{};
  // Empty if the request names none.
  std::string operation{};
};

Route FindRoute(const http::ServerRequest& request);

// All parameters of a request in the Query protocol: those of the URL, except
// those of a presigned signature, then those of the body.
std::string QueryParametersOf(const http::ServerRequest& request);

// The service in the credential scope of the signature, "sqs"; empty if there
// is none. It is unverified: use it only to choose the form of an error.
std::string ClaimedService(const http::ServerRequest& request);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_ROUTE_H_

// Which API a request is for, and whether for its real-time endpoint.
//
// An API is reached under the path /graphql/{id}/graphql, and under the host
// {id}.appsync-api.… as /graphql; with /realtime after the path, or under the
// host {id}.appsync-realtime-api.…, its WebSockets.
#ifndef BYOSHIN_LOCAL_APPSYNC_ADDRESS_H_
#define BYOSHIN_LOCAL_APPSYNC_ADDRESS_H_

#include <optional>
#include <string>

#include "core/http/server_message.h"

namespace byoshin::local::appsync {

struct EndpointAddress {
  std::string api_id{};
  bool realtime = false;
  // Of the GraphQL endpoint, as clients sign it.
  std::string endpoint_path{};
};

// nullopt if the request is not for an API.
std::optional<EndpointAddress> EndpointOf(const http::ServerRequest& request);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_ADDRESS_H_

// Keeps what functions answer under /restapis/ from acting as the dashboard,
// which has the same origin: a script that a function reflects could otherwise
// delete everything in the dashboard's name.
//
//   if (IsForServiceWorker(request)) return Forbidden();
//   TakeOriginAway(response);
#ifndef BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_
#define BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_

#include "core/http/server_message.h"

namespace byoshin::local::apigateway {

// The browser asks for a script that would answer for the origin from then on.
bool IsForServiceWorker(const http::ServerRequest& request);

// Adds a Content-Security-Policy by which a document has no origin and runs no
// scripts. One that the function has sent stays, and holds as well.
void TakeOriginAway(http::ServerResponse& response);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_

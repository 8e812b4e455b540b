// Keeps answers of functions under /restapis/ from acting as the dashboard,
// which has the same origin: a script that a function reflects could otherwise
// use the dashboard's API.
//
//   if (IsForServiceWorker(request)) return Forbidden();
//   TakeOriginAway(response);
#ifndef BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_
#define BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_

#include "core/http/server_message.h"

namespace byoshin::local::apigateway {

// Whether the browser requests a service worker script, which could answer for
// the whole origin.
bool IsForServiceWorker(const http::ServerRequest& request);

// Adds a Content-Security-Policy that gives a document no origin and disables
// scripts. A policy from the function is kept and applies, too.
void TakeOriginAway(http::ServerResponse& response);

}  // namespace byoshin::local::apigateway

#endif  // BYOSHIN_LOCAL_APIGATEWAY_SHARED_ORIGIN_H_

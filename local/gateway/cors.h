// Lets web pages on allowed origins call AWS APIs and read the answers
// (https://fetch.spec.whatwg.org/#http-cors-protocol).
//
//   if (IsPreflight(request)) return respond(PreflightAnswer(request, origin));
//   AddCorsHeaders(origin, response.headers);
#ifndef BYOSHIN_LOCAL_GATEWAY_CORS_H_
#define BYOSHIN_LOCAL_GATEWAY_CORS_H_

#include <string>
#include <vector>

#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local {

// Whether this is a CORS preflight request.
bool IsPreflight(const http::ServerRequest& request);

// Permits `origin` to send the request that the preflight announces.
http::ServerResponse PreflightAnswer(const http::ServerRequest& request,
                                     const std::string& origin);

// Permits `origin` to read the answer and its headers.
void AddCorsHeaders(const std::string& origin,
                    std::vector<http::Header>& headers);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_CORS_H_

// What lets the browser of a web page on another, allowed origin call AWS APIs
// and read the answers (https://fetch.spec.whatwg.org/#http-cors-protocol).
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

// The browser asks whether it may send a request; it has not sent it yet.
bool IsPreflight(const http::ServerRequest& request);

// Lets `origin` send what it has asked about.
http::ServerResponse PreflightAnswer(const http::ServerRequest& request,
                                     const std::string& origin);

// Lets `origin` read an answer and its headers.
void AddCorsHeaders(const std::string& origin,
                    std::vector<http::Header>& headers);

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_CORS_H_

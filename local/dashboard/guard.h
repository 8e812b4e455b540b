// What the dashboard demands of requests beyond what the gateway demands of all
// (local/gateway/guard.h), and how it keeps its page to itself: see api.md.
//
//   if (std::optional<std::string> why = WhyRefused(request)) ...  // 403
#ifndef BYOSHIN_LOCAL_DASHBOARD_GUARD_H_
#define BYOSHIN_LOCAL_DASHBOARD_GUARD_H_

#include <optional>
#include <string>
#include <vector>

#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local::dashboard {

// Without value if the request may be answered.
std::optional<std::string> WhyRefused(const http::ServerRequest& request);

// On every answer.
std::vector<http::Header> SecurityHeaders();

// On the page: nothing but its own files runs, and nothing leaves.
http::Header ContentSecurityPolicy();

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_GUARD_H_

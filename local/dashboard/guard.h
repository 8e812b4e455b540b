// Who may ask the dashboard. It listens on loopback only, but so does the
// browser of whoever visits a hostile site meanwhile: see api.md.
//
//   if (std::optional<std::string> why = WhyRefused(request)) ...  // 403
#ifndef BYOSHIN_LOCAL_DASHBOARD_GUARD_H_
#define BYOSHIN_LOCAL_DASHBOARD_GUARD_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local::dashboard {

// Without value if the request may be answered.
std::optional<std::string> WhyRefused(const http::ServerRequest& request);

// A name or an address of this machine's loopback, with or without a port: no
// other name can be made to point here by someone else's DNS.
bool IsLoopbackHost(absl::string_view host);

// On every answer.
std::vector<http::Header> SecurityHeaders();

// On the page: nothing but its own files runs, and nothing leaves.
http::Header ContentSecurityPolicy();

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_GUARD_H_

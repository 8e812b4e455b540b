// The stateless endpoints of the API: see api.md.
#ifndef BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_
#define BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

struct Sources {
  DashboardSource& source;
  const std::vector<Panel*>& panels;
};

// `name` is the path after "/_byoshin/api/".
http::ServerResponse AnswerEndpoint(absl::string_view name,
                                    const http::ServerRequest& request,
                                    const Sources& sources);

http::ServerResponse JsonAnswer(std::string body);
http::ServerResponse ErrorAnswer(int status, absl::string_view message);
// 400 for InvalidArgument, 404 for NotFound, 409 for FailedPrecondition, 503
// for Unavailable, else 500.
http::ServerResponse ErrorAnswer(const absl::Status& status);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_

// What the API answers that needs no memory of its own: see api.md.
#ifndef BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_
#define BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

// `name` is the path after "/_byoshin/api/".
http::ServerResponse AnswerEndpoint(absl::string_view name,
                                    const http::ServerRequest& request,
                                    DashboardSource& source);

http::ServerResponse JsonAnswer(std::string body);
http::ServerResponse ErrorAnswer(int status, absl::string_view message);
// 400 for InvalidArgument, 404 for NotFound, else 500.
http::ServerResponse ErrorAnswer(const absl::Status& status);

// Of the query, decoded; empty if it is not there.
absl::StatusOr<std::string> TextParameter(const http::ServerRequest& request,
                                          absl::string_view name);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ENDPOINTS_H_

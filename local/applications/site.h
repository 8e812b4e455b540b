// A page of an application, such as the one at /generation/: its files, and
// config.json, which tells them where the API of the stack is.
//
//   if (!WantsSite("/mesh/", request)) return false;
//   respond(AnswerSite(request, {.path = "/mesh/", .assets = MeshSite(),
//                                .config = config}));
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SITE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SITE_H_

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/dashboard/assets.h"

namespace byoshin::local::applications {

struct Site {
  // Begins and ends with a slash.
  absl::string_view path{};
  const std::vector<dashboard::Asset>& assets;
  // config.json; without value if no stack of the application is deployed.
  std::optional<std::string> config{};
  // What the page may call besides its own origin, as in a content security
  // policy: "http://ID.execute-api.localhost:4566".
  std::string connects_to{};
  // The answer if no stack is deployed.
  std::string not_deployed{};
};

// Whether the request is for the page. A signed one is not: it is for a
// service.
bool WantsSite(absl::string_view path, const http::ServerRequest& request);

http::ServerResponse AnswerSite(const http::ServerRequest& request,
                                const Site& site);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SITE_H_

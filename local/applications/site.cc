#include "local/applications/site.h"

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/server_message.h"
#include "local/dashboard/asset_answer.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/endpoints.h"
#include "local/dashboard/guard.h"

namespace byoshin::local::applications {
namespace {

constexpr absl::string_view kConfigFile = "config.json";

// As that of the dashboard's page, but it may also call the API.
http::Header SitePolicy(absl::string_view connects_to) {
  return {"Content-Security-Policy",
          absl::StrCat(
              "default-src 'none'; script-src 'self'; style-src 'self'; "
              "img-src 'self'; connect-src 'self' ",
              connects_to,
              "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; "
              "require-trusted-types-for 'script'; trusted-types 'none'")};
}

http::ServerResponse Redirect(absl::string_view path) {
  http::ServerResponse answer{.status = 308,
                              .headers = dashboard::SecurityHeaders()};
  answer.headers.push_back({"Location", std::string(path)});
  return answer;
}

}  // namespace

bool WantsSite(absl::string_view path, const http::ServerRequest& request) {
  if (!request.FindHeader("Authorization").empty() || !request.query.empty()) {
    return false;
  }
  return absl::StartsWith(request.path, path) ||
         absl::StrCat(request.path, "/") == path;
}

http::ServerResponse AnswerSite(const http::ServerRequest& request,
                                const Site& site) {
  if (const std::optional<std::string> why = dashboard::WhyRefused(request)) {
    return dashboard::ErrorAnswer(403, *why);
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return dashboard::ErrorAnswer(405, "the page is for GET");
  }
  if (!site.config.has_value()) {
    return dashboard::ErrorAnswer(404, site.not_deployed);
  }
  absl::string_view name = request.path;
  if (!absl::ConsumePrefix(&name, site.path)) return Redirect(site.path);
  if (name == kConfigFile) return dashboard::JsonAnswer(*site.config);
  const dashboard::Asset* asset =
      dashboard::FindAsset(site.assets, name.empty() ? "index.html" : name);
  if (asset == nullptr) {
    return dashboard::ErrorAnswer(404, "there is no such file");
  }
  return dashboard::AssetAnswer(request, *asset, SitePolicy(site.connects_to));
}

}  // namespace byoshin::local::applications

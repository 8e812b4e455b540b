#include "local/applications/generation/site.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "local/apigateway/address.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/site.h"
#include "local/dashboard/assets.h"

namespace byoshin::local::applications {

// Defined by :embedded_site.
const std::vector<dashboard::Asset>& SiteAssets();

namespace {

// "127.0.0.1" or "[::1]" of "127.0.0.1:4566", and ":4566".
struct HostParts {
  absl::string_view name{};
  absl::string_view port{};
};

HostParts SplitHost(absl::string_view host_and_port) {
  const std::size_t bracket = host_and_port.rfind(']');
  const std::size_t colon =
      host_and_port.find(':', bracket == absl::string_view::npos ? 0 : bracket);
  const std::size_t end =
      colon == absl::string_view::npos ? host_and_port.size() : colon;
  return {host_and_port.substr(0, end), host_and_port.substr(end)};
}

bool IsThisMachine(absl::string_view name) {
  return absl::EqualsIgnoreCase(name, "localhost") || name == "127.0.0.1";
}

// "http://127.0.0.1:4566" of "http://127.0.0.1:4566/path".
std::string OriginOf(absl::string_view url) {
  constexpr absl::string_view kScheme = "http://";
  const absl::string_view rest = absl::StripPrefix(url, kScheme);
  return absl::StrCat(kScheme, rest.substr(0, rest.find('/')));
}

std::string ConfigJson(const GenerationParts& parts,
                       absl::string_view api_url) {
  json::Writer json;
  json.Open('{');
  json.Key("apiUrl").String(api_url);
  // Cognito's API, on the page's own origin.
  json.Key("cognitoUrl").String("/");
  json.Key("clientId").String(parts.client_id);
  json.Key("userPoolId").String(parts.user_pool_id);
  json.Key("user").String(DemoUserName(parts));
  json.Close('}');
  return json.Take();
}

}  // namespace

std::string ApiUrlFor(absl::string_view host_and_port,
                      const GenerationParts& parts) {
  const HostParts host = SplitHost(host_and_port);
  if (IsThisMachine(host.name)) {
    return absl::StrCat("http://", parts.api_id, ".execute-api.localhost",
                        host.port, "/", parts.stage);
  }
  return apigateway::StageUrl(absl::StrCat("http://", host_and_port),
                              parts.api_id, parts.stage);
}

bool WantsGenerationSite(const http::ServerRequest& request) {
  return WantsSite(kSitePath, request);
}

http::ServerResponse AnswerGenerationSite(
    const http::ServerRequest& request,
    const std::optional<GenerationParts>& parts) {
  Site site{.path = kSitePath,
            .assets = SiteAssets(),
            .not_deployed =
                "asynchronous generation is not deployed; start the cloud with "
                "--stack=generation"};
  if (parts.has_value()) {
    const std::string api_url = ApiUrlFor(request.FindHeader("Host"), *parts);
    site.config = ConfigJson(*parts, api_url);
    site.connects_to = OriginOf(api_url);
  }
  return AnswerSite(request, site);
}

}  // namespace byoshin::local::applications

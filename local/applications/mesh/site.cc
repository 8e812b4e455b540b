#include "local/applications/mesh/site.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "local/applications/mesh/mesh_parts.h"
#include "local/applications/site.h"
#include "local/appsync/model/names.h"
#include "local/dashboard/assets.h"

namespace byoshin::local::applications {

// Defined by :embedded_site.
const std::vector<dashboard::Asset>& MeshSiteAssets();

namespace {

// On the page's own origin.
std::string MeshConfig(const MeshParts& parts, absl::string_view origin) {
  json::Writer json;
  json.Open('{').Key("url").String(appsync::GraphqlUrl(origin, parts.api_id));
  json.Key("key").String(parts.api_key).Close('}');
  return json.Take();
}

}  // namespace

bool WantsMeshSite(const http::ServerRequest& request) {
  return WantsSite(kMeshSitePath, request);
}

http::ServerResponse AnswerMeshSite(const http::ServerRequest& request,
                                    const std::optional<MeshParts>& parts) {
  const absl::string_view host = request.FindHeader("Host");
  Site site{.path = kMeshSitePath,
            .assets = MeshSiteAssets(),
            // Not every browser takes 'self' for WebSockets, too.
            .connects_to = absl::StrCat("ws://", host),
            .not_deployed =
                "Mesh is not deployed; start the cloud with --stack=mesh"};
  if (parts.has_value()) {
    site.config = MeshConfig(*parts, absl::StrCat("http://", host));
  }
  return AnswerSite(request, site);
}

}  // namespace byoshin::local::applications

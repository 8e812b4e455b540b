// The playground at /mesh/: a real client of the stack's API, with several
// nodes in one page. Its files are in site/.
//
//   if (WantsMeshSite(request)) respond(AnswerMeshSite(request, parts));
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_SITE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_SITE_H_

#include <optional>

#include "core/http/server_message.h"
#include "local/applications/mesh/mesh_parts.h"

namespace byoshin::local::applications {

inline constexpr char kMeshSitePath[] = "/mesh/";

bool WantsMeshSite(const http::ServerRequest& request);

// Without parts, no such stack is deployed.
http::ServerResponse AnswerMeshSite(const http::ServerRequest& request,
                                    const std::optional<MeshParts>& parts);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_SITE_H_

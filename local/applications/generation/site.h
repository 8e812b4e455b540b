// The page at /generation/, which uses the API of the stack as an application's
// front end would: it signs in to the user pool and calls the REST API from the
// browser. Its files are in site/; config.json says where the API is.
//
//   if (WantsGenerationSite(request)) {
//     respond(AnswerGenerationSite(request, parts));
//   }
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SITE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SITE_H_

#include <optional>
#include <string>

#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/applications/generation/generation_parts.h"

namespace byoshin::local::applications {

inline constexpr char kSitePath[] = "/generation/";

bool WantsGenerationSite(const http::ServerRequest& request);

// Without parts, no such stack is deployed.
http::ServerResponse AnswerGenerationSite(
    const http::ServerRequest& request,
    const std::optional<GenerationParts>& parts);

// Where a page of the host in `host_and_port` ("127.0.0.1:4566") calls the
// stage: on this machine under the API's own host, so that the CORS headers of
// the stack count as they do on AWS; elsewhere, where browsers can't resolve
// that name, below the cloud's address.
std::string ApiUrlFor(absl::string_view host_and_port,
                      const GenerationParts& parts);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_SITE_H_

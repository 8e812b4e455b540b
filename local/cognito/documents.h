// The documents that user pools publish for those who verify their tokens:
//
//   GET /us-east-1_a1B2c3D4e/.well-known/jwks.json
//   GET /us-east-1_a1B2c3D4e/.well-known/openid-configuration
#ifndef BYOSHIN_LOCAL_COGNITO_DOCUMENTS_H_
#define BYOSHIN_LOCAL_COGNITO_DOCUMENTS_H_

#include <optional>

#include "core/http/server_message.h"
#include "local/cognito/directory.h"

namespace byoshin::local::cognito {

// The answer, if the request is for such a document. A pool that does not exist
// is answered with 404.
std::optional<http::ServerResponse> DocumentAnswer(
    const Directory& directory, const http::ServerRequest& request);

}  // namespace byoshin::local::cognito

#endif  // BYOSHIN_LOCAL_COGNITO_DOCUMENTS_H_

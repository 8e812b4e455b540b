#include "local/cognito/documents.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local::cognito {
namespace {

constexpr char kWellKnown[] = ".well-known";
constexpr char kJwks[] = "jwks.json";
constexpr char kOpenId[] = "openid-configuration";
constexpr int kMethodNotAllowed = 405;
constexpr int kNotFound = 404;

// Anybody may read them, from any page that the gateway lets in.
std::vector<http::Header> DocumentHeaders() {
  return {{"Content-Type", "application/json"},
          {"Cache-Control", "public, max-age=3600"},
          {"Access-Control-Allow-Origin", "*"},
          {"X-Content-Type-Options", "nosniff"}};
}

}  // namespace

std::optional<http::ServerResponse> DocumentAnswer(
    const Directory& directory, const http::ServerRequest& request) {
  // "", the pool, ".well-known" and the document.
  const std::vector<absl::string_view> parts =
      absl::StrSplit(request.path, '/');
  if (parts.size() != 4 || parts[2] != kWellKnown ||
      (parts[3] != kJwks && parts[3] != kOpenId)) {
    return std::nullopt;
  }
  if (request.method != "GET" && request.method != "HEAD") {
    return http::ServerResponse{.status = kMethodNotAllowed,
                                .headers = {{"Allow", "GET, HEAD"}}};
  }
  const std::shared_ptr<const Directory::Pool> pool = directory.Find(parts[1]);
  if (pool == nullptr) {
    return http::ServerResponse{
        .status = kNotFound,
        .headers = DocumentHeaders(),
        .body = R"({"message":"User pool does not exist."})"};
  }
  http::ServerResponse answer{.headers = DocumentHeaders()};
  answer.body =
      parts[3] == kJwks
          ? JwksText(*pool)
          : OpenIdConfigurationText(
                *pool, absl::StrCat("http://", request.FindHeader("Host"), "/",
                                    parts[1], "/", kWellKnown, "/", kJwks));
  return answer;
}

}  // namespace byoshin::local::cognito

#include "local/dashboard/guard.h"

#include <optional>
#include <string>
#include <vector>

#include "core/http/client.h"
#include "core/http/server_message.h"
#include "local/gateway/guard.h"

namespace byoshin::local::dashboard {
std::optional<std::string> WhyRefused(const http::ServerRequest& request) {
  // Pages that may call AWS's APIs may not operate the dashboard.
  if (!IsOfOwnOrigin(request)) return "requests from other origins are refused";
  if (request.method != "POST") return std::nullopt;
  // A page on another origin can't send these without a preflight request.
  if (request.FindHeader("X-Byoshin-Request") != "1") {
    return "the header \"X-Byoshin-Request: 1\" is missing";
  }
  if (request.FindHeader("Content-Type") != "application/json") {
    return "Content-Type must be application/json";
  }
  return std::nullopt;
}

std::vector<http::Header> SecurityHeaders() {
  return {{"X-Content-Type-Options", "nosniff"},
          {"Referrer-Policy", "no-referrer"},
          {"Cross-Origin-Resource-Policy", "same-origin"}};
}

http::Header ContentSecurityPolicy() {
  return {"Content-Security-Policy",
          "default-src 'none'; script-src 'self'; style-src 'self'; img-src "
          "'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; "
          "frame-ancestors 'none'; require-trusted-types-for 'script'; "
          "trusted-types 'none'"};
}

}  // namespace byoshin::local::dashboard

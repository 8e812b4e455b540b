#include "local/dashboard/guard.h"

#include <optional>
#include <string>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::dashboard {
namespace {

int CountHeaders(const http::ServerRequest& request, absl::string_view name) {
  int count = 0;
  for (const http::Header& header : request.headers) {
    count += absl::EqualsIgnoreCase(header.name, name) ? 1 : 0;
  }
  return count;
}

// A link to the page on someone's site is no harm: whoever follows it leaves
// that site, which sees nothing of the page.
bool FollowsALink(const http::ServerRequest& request) {
  return request.method == "GET" && request.path == "/" &&
         request.FindHeader("Sec-Fetch-Mode") == "navigate" &&
         request.FindHeader("Sec-Fetch-Dest") == "document";
}

std::optional<std::string> WhyPostRefused(const http::ServerRequest& request) {
  const absl::string_view origin = request.FindHeader("Origin");
  if (!origin.empty() &&
      origin != absl::StrCat("http://", request.FindHeader("Host"))) {
    return "requests from other origins are refused";
  }
  if (request.FindHeader("X-Byoshin-Request") != "1") {
    return "the header \"X-Byoshin-Request: 1\" is missing";
  }
  if (request.FindHeader("Content-Type") != "application/json") {
    return "Content-Type must be application/json";
  }
  return std::nullopt;
}

}  // namespace

bool IsLoopbackHost(absl::string_view host) {
  for (const absl::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
    absl::string_view rest = host;
    if (!absl::StartsWithIgnoreCase(rest, name)) continue;
    rest.remove_prefix(name.size());
    if (rest.empty()) return true;
    if (!absl::ConsumePrefix(&rest, ":") || rest.empty()) continue;
    bool digits = true;
    for (const char c : rest) digits = digits && absl::ascii_isdigit(c);
    if (digits) return true;
  }
  return false;
}

std::optional<std::string> WhyRefused(const http::ServerRequest& request) {
  // Which of two would count is a matter of taste, so neither does.
  if (CountHeaders(request, "Host") != 1 ||
      !IsLoopbackHost(request.FindHeader("Host"))) {
    return "the Host header must be localhost, 127.0.0.1 or [::1]";
  }
  const absl::string_view site = request.FindHeader("Sec-Fetch-Site");
  if (!site.empty() && site != "same-origin" && site != "none" &&
      !FollowsALink(request)) {
    return "requests from other sites are refused";
  }
  if (request.method == "POST") return WhyPostRefused(request);
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

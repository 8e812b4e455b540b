#include "local/gateway/cors.h"

#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local {
namespace {

constexpr char kRequestMethod[] = "Access-Control-Request-Method";
constexpr char kRequestHeaders[] = "Access-Control-Request-Headers";

}  // namespace

bool IsPreflight(const http::ServerRequest& request) {
  return request.method == "OPTIONS" &&
         !request.FindHeader(kRequestMethod).empty();
}

http::ServerResponse PreflightAnswer(const http::ServerRequest& request,
                                     const std::string& origin) {
  http::ServerResponse answer{
      .status = 204,
      .headers = {{"Access-Control-Allow-Methods",
                   std::string(request.FindHeader(kRequestMethod))},
                  {"Access-Control-Max-Age", "600"}}};
  // "*" would not stand for Authorization.
  if (const absl::string_view wanted = request.FindHeader(kRequestHeaders);
      !wanted.empty()) {
    answer.headers.push_back(
        {"Access-Control-Allow-Headers", std::string(wanted)});
  }
  AddCorsHeaders(origin, answer.headers);
  return answer;
}

void AddCorsHeaders(const std::string& origin,
                    std::vector<http::Header>& headers) {
  headers.push_back({"Access-Control-Allow-Origin", origin});
  headers.push_back({"Access-Control-Expose-Headers", "*"});
  headers.push_back({"Vary", "Origin"});
}

}  // namespace byoshin::local

#include "local/apigateway/service_integration.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

// "application/json" of "Application/JSON; charset=utf-8".
std::string MediaType(absl::string_view content_type) {
  const absl::string_view type = absl::StripAsciiWhitespace(
      content_type.substr(0, content_type.find(';')));
  return type.empty() ? kMappedContentType : absl::AsciiStrToLower(type);
}

// Null if there is none.
const IntegrationResponse* FindResponse(const ServiceIntegration& integration,
                                        int service_status) {
  const IntegrationResponse* otherwise = nullptr;
  for (const IntegrationResponse& response : integration.responses) {
    if (response.selection_pattern.empty()) {
      otherwise = &response;
    } else if (cloudformation::MatchesAllowedPattern(
                   response.selection_pattern, absl::StrCat(service_status))
                   .value_or(false)) {
      return &response;
    }
  }
  return otherwise;
}

}  // namespace

absl::StatusOr<std::string> IntegrationBody(
    const ServiceIntegration& integration, const http::ServerRequest& request) {
  const auto found =
      integration.templates.find(MediaType(request.FindHeader("Content-Type")));
  if (found != integration.templates.end()) {
    return found->second.Render(request.body);
  }
  if (integration.passthrough == Passthrough::kNever ||
      (integration.passthrough == Passthrough::kWhenNoTemplates &&
       !integration.templates.empty())) {
    return absl::UnimplementedError("no template for this Content-Type");
  }
  return request.body;
}

absl::StatusOr<http::ServerResponse> MethodResponse(
    const ServiceIntegration& integration, const Answer& answer) {
  const IntegrationResponse* const mapping =
      FindResponse(integration, answer.status);
  if (mapping == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("no integration response for status ", answer.status));
  }
  http::ServerResponse response{
      .status = mapping->status,
      .headers = {{"Content-Type", kMappedContentType}},
      .body = answer.body};
  for (const auto& [name, value] : mapping->headers) {
    response.headers.push_back({name, value});
  }
  const auto found = mapping->templates.find(kMappedContentType);
  if (found == mapping->templates.end()) return response;
  absl::StatusOr<std::string> body = found->second.Render(answer.body);
  if (!body.ok()) return body.status();
  response.body = *std::move(body);
  return response;
}

}  // namespace byoshin::local::apigateway

#include "local/apigateway/service_integration.h"

#include <re2/re2.h>

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/apigateway/header_text.h"
#include "local/cloudformation/allowed_pattern.h"
#include "local/gateway/service.h"

namespace byoshin::local::apigateway {
namespace {

// Null if there is none.
const IntegrationResponse* FindResponse(const Mapping& mapping,
                                        int service_status) {
  const IntegrationResponse* otherwise = nullptr;
  for (const IntegrationResponse& response : mapping.responses) {
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

absl::StatusOr<std::string> IntegrationBody(const Mapping& mapping,
                                            const RequestValues& values) {
  const auto found = mapping.templates.find(
      MediaType(values.request.FindHeader("Content-Type")));
  if (found != mapping.templates.end()) {
    return found->second.Render(
        {.body = values.request.body, .values = &values});
  }
  if (mapping.passthrough == Passthrough::kNever ||
      (mapping.passthrough == Passthrough::kWhenNoTemplates &&
       !mapping.templates.empty())) {
    return absl::UnimplementedError("no template for this Content-Type");
  }
  return values.request.body;
}

absl::StatusOr<http::ServerResponse> MethodResponse(
    const Mapping& mapping, const Answer& answer, const RequestValues& values) {
  const IntegrationResponse* const chosen =
      FindResponse(mapping, answer.status);
  if (chosen == nullptr) {
    return absl::FailedPreconditionError(
        absl::StrCat("no integration response for status ", answer.status));
  }
  http::ServerResponse response{
      .status = chosen->status,
      .headers = {{"Content-Type", kMappedContentType}},
      .body = answer.body};
  for (const auto& [name, value] : chosen->headers) {
    response.headers.push_back({name, value});
  }
  const auto found = chosen->templates.find(kMappedContentType);
  if (found == chosen->templates.end()) return response;
  absl::StatusOr<std::string> body =
      found->second.Render({.body = answer.body, .values = &values});
  if (!body.ok()) return body.status();
  response.body = *std::move(body);
  return response;
}

absl::StatusOr<Answer> MockAnswer(absl::string_view rendered) {
  // Tools also write it as { statusCode: 204 }, which is not JSON.
  static const auto& pattern =
      *new RE2(R"(^\s*\{(?:.*[,{\s])?["']?statusCode["']?\s*:\s*["']?)"
               R"(([1-5]\d\d)\b)",
               [] {
                 RE2::Options options;
                 options.set_dot_nl(true);
                 return options;
               }());
  int status = 0;
  if (!RE2::PartialMatch(std::string(rendered), pattern, &status)) {
    return absl::InvalidArgumentError(
        "the request template of the mock integration gives no statusCode");
  }
  return Answer{.status = status, .body = ""};
}

}  // namespace byoshin::local::apigateway

#include "local/gateway/route.h"

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "core/http/server_message.h"
#include "local/gateway/query.h"
#include "local/gateway/service.h"
#include "local/gateway/signature_claim.h"

namespace byoshin::local {
namespace {

constexpr char kFormType[] = "application/x-www-form-urlencoded";
// The prefix of the parameters of a presigned URL.
constexpr char kSignatureParameterPrefix[] = "X-Amz-";

bool HasForm(const http::ServerRequest& request) {
  const absl::string_view type = request.FindHeader("Content-Type");
  return absl::EqualsIgnoreCase(
      absl::StripAsciiWhitespace(type.substr(0, type.find(';'))), kFormType);
}

// The value of Action, decoded. The service reads the rest of the parameters.
std::string FindAction(absl::string_view encoded) {
  for (const absl::string_view parameter : absl::StrSplit(encoded, '&')) {
    if (!absl::StartsWith(parameter, "Action=")) continue;
    const absl::StatusOr<QueryParameters> action =
        QueryParameters::Parse(parameter);
    return action.ok() ? std::string(action->Find("Action").value_or("")) : "";
  }
  return "";
}

}  // namespace

std::string QueryParametersOf(const http::ServerRequest& request) {
  std::string parameters;
  for (const absl::string_view parameter :
       absl::StrSplit(request.query, '&', absl::SkipEmpty())) {
    if (absl::StartsWith(parameter, kSignatureParameterPrefix)) continue;
    absl::StrAppend(&parameters, parameters.empty() ? "" : "&", parameter);
  }
  if (HasForm(request) && !request.body.empty()) {
    absl::StrAppend(&parameters, parameters.empty() ? "" : "&", request.body);
  }
  return parameters;
}

Route FindRoute(const http::ServerRequest& request) {
  const absl::string_view target = request.FindHeader("X-Amz-Target");
  if (target.empty()) {
    std::string operation = FindAction(request.query);
    if (operation.empty() && HasForm(request)) {
      operation = FindAction(request.body);
    }
    return {.protocol = WireProtocol::kQuery, .operation = operation};
  }
  const std::size_t dot = target.rfind('.');
  if (dot == absl::string_view::npos) return {.prefix = std::string(target)};
  return {.prefix = std::string(target.substr(0, dot)),
          .operation = std::string(target.substr(dot + 1))};
}

std::string ClaimedService(const http::ServerRequest& request) {
  const absl::StatusOr<SignatureClaim> claim =
      ReadSignatureClaim(request, WireProtocol::kQuery);
  if (!claim.ok()) return "";
  const std::vector<std::string> parts = absl::StrSplit(claim->credential, '/');
  return parts.size() > 3 ? parts[3] : "";
}

}  // namespace byoshin::local

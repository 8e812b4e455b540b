#include "local/apigateway/address.h"

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/url.h"
#include "local/apigateway/registry.h"

namespace byoshin::local::apigateway {
namespace {

constexpr absl::string_view kPathPrefix = "/restapis/";
constexpr absl::string_view kUserRequest = "_user_request_";
constexpr absl::string_view kHostLabel = ".execute-api.";

// Percent-decoding as in a query, except that "+" is kept.
std::optional<std::string> Decode(absl::string_view path) {
  absl::StatusOr<std::vector<http::QueryParameter>> decoded =
      http::ParseQuery(absl::StrCat(
          "p=", absl::StrReplaceAll(path, {{"+", "%2B"}, {"&", "%26"}})));
  if (!decoded.ok() || decoded->size() != 1) return std::nullopt;
  return decoded->front().value;
}

// The id of the API if the host is an API's own; empty for another host.
absl::string_view ApiIdOfHost(const http::ServerRequest& request) {
  const absl::string_view host = request.FindHeader("Host");
  const absl::string_view id = host.substr(0, host.find('.'));
  return absl::StartsWithIgnoreCase(host.substr(id.size()), kHostLabel)
             ? id
             : absl::string_view();
}

}  // namespace

std::optional<Address> AddressOf(const http::ServerRequest& request) {
  const absl::string_view host_id = ApiIdOfHost(request);
  std::string api_id;
  std::string stage;
  std::string rest;
  if (!host_id.empty()) {
    const std::vector<std::string> parts =
        absl::StrSplit(request.path, absl::MaxSplits('/', 2));
    api_id = std::string(host_id);
    if (parts.size() > 1) stage = parts[1];
    if (parts.size() > 2) rest = parts[2];
  } else if (absl::StartsWith(request.path, kPathPrefix)) {
    const std::vector<std::string> parts = absl::StrSplit(
        absl::StripPrefix(request.path, kPathPrefix), absl::MaxSplits('/', 3));
    if (parts.size() < 3 || parts[2] != kUserRequest) return std::nullopt;
    api_id = parts[0];
    stage = parts[1];
    if (parts.size() > 3) rest = parts[3];
  } else {
    return std::nullopt;
  }
  const std::optional<std::string> path = Decode(rest);
  if (!path.has_value()) return std::nullopt;
  return Address{.api_id = std::move(api_id),
                 .stage = std::move(stage),
                 .path = absl::StrCat("/", *path),
                 .on_shared_origin = host_id.empty()};
}

std::string StageUrl(absl::string_view endpoint, absl::string_view api_id,
                     absl::string_view stage) {
  return absl::StrCat(endpoint, kPathPrefix, api_id, "/", stage, "/",
                      kUserRequest);
}

bool IsForApiHost(const http::ServerRequest& request) {
  return !ApiIdOfHost(request).empty();
}

}  // namespace byoshin::local::apigateway

#include "local/appsync/address.h"

#include <optional>
#include <string>

#include "absl/strings/match.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/server_message.h"
#include "local/appsync/model/names.h"

namespace byoshin::local::appsync {
namespace {

constexpr absl::string_view kApiHost = ".appsync-api.";
constexpr absl::string_view kRealtimeHost = ".appsync-realtime-api.";
constexpr absl::string_view kHostPath = "/graphql";
constexpr absl::string_view kPathPrefix = "/graphql/";

}  // namespace

std::optional<EndpointAddress> EndpointOf(const http::ServerRequest& request) {
  EndpointAddress address;
  absl::string_view path = request.path;
  address.realtime = absl::ConsumeSuffix(&path, kRealtimeSuffix);
  const absl::string_view host = request.FindHeader("Host");
  const absl::string_view id = host.substr(0, host.find('.'));
  const absl::string_view rest = host.substr(id.size());
  const bool realtime_host = absl::StartsWithIgnoreCase(rest, kRealtimeHost);
  if (realtime_host || absl::StartsWithIgnoreCase(rest, kApiHost)) {
    if (path != kHostPath) return std::nullopt;
    address.api_id = std::string(id);
    address.realtime = address.realtime || realtime_host;
    address.endpoint_path = std::string(kHostPath);
    return address;
  }
  absl::string_view name = path;
  if (!absl::ConsumePrefix(&name, kPathPrefix) ||
      !absl::ConsumeSuffix(&name, kHostPath) || name.empty() ||
      absl::StrContains(name, '/')) {
    return std::nullopt;
  }
  address.api_id = std::string(name);
  address.endpoint_path = EndpointPath(address.api_id);
  return address;
}

}  // namespace byoshin::local::appsync

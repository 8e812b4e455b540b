#include "local/gateway/guard.h"

#include <arpa/inet.h>
#include <netinet/in.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/server_message.h"

namespace byoshin::local {
namespace {

constexpr char kForeignHost[] =
    "the Host header names neither this machine nor an AWS endpoint; if the "
    "local cloud is reached under this name, start it with --allow-host=NAME "
    "and "
    "--credentials=KEY:SECRET";
constexpr char kForeignOrigin[] =
    "requests from web pages on other origins are refused; to let a page call, "
    "start the local cloud with --allow-origin=ORIGIN";

// These names are never resolved by a foreign DNS server.
constexpr absl::string_view kOwnName = "localhost";
constexpr absl::string_view kOwnSuffix = ".localhost";
// Hosts of REST APIs on this machine: "w6c9.execute-api.localhost".
constexpr absl::string_view kOwnApiSuffix = ".execute-api.localhost";
// Clients may be configured to reach this cloud under the names of AWS's
// endpoints.
constexpr std::array<absl::string_view, 2> kAwsSuffixes = {".amazonaws.com",
                                                           ".amazonaws.com.cn"};
// Endpoints of these have an API's or an account's id in front.
constexpr std::array<absl::string_view, 4> kServicesWithIds = {
    "appsync-api", "appsync-realtime-api", "ddb", "execute-api"};
// SQS's old endpoints: "queue.amazonaws.com", "us-east-1.queue.amazonaws.com".
constexpr absl::string_view kOldSqs = "queue";

// An IPv4 or IPv6 address as 16 bytes.
using AddressBytes = std::array<unsigned char, 16>;
constexpr AddressBytes kMappedPrefix = {0, 0, 0, 0, 0,    0,
                                        0, 0, 0, 0, 0xff, 0xff};
constexpr AddressBytes kLoopback6 = {0, 0, 0, 0, 0, 0, 0, 0,
                                     0, 0, 0, 0, 0, 0, 0, 1};
constexpr std::size_t kMappedPrefixBytes = 12;

std::optional<AddressBytes> ParseAddress(const std::string& text) {
  AddressBytes bytes = kMappedPrefix;
  if (inet_pton(AF_INET, text.c_str(), bytes.data() + kMappedPrefixBytes) ==
          1 ||
      inet_pton(AF_INET6, text.c_str(), bytes.data()) == 1) {
    return bytes;
  }
  return std::nullopt;
}

bool IsIpv4(const AddressBytes& address) {
  return std::equal(kMappedPrefix.begin(),
                    kMappedPrefix.begin() + kMappedPrefixBytes,
                    address.begin());
}

bool IsLoopback(const AddressBytes& address) {
  return IsIpv4(address) ? address[kMappedPrefixBytes] == 127
                         : address == kLoopback6;
}

bool IsWildcard(const std::string& text) {
  const std::optional<AddressBytes> address = ParseAddress(text);
  return address == AddressBytes{} || address == kMappedPrefix;
}

// The name or address in "name:port", in lower case; an IPv6 address without
// its brackets. Empty if it is malformed.
std::string HostOf(absl::string_view host_and_port) {
  const bool brackets = absl::StartsWith(host_and_port, "[");
  const std::size_t end =
      brackets ? host_and_port.find(']') : host_and_port.find(':');
  const absl::string_view host = host_and_port.substr(
      0, brackets && end != absl::string_view::npos ? end + 1 : end);
  absl::string_view port = host_and_port.substr(host.size());
  if (!port.empty()) {
    const bool is_port =
        absl::ConsumePrefix(&port, ":") && !port.empty() &&
        port.find_first_not_of("0123456789") == absl::string_view::npos;
    if (!is_port) return "";
  }
  if (!brackets) return absl::AsciiStrToLower(host);
  absl::string_view address = host;
  if (!absl::ConsumePrefix(&address, "[") ||
      !absl::ConsumeSuffix(&address, "]") || !absl::StrContains(address, ':')) {
    return "";
  }
  return absl::AsciiStrToLower(address);
}

// ":4566" of "name:4566"; empty if there is none.
absl::string_view PortOf(absl::string_view host_and_port) {
  const std::size_t colon = host_and_port.rfind(':');
  const std::size_t bracket = host_and_port.rfind(']');
  const bool is_port = colon != absl::string_view::npos &&
                       (bracket == absl::string_view::npos || bracket < colon);
  return is_port ? host_and_port.substr(colon) : absl::string_view();
}

bool IsName(absl::string_view host) {
  return std::all_of(host.begin(), host.end(), [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '.' ||
           c == '-' || c == '_';
  });
}

// "us-east-1", "us-gov-west-1"; but not "compute-1" or "s3-us-west-2".
bool IsRegion(absl::string_view label) {
  const std::vector<absl::string_view> parts = absl::StrSplit(label, '-');
  if (parts.size() < 3) return false;
  for (const absl::string_view& part : parts) {
    const bool is_last = &part == &parts.back();
    const bool fits =
        !part.empty() &&
        std::all_of(part.begin(), part.end(), [&](unsigned char c) {
          return is_last ? absl::ascii_isdigit(c) : absl::ascii_isalpha(c);
        });
    if (!fits) return false;
  }
  return true;
}

// Whether this is the endpoint of an AWS service. Names of other forms below
// amazonaws.com are those of customers' machines, load balancers and buckets.
bool IsAwsEndpoint(absl::string_view host) {
  for (const absl::string_view suffix : kAwsSuffixes) {
    absl::string_view name = host;
    if (!absl::ConsumeSuffix(&name, suffix)) continue;
    const std::vector<absl::string_view> labels = absl::StrSplit(name, '.');
    if (labels[0].empty()) return false;
    switch (labels.size()) {
      case 1:
        return true;
      case 2:
        return IsRegion(labels[1]) ||
               (IsRegion(labels[0]) && labels[1] == kOldSqs);
      case 3:
        return IsRegion(labels[2]) &&
               std::find(kServicesWithIds.begin(), kServicesWithIds.end(),
                         labels[1]) != kServicesWithIds.end();
      default:
        return false;
    }
  }
  return false;
}

// The origin of a request according to the browser.
struct Provenance {
  int hosts = 0;
  int origins = 0;
  absl::string_view host{};
  absl::string_view origin{};
  absl::string_view site{};
  absl::string_view mode{};
  absl::string_view dest{};
};

Provenance ProvenanceOf(const http::ServerRequest& request) {
  Provenance found;
  for (const http::Header& header : request.headers) {
    const absl::string_view name = header.name;
    if (absl::EqualsIgnoreCase(name, "Host")) {
      ++found.hosts;
      found.host = header.value;
    } else if (absl::EqualsIgnoreCase(name, "Origin")) {
      ++found.origins;
      found.origin = header.value;
    } else if (absl::EqualsIgnoreCase(name, "Sec-Fetch-Site")) {
      found.site = header.value;
    } else if (absl::EqualsIgnoreCase(name, "Sec-Fetch-Mode")) {
      found.mode = header.value;
    } else if (absl::EqualsIgnoreCase(name, "Sec-Fetch-Dest")) {
      found.dest = header.value;
    }
  }
  return found;
}

bool NamesOwnOrigin(const Provenance& from) {
  return from.origins == 1 &&
         absl::EqualsIgnoreCase(from.origin,
                                absl::StrCat("http://", from.host));
}

// "none": the user typed the address or opened a bookmark.
bool NamesOwnSite(const Provenance& from) {
  return from.site.empty() || from.site == "same-origin" || from.site == "none";
}

// A link to the page at "/" is harmless: the linking site can't read the page.
// A URL with a query could be a presigned request.
bool FollowsALinkToThePage(const http::ServerRequest& request,
                           const Provenance& from) {
  return request.method == "GET" && request.path == "/" &&
         request.query.empty() && from.mode == "navigate" &&
         from.dest == "document";
}

}  // namespace

Guard::Guard(GuardOptions options)
    : options_(std::move(options)),
      listens_everywhere_(IsWildcard(options_.address)) {}

bool Guard::IsKnownHost(absl::string_view host_and_port) const {
  const std::string host = HostOf(host_and_port);
  if (host.empty()) return false;
  if (const std::optional<AddressBytes> address = ParseAddress(host)) {
    // An address is not resolved by DNS.
    return listens_everywhere_ || IsLoopback(*address) ||
           address == ParseAddress(options_.address);
  }
  if (!IsName(host)) return false;
  if (host == kOwnName || absl::EndsWith(host, kOwnSuffix)) return true;
  if (IsAwsEndpoint(host)) return true;
  return std::find(options_.allowed_hosts.begin(), options_.allowed_hosts.end(),
                   host) != options_.allowed_hosts.end();
}

bool Guard::IsOwnPageForApi(absl::string_view origin,
                            absl::string_view host) const {
  const std::string api_host = HostOf(host);
  absl::string_view api = api_host;
  if (!absl::ConsumeSuffix(&api, kOwnApiSuffix) || api.empty() ||
      absl::StrContains(api, '.')) {
    return false;
  }
  absl::string_view page = origin;
  if (!absl::ConsumePrefix(&page, "http://") || PortOf(page) != PortOf(host)) {
    return false;
  }
  const std::string name = HostOf(page);
  if (name == kOwnName) return true;
  const std::optional<AddressBytes> address = ParseAddress(name);
  const std::optional<AddressBytes> own = ParseAddress(options_.address);
  if (!address.has_value() || !own.has_value()) return false;
  // A server on 0.0.0.0 is not on [::1], where there may be another.
  const bool is_reached = listens_everywhere_ && IsLoopback(*address) &&
                          (IsIpv4(*address) || !IsIpv4(*own));
  return is_reached || address == own;
}

Guard::Verdict Guard::Judge(const http::ServerRequest& request) const {
  const Provenance from = ProvenanceOf(request);
  if (from.hosts != 1 || !IsKnownHost(from.host)) {
    return {.refusal = kForeignHost};
  }
  if (from.origins == 0) {
    if (NamesOwnSite(from) || FollowsALinkToThePage(request, from)) return {};
    return {.refusal = kForeignOrigin, .only_foreign_origin = true};
  }
  if (NamesOwnOrigin(from)) return {};
  if (from.origins == 1 && IsOwnPageForApi(from.origin, from.host)) return {};
  if (from.origins == 1 &&
      std::find(options_.allowed_origins.begin(),
                options_.allowed_origins.end(),
                from.origin) != options_.allowed_origins.end()) {
    return {.allowed_origin = std::string(from.origin)};
  }
  return {.refusal = kForeignOrigin, .only_foreign_origin = true};
}

bool IsOpenAddress(const std::string& address) {
  const std::optional<AddressBytes> bytes = ParseAddress(address);
  return bytes.has_value() && !IsLoopback(*bytes);
}

bool IsOfOwnOrigin(const http::ServerRequest& request) {
  const Provenance from = ProvenanceOf(request);
  return from.origins == 0 || NamesOwnOrigin(from);
}

}  // namespace byoshin::local

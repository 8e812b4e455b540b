#include "core/aws/endpoint.h"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"
#include "core/http/url.h"

namespace byoshin::aws {
namespace {

constexpr std::size_t kMaxLabelBytes = 63;  // of a part of a host name

bool IsRegion(absl::string_view text) {
  if (text.empty() || text.size() > kMaxLabelBytes) return false;
  if (text.front() == '-' || text.back() == '-') return false;
  return std::all_of(text.begin(), text.end(), [](char c) {
    return c == '-' || absl::ascii_islower(static_cast<unsigned char>(c)) ||
           absl::ascii_isdigit(static_cast<unsigned char>(c));
  });
}

// The variable that configures the endpoint of one service.
std::string EndpointVariable(const Service& service) {
  return absl::StrCat(
      "AWS_ENDPOINT_URL_",
      service.variable.empty()
          ? absl::StrReplaceAll(absl::AsciiStrToUpper(service.name),
                                {{"-", "_"}})
          : service.variable);
}

}  // namespace

absl::StatusOr<std::string> RegionFrom(const env::Environment& environment) {
  for (const char* variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
    std::optional<std::string> region = env::NonEmpty(environment, variable);
    if (!region.has_value()) continue;
    if (!IsRegion(*region)) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the environment variable ", variable,
          " is not the name of a region, such as ", kDefaultRegion));
    }
    return *std::move(region);
  }
  return kDefaultRegion;
}

absl::StatusOr<Endpoint> ResolveEndpoint(const env::Environment& environment,
                                         const Service& service,
                                         absl::string_view region) {
  const std::optional<std::string> ignore =
      environment("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS");
  if (!ignore.has_value() || !absl::EqualsIgnoreCase(*ignore, "true")) {
    for (const std::string& variable :
         {EndpointVariable(service), std::string("AWS_ENDPOINT_URL")}) {
      std::optional<std::string> url = env::NonEmpty(environment, variable);
      if (!url.has_value()) continue;
      if (const auto parts = http::ParseUrl(*url); !parts.ok()) {
        return absl::InvalidArgumentError(
            absl::StrCat("the environment variable ", variable, ": ",
                         parts.status().message()));
      }
      return Endpoint{.url = *std::move(url),
                      .origin = Endpoint::Origin::kConfigured};
    }
  }
  const absl::string_view domain =
      absl::StartsWith(region, "cn-") ? "amazonaws.com.cn" : "amazonaws.com";
  return Endpoint{
      .url = absl::StrCat("https://", service.name, ".", region, ".", domain),
      .origin = Endpoint::Origin::kRegion};
}

}  // namespace byoshin::aws

// The region and endpoint of AWS's services, from the environment variables of
// AWS's SDKs.
//
//   absl::StatusOr<std::string> region = aws::RegionFrom(environment);
//   absl::StatusOr<aws::Endpoint> endpoint =
//       aws::ResolveEndpoint(environment, {.name = "dynamodb"}, *region);
//   // https://dynamodb.us-east-1.amazonaws.com
//
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
#ifndef BYOSHIN_CORE_AWS_ENDPOINT_H_
#define BYOSHIN_CORE_AWS_ENDPOINT_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "core/env/environment.h"

namespace byoshin::aws {

inline constexpr char kDefaultRegion[] = "us-east-1";

// AWS_REGION, then AWS_DEFAULT_REGION, then kDefaultRegion. InvalidArgument,
// naming the variable, if it is not a valid region: it becomes part of a host
// name.
absl::StatusOr<std::string> RegionFrom(const env::Environment& environment);

// The names that AWS has for one service.
struct Service {
  std::string name{};  // in host names: "sqs", "bedrock-runtime"
  // In signatures: "bedrock". Empty if it is `name`.
  std::string signing_name{};
  // The end of AWS_ENDPOINT_URL_<SERVICE>: "SFN". Empty if it is `name` in
  // upper case, with underscores for hyphens.
  std::string variable{};

  const std::string& SigningName() const {
    return signing_name.empty() ? name : signing_name;
  }
};

struct Endpoint {
  enum class Origin {
    kRegion,      // AWS's own, derived from the region
    kConfigured,  // set by an environment variable
  };
  std::string url{};  // may have a path
  Origin origin = Origin::kRegion;
};

// Configured by AWS_ENDPOINT_URL_<SERVICE> or else AWS_ENDPOINT_URL, unless
// AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is "true". InvalidArgument, naming the
// variable, if it is not a valid URL.
absl::StatusOr<Endpoint> ResolveEndpoint(const env::Environment& environment,
                                         const Service& service,
                                         absl::string_view region);

}  // namespace byoshin::aws

#endif  // BYOSHIN_CORE_AWS_ENDPOINT_H_

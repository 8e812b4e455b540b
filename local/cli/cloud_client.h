// The running local cloud, as the commands ask it: the API that the dashboard
// uses too (local/dashboard/api.md).
//
//   CloudClient cloud(http_client, "http://127.0.0.1:4566");
//   absl::StatusOr<Json::Value> status = cloud.Get("status", {});
#ifndef BYOSHIN_LOCAL_CLI_CLOUD_CLIENT_H_
#define BYOSHIN_LOCAL_CLI_CLOUD_CLIENT_H_

#include <json/forwards.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/url.h"

namespace byoshin::local::cli {

inline constexpr char kDefaultEndpoint[] = "http://127.0.0.1:4566";

// Not thread-safe. The HTTP client must outlive it.
class CloudClient {
 public:
  CloudClient(http::Client& http_client, std::string endpoint)
      : http_client_(http_client), endpoint_(std::move(endpoint)) {}

  const std::string& endpoint() const { return endpoint_; }

  // Unavailable, saying how to start it, if the cloud does not answer; else
  // errors are what the cloud says was wrong. `timeout` can be long for an
  // answer that waits for something to happen.
  absl::StatusOr<Json::Value> Get(
      absl::string_view name,
      const std::vector<http::QueryParameter>& parameters,
      absl::Duration timeout = absl::Seconds(30));
  absl::StatusOr<Json::Value> Post(absl::string_view name,
                                   const Json::Value& body,
                                   absl::Duration timeout = absl::Seconds(30));

 private:
  absl::StatusOr<Json::Value> Send(http::Request request);

  http::Client& http_client_;
  const std::string endpoint_;
};

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_CLOUD_CLIENT_H_

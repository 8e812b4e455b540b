#include "local/cli/cloud_client.h"

#include <json/json.h>

#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/value.h"

namespace byoshin::local::cli {
namespace {

constexpr absl::string_view kApiPath = "/_byoshin/api/";
// The server is on this machine.
constexpr absl::Duration kConnectTimeout = absl::Seconds(2);
constexpr int kMaxAnswerBytes = 64 << 20;

}  // namespace

absl::StatusOr<Json::Value> CloudClient::Get(
    absl::string_view name, const std::vector<http::QueryParameter>& parameters,
    absl::Duration timeout) {
  absl::StatusOr<std::string> url =
      http::JoinUrl(endpoint_, absl::StrCat(kApiPath, name), parameters);
  if (!url.ok()) return url.status();
  http::Request request;
  request.url = *std::move(url);
  request.timeout = timeout;
  return Send(std::move(request));
}

absl::StatusOr<Json::Value> CloudClient::Post(absl::string_view name,
                                              const Json::Value& body,
                                              absl::Duration timeout) {
  absl::StatusOr<std::string> url =
      http::JoinUrl(endpoint_, absl::StrCat(kApiPath, name));
  if (!url.ok()) return url.status();
  http::Request request;
  request.method = "POST";
  request.url = *std::move(url);
  request.headers = {{"Content-Type", "application/json"},
                     {"X-Byoshin-Request", "1"}};
  request.body = json::WriteValue(body);
  request.timeout = timeout;
  return Send(std::move(request));
}

absl::StatusOr<Json::Value> CloudClient::Send(http::Request request) {
  request.connect_timeout = kConnectTimeout;
  request.max_response_bytes = kMaxAnswerBytes;
  const absl::StatusOr<http::Response> response = http_client_.Send(request);
  if (!response.ok()) {
    if (absl::IsDeadlineExceeded(response.status())) return response.status();
    return absl::UnavailableError(
        absl::StrCat("no local cloud answers at ", endpoint_,
                     "; start it with `byoshin up`, or say where it is with "
                     "--endpoint=URL (",
                     response.status().message(), ")"));
  }
  absl::StatusOr<Json::Value> answer = json::ParseValue(response->body);
  if (response->status == 200 && answer.ok() && answer->isObject()) {
    return answer;
  }
  const std::string reason =
      answer.ok() && answer->isObject() && (*answer)["error"].isString()
          ? (*answer)["error"].asString()
          : absl::StrCat("status ", response->status, " from ", endpoint_,
                         "; is that the local cloud?");
  return absl::FailedPreconditionError(reason);
}

}  // namespace byoshin::local::cli

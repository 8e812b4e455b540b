#include "core/scheduler/api_client.h"

#include <json/json.h>

#include <algorithm>
#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/http/url.h"
#include "core/json/json.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"

namespace byoshin::scheduler {
namespace {

constexpr int kHttpOk = 200;
constexpr int kHttpTooManyRequests = 429;
constexpr int kHttpInternalServerError = 500;

absl::StatusCode CodeOfHttpStatus(int status) {
  if (status == kHttpTooManyRequests) {
    return absl::StatusCode::kResourceExhausted;
  }
  if (status >= kHttpInternalServerError) return absl::StatusCode::kUnavailable;
  return absl::StatusCode::kFailedPrecondition;
}

absl::Status UnusableBody(absl::string_view why) {
  return absl::DataLossError(
      absl::StrCat("the API's answer cannot be used: ", why));
}

// The API may write the instant in another way, but it must be the same.
absl::Status CheckInstant(absl::string_view name, absl::string_view text,
                          absl::Time asked) {
  const absl::StatusOr<absl::Time> time = time::ParseIso8601(text);
  if (!time.ok()) {
    return UnusableBody(absl::StrCat(name, ": ", time.status().message()));
  }
  if (*time != asked) {
    return UnusableBody(absl::StrCat(name, " is ", text, ", but ",
                                     time::FormatIso8601(asked),
                                     " was asked for"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::string> ResponseCountUrl(absl::string_view base_url,
                                             const Window& window) {
  return http::JoinUrl(base_url, kResponseCountPath,
                       {{kFromParameter, time::FormatIso8601(window.from)},
                        {kToParameter, time::FormatIso8601(window.to)}});
}

absl::StatusOr<ApiResponse> ParseApiResponse(absl::string_view body) {
  absl::StatusOr<ApiResponse> response = json::FromJson<ApiResponse>(body);
  if (!response.ok()) return UnusableBody(response.status().message());
  return response;
}

absl::StatusOr<int64_t> ReadCount(const http::Response& response,
                                  const Window& window) {
  if (response.status != kHttpOk) {
    return absl::Status(
        CodeOfHttpStatus(response.status),
        absl::StrCat(
            "the API answered with status ", response.status,
            ", not 200: ", json::Describe(Json::Value(response.body))));
  }
  const absl::StatusOr<ApiResponse> answer = ParseApiResponse(response.body);
  if (!answer.ok()) return answer.status();
  absl::Status status =
      CheckInstant(kFromParameter, answer->from(), window.from);
  status.Update(CheckInstant(kToParameter, answer->to(), window.to));
  if (!status.ok()) return status;
  if (answer->count() < 0) {
    return UnusableBody(absl::StrCat(kCountAttribute, " is ", answer->count(),
                                     ", which is negative"));
  }
  return answer->count();
}

absl::StatusOr<int64_t> ApiClient::FetchCount(const Window& window,
                                              absl::Duration timeout) {
  const absl::StatusOr<std::string> url = ResponseCountUrl(base_url_, window);
  if (!url.ok()) return url.status();
  http::Request request;
  request.url = *url;
  request.headers = {{"Accept", "application/json"}};
  request.connect_timeout = std::min(kApiConnectTimeout, timeout);
  request.timeout = timeout;
  request.max_response_bytes = kMaxApiResponseBytes;
  const absl::StatusOr<http::Response> response = http_client_.Send(request);
  if (!response.ok()) return response.status();
  return ReadCount(*response, window);
}

}  // namespace byoshin::scheduler

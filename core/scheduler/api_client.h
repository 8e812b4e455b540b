// The polled API, as the Collector asks it.
//
//   scheduler::ApiClient api(http_client, "https://api.example.com/v1");
//   absl::StatusOr<int64_t> count = api.FetchCount(window, absl::Seconds(10));
#ifndef BYOSHIN_CORE_SCHEDULER_API_CLIENT_H_
#define BYOSHIN_CORE_SCHEDULER_API_CLIENT_H_

#include <cstdint>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/scheduler/slot.h"
#include "proto/scheduler.pb.h"

namespace byoshin::scheduler {

// {base_url}/response_count?from=…&to=…, the instants in ISO 8601 and
// percent-encoded. InvalidArgument if nothing can be put behind `base_url`;
// LoadCollectorConfig accepts none such. The window's ends must satisfy
// time::FitsIso8601.
absl::StatusOr<std::string> ResponseCountUrl(absl::string_view base_url,
                                             const Window& window);

// Reads a body by its schema alone: `from`, `to` and an integer `count` must be
// there. DataLoss, naming the field, if the body is not that.
absl::StatusOr<ApiResponse> ParseApiResponse(absl::string_view body);

// The count in an answer about `window`. Accepts status 200 with a body that
// ParseApiResponse reads, whose `from` and `to` are the window's instants,
// however they are written, and whose count is not negative. Else:
//   ResourceExhausted   status 429
//   Unavailable         status 500 and above
//   FailedPrecondition  another status
//   DataLoss            status 200, but the body does not answer the question
absl::StatusOr<int64_t> ReadCount(const http::Response& response,
                                  const Window& window);

// Not thread-safe. The HTTP client must outlive it.
class ApiClient {
 public:
  ApiClient(http::Client& http_client, std::string base_url)
      : http_client_(http_client), base_url_(std::move(base_url)) {}

  // Asks once: the queue is what tries again. Errors are those of ReadCount and
  // of http::Client::Send.
  absl::StatusOr<int64_t> FetchCount(const Window& window,
                                     absl::Duration timeout);

 private:
  http::Client& http_client_;
  const std::string base_url_;
};

}  // namespace byoshin::scheduler

#endif  // BYOSHIN_CORE_SCHEDULER_API_CLIENT_H_

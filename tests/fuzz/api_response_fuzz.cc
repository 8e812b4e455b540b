// Tries what the Collector reads of the API's answer on any bytes.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/client.h"
#include "core/json/json.h"
#include "core/scheduler/api_client.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "proto/scheduler.pb.h"

namespace byoshin::scheduler {
namespace {

// No error carries a whole answer into the logs.
constexpr size_t kMaxErrorLength = 1000;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

void CheckRefused(const absl::Status& status, absl::StatusCode code) {
  Require(status.code() == code, "the error has the code that is documented");
  Require(
      !status.message().empty() && status.message().size() <= kMaxErrorLength,
      "the error is neither empty nor long");
}

// What was asked: what the answer says, if that is an instant at all, so that
// the rest of it is looked at too.
Window WindowOf(const ApiResponse& answer) {
  return {time::ParseIso8601(answer.from()).value_or(absl::UnixEpoch()),
          time::ParseIso8601(answer.to()).value_or(absl::UnixEpoch())};
}

void CheckBody(const std::string& body) {
  const http::Response response = {.status = 200, .headers = {}, .body = body};
  const absl::StatusOr<ApiResponse> answer = ParseApiResponse(body);
  if (!answer.ok()) {
    CheckRefused(answer.status(), absl::StatusCode::kDataLoss);
    Require(!ReadCount(response, {}).ok(), "what is no answer has no count");
    return;
  }
  const absl::StatusOr<ApiResponse> again =
      ParseApiResponse(json::ToJson(*answer));
  Require(again.ok() && again->from() == answer->from() &&
              again->to() == answer->to() && again->count() == answer->count(),
          "an answer can be written and read back");

  const Window window = WindowOf(*answer);
  const absl::StatusOr<int64_t> count = ReadCount(response, window);
  if (!count.ok()) {
    return CheckRefused(count.status(), absl::StatusCode::kDataLoss);
  }
  Require(*count >= 0 && *count == answer->count(),
          "the count is the answer's");
  const absl::Duration second = absl::Seconds(1);
  Require(!ReadCount(response, {window.from + second, window.to}).ok() &&
              !ReadCount(response, {window.from, window.to + second}).ok(),
          "the answer to another question is refused");
}

}  // namespace
}  // namespace byoshin::scheduler

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  byoshin::scheduler::CheckBody(input);
  // Any other status is refused, whatever the body.
  byoshin::scheduler::CheckRefused(
      byoshin::scheduler::ReadCount(
          {.status = 404, .headers = {}, .body = input}, {})
          .status(),
      absl::StatusCode::kFailedPrecondition);
  return 0;
}

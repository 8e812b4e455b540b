// Tries what reads AWS's answers on any bytes: errors, and the result of a
// batch sent to SQS.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <set>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/error.h"
#include "core/aws/error_parser.h"
#include "core/aws/retry.h"
#include "core/aws/sqs/client.h"
#include "core/aws/sqs/json_client.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/time/simulated_clock.h"

namespace byoshin::aws {
namespace {

// Independent of the parser's own limits, and generous.
constexpr size_t kMaxCodeLength = 128;
constexpr size_t kMaxMessageLength = 5000;

void Require(bool condition, const char* what) {
  if (condition) return;
  std::fprintf(stderr, "violated: %s\n", what);
  std::abort();
}

// The bytes up to the next line break, which are taken off `input`.
std::string TakeLine(absl::string_view& input) {
  const size_t end = input.find('\n');
  const std::string line(input.substr(0, end));
  input.remove_prefix(end == absl::string_view::npos ? input.size() : end + 1);
  return line;
}

// Three headers, a line each, and the body.
http::Response ResponseOf(absl::string_view input) {
  http::Response response;
  for (const char* name :
       {"x-amzn-errortype", "x-amzn-query-error", "x-amzn-requestid"}) {
    response.headers.push_back({name, TakeLine(input)});
  }
  response.body = std::string(input);
  // Any of those that are not 200, depending on the input alone.
  response.status = 300 + static_cast<int>(input.size() % 300);
  return response;
}

void CheckError(const http::Response& response) {
  const Error error = ParseError(response);
  Require(!error.code.empty() && error.code.size() <= kMaxCodeLength,
          "every error has a short code");
  for (const char c : error.code) {
    Require(absl::ascii_isgraph(static_cast<unsigned char>(c)),
            "a code is a name");
  }
  Require(error.message.size() <= kMaxMessageLength &&
              error.message.find('\n') == std::string::npos,
          "a message is a line");
  Require(error.http_status == response.status, "the HTTP status is kept");

  const absl::Status status = ToStatus(error, "X");
  Require(!status.ok(), "an error is not a success");
  const std::optional<Error> carried = ErrorOf(status);
  Require(carried.has_value() && carried->code == error.code &&
              carried->message == error.message &&
              carried->http_status == error.http_status &&
              carried->request_id == error.request_id,
          "a status carries the error");
  if (response.status >= 500) {
    Require(IsRetryable(status) || error.code != kUnknownError,
            "a failure of the service is tried again");
  }
}

void CheckBatch(absl::string_view body) {
  http::testing::FakeClient http;
  http.Answer({.status = 200, .body = std::string(body)});
  time::SimulatedClock clock(absl::UnixEpoch());
  sqs::JsonClient client(
      {.http = http,
       .clock = clock,
       .environment = env::FromMap(
           {{"AWS_ACCESS_KEY_ID", "a"}, {"AWS_SECRET_ACCESS_KEY", "b"}}),
       .retry = {.max_attempts = 1},
       .random = [] { return 0.0; }});
  const absl::StatusOr<sqs::SendMessageBatchResult> result =
      client.SendMessageBatch(
          {.queue_url = "http://x/1/q",
           .entries = {{.id = "a", .body = "one"}, {.id = "b", .body = "two"}}},
          absl::InfiniteFuture());
  if (!result.ok()) {
    Require(result.status().code() == absl::StatusCode::kDataLoss,
            "an answer that makes no sense counts as damaged");
    return;
  }
  std::multiset<std::string> ids;
  for (const auto& sent : result->sent) ids.insert(sent.id);
  for (const auto& failed : result->failed) ids.insert(failed.id);
  Require(ids == std::multiset<std::string>{"a", "b"},
          "a result names every entry once");
}

}  // namespace
}  // namespace byoshin::aws

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view input(reinterpret_cast<const char*>(data), size);
  const byoshin::http::Response response = byoshin::aws::ResponseOf(input);
  byoshin::aws::CheckError(response);
  byoshin::aws::CheckBatch(response.body);
  return 0;
}

// An http::Client for tests that answers what the test has written down, and
// remembers what it was asked.
//
//   http::testing::FakeClient client;
//   client.Answer({.status = 200, .body = R"({"count":1})"});
//   client.Fail(absl::UnavailableError("connection refused"));
//
//   Collect(client);  // the first request gets the 200, the second the error
//
//   EXPECT_EQ(client.requests().at(0).url, "http://x/response_count?...");
//   EXPECT_EQ(client.unused(), 0);  // every answer was asked for
#ifndef BYOSHIN_CORE_HTTP_TESTING_FAKE_CLIENT_H_
#define BYOSHIN_CORE_HTTP_TESTING_FAKE_CLIENT_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/http/client.h"

namespace byoshin::http::testing {

// Not thread-safe.
class FakeClient final : public Client {
 public:
  using Responder = std::function<absl::StatusOr<Response>(const Request&)>;

  // Each of these is for one request, in the order in which they are called.
  void Answer(Response response) {
    script_.push_back(
        [response = std::move(response)](const Request&) { return response; });
  }
  void Fail(absl::Status status) {
    script_.push_back(
        [status = std::move(status)](const Request&) { return status; });
  }
  void AnswerBy(Responder responder) {
    script_.push_back(std::move(responder));
  }

  // For all requests that come after those.
  void AlwaysAnswerBy(Responder responder) { rest_ = std::move(responder); }

  // A request that nothing was written down for gets Internal, which the real
  // client never returns: a test that runs out of answers notices.
  absl::StatusOr<Response> Send(const Request& request) override {
    requests_.push_back(request);
    if (script_.empty()) {
      if (rest_) return rest_(request);
      return absl::InternalError(absl::StrCat(
          "FakeClient: no answer for ", request.method, " ", request.url));
    }
    const Responder responder = std::move(script_.front());
    script_.pop_front();
    return responder(request);
  }

  const std::vector<Request>& requests() const { return requests_; }
  int unused() const { return static_cast<int>(script_.size()); }

 private:
  std::deque<Responder> script_;
  Responder rest_;
  std::vector<Request> requests_;
};

// The value of the first header of this name in a request, compared without
// regard to case; empty if there is none.
inline std::string HeaderOf(const Request& request, absl::string_view name) {
  for (const Header& header : request.headers) {
    if (absl::EqualsIgnoreCase(header.name, name)) return header.value;
  }
  return {};
}

}  // namespace byoshin::http::testing

#endif  // BYOSHIN_CORE_HTTP_TESTING_FAKE_CLIENT_H_

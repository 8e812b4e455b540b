// A service for tests that echoes its calls, immediately or on request.
//
//   EchoService sqs("sqs");
//   // SendMessage with the body {} is answered with
//   //   sqs SendMessage eu-central-1 http://127.0.0.1:4566 / {}
//   // "Hold" waits for AnswerHeld(), "Poll" does so and lets time pass.
#ifndef BYOSHIN_LOCAL_GATEWAY_TESTING_ECHO_SERVICE_H_
#define BYOSHIN_LOCAL_GATEWAY_TESTING_ECHO_SERVICE_H_

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "core/http/client.h"
#include "local/gateway/error.h"
#include "local/gateway/service.h"
#include "local/gateway/testing/test_service.h"

namespace byoshin::local::testing {

// Thread-safe.
class EchoService final : public TestService {
 public:
  explicit EchoService(std::string name) : TestService(std::move(name)) {}

  void Handle(Call call, AnswerFunction answer) override {
    if (call.operation == "Drop") return;
    if (call.operation == "Fail") {
      return answer(JsonErrorAnswer(
          ServiceError({.code = "Failure", .message = "as asked"}), "echo#"));
    }
    if (call.operation == "Headers") {
      std::string headers;
      for (const http::Header& header : call.headers) {
        absl::StrAppend(&headers, header.name, "=", header.value, ";");
      }
      return answer({.body = std::move(headers)});
    }
    if (call.operation != "Hold" && call.operation != "Poll") {
      return answer(Echo(call));
    }
    if (call.operation == "Poll") call.let_time_pass();
    std::lock_guard lock(mutex_);
    held_.emplace_back(std::move(call), std::move(answer));
    changed_.notify_all();
  }

  void EndLongPolls() override {
    std::lock_guard lock(mutex_);
    long_polls_ended_ = true;
  }
  bool long_polls_ended() {
    std::lock_guard lock(mutex_);
    return long_polls_ended_;
  }

  // Blocks until so many calls are held.
  void AwaitHeld(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return held_.size() >= count; });
  }

  void AnswerHeld() {
    std::lock_guard lock(mutex_);
    for (auto& [call, answer] : held_) answer(Echo(call));
    held_.clear();
  }

 private:
  Answer Echo(const Call& call) const {
    return {.content_type = call.protocol == WireProtocol::kQuery
                                ? kXmlContentType
                                : kJson10ContentType,
            .body = absl::StrCat(name(), " ", call.operation, " ", call.region,
                                 " ", call.endpoint, " ") +
                    absl::StrCat(call.path, " ", call.body)};
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::pair<Call, AnswerFunction>> held_;
  bool long_polls_ended_ = false;
};

}  // namespace byoshin::local::testing

#endif  // BYOSHIN_LOCAL_GATEWAY_TESTING_ECHO_SERVICE_H_

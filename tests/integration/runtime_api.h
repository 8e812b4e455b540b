// The Lambda Runtime API, as AWS documents it, for one function process: the
// test says what the events are and gets what the function answers.
//
//   absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start();
//   ...  // start a process with AWS_LAMBDA_RUNTIME_API=(*api)->address()
//   absl::StatusOr<RuntimeApi::Outcome> outcome =
//       (*api)->Await((*api)->Submit({.payload = R"({"time":"..."})"}));
//
// LambdaProcess (lambda_process.h) puts both together.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#ifndef BYOSHIN_TESTS_INTEGRATION_RUNTIME_API_H_
#define BYOSHIN_TESTS_INTEGRATION_RUNTIME_API_H_

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"

namespace byoshin::integration {

// Thread-safe.
class RuntimeApi {
 public:
  struct Event {
    std::string payload{};
    // The deadline that the function is told lies this far from now. Nobody
    // enforces it here.
    absl::Duration time_limit = absl::Seconds(30);
  };

  struct Outcome {
    enum class Kind { kResponse, kError };
    Kind kind = Kind::kResponse;
    // The response, or {"errorMessage": ..., "errorType": ...}.
    std::string payload{};
    std::string content_type{};
    // When the function posted it.
    absl::Time posted;
  };

  static absl::StatusOr<std::unique_ptr<RuntimeApi>> Start();

  RuntimeApi(const RuntimeApi&) = delete;
  RuntimeApi& operator=(const RuntimeApi&) = delete;
  ~RuntimeApi();

  // The value of AWS_LAMBDA_RUNTIME_API: "127.0.0.1:9001".
  std::string address() const;

  // Hands an event to the process, now or when it next asks; returns the
  // request id.
  std::string Submit(const Event& event);

  // Blocks until the process has answered. An error means that it never will:
  // it has ended, or reported that it could not initialise.
  absl::StatusOr<Outcome> Await(const std::string& request_id);

  // Blocks until the process has posted to /runtime/init/error.
  absl::StatusOr<Outcome> AwaitInitError();

  // To be called when the process has ended, with a description of how; ends
  // all waiting.
  void ProcessEnded(absl::string_view how);

  // What the process did that the documentation does not allow: unknown paths,
  // answers to events that it was not given, answers given twice.
  std::vector<std::string> violations() const;

 private:
  struct Pending {
    std::string request_id{};
    Event event;
    absl::Time deadline;
  };

  RuntimeApi() = default;

  void Handle(const http::ServerRequest& request, http::Responder respond);
  // These want `mutex_` held.
  void HandleNext(http::Responder respond);
  void HandleInitError(const http::ServerRequest& request,
                       const http::Responder& respond);
  void HandleOutcome(const http::ServerRequest& request,
                     const http::Responder& respond);
  void Refuse(const http::ServerRequest& request,
              const http::Responder& respond, int status,
              absl::string_view why);
  void Dispatch();

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  int submitted_ = 0;
  std::deque<Pending> pending_;
  std::optional<http::Responder> next_;      // /next without an answer yet
  std::optional<std::string> under_way_;     // request id
  std::map<std::string, Outcome> outcomes_;  // by request id, until awaited
  std::optional<Outcome> init_error_;
  std::string ended_;  // how the process ended; empty while it runs
  std::vector<std::string> violations_;

  // Last, so that it stops before what its handler uses is gone.
  std::unique_ptr<http::Server> server_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_RUNTIME_API_H_

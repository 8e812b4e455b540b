// The Lambda Runtime API, for one execution environment: the process asks for
// its next invocation and posts what came of it.
//
//   absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
//       {.on_next = [] { ... },      // it waits for an invocation
//        .on_result = [](RuntimeApi::Result result) { ... }, ...});
//   ...  // start a process with AWS_LAMBDA_RUNTIME_API=(*api)->address()
//   (*api)->Deliver({.request_id = "8476a536-…", .payload = "{}", ...});
//
// A server, and so a port, for each environment: some runtimes take nothing but
// host and port from the variable, so that a path could not tell them apart.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#ifndef BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_
#define BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "local/gateway/guard.h"

namespace byoshin::local::lambda {

// What a function may answer; Lambda's limit of 6 MB, to the byte.
inline constexpr std::size_t kMaxResponseBytes = 6'291'556;

// Thread-safe.
class RuntimeApi {
 public:
  struct Invocation {
    std::string request_id{};
    std::string payload{};
    // On the clock that the function reads.
    absl::Time deadline;
    std::string function_arn{};
    std::string trace_id{};
    // Base64, as the caller sent it; empty if it sent none.
    std::string client_context{};
  };

  struct Result {
    enum class Kind {
      kResponse,
      kError,      // payload is {"errorMessage": ..., "errorType": ...}
      kInitError,  // the same, before the first invocation
      kTooLarge,   // more than kMaxResponseBytes; no payload
    };
    Kind kind = Kind::kResponse;
    // Empty for kInitError.
    std::string request_id{};
    std::string payload{};
  };

  // Called on the server's thread, in the order of what the process does. Must
  // not block.
  struct Callbacks {
    std::function<void()> on_next{};
    std::function<void(Result)> on_result{};
  };

  static absl::StatusOr<std::unique_ptr<RuntimeApi>> Start(Callbacks callbacks);

  RuntimeApi(const RuntimeApi&) = delete;
  RuntimeApi& operator=(const RuntimeApi&) = delete;
  // Cuts the process off.
  ~RuntimeApi();

  // The value of AWS_LAMBDA_RUNTIME_API: "127.0.0.1:9001".
  std::string address() const;

  // Hands the invocation to a process that waits for one. Returns false if none
  // does: on_next was not called since the last one, or it has gone.
  bool Deliver(const Invocation& invocation);

 private:
  explicit RuntimeApi(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void Handle(const http::ServerRequest& request, http::Responder respond);
  void HandleNext(http::Responder respond);
  void HandleResult(const http::ServerRequest& request,
                    const http::Responder& respond);
  void HandleServed(const http::ServedRequest& served);

  const Callbacks callbacks_;
  const Guard guard_{GuardOptions{}};

  std::mutex mutex_;
  std::optional<http::Responder> next_;   // /next without an answer yet
  std::optional<std::string> under_way_;  // request id
  bool initialised_ = false;              // it has asked for an invocation

  // Last, so that it stops before what its handler uses is gone.
  std::unique_ptr<http::Server> server_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_

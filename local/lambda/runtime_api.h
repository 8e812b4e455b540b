// The Lambda Runtime API of one execution environment: the process asks for its
// next invocation and posts the result.
//
//   absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
//       {.on_next = [] { ... },      // it waits for an invocation
//        .on_result = [](RuntimeApi::Result result) { ... }, ...});
//   ...  // start a process with AWS_LAMBDA_RUNTIME_API=(*api)->address()
//   (*api)->Serve(child->pid());
//   (*api)->Deliver({.request_id = "8476a536-…", .payload = "{}", ...});
//
// Each environment has its own server and port: some runtimes use only the host
// and port of AWS_LAMBDA_RUNTIME_API, so a path could not distinguish
// environments. Nor could a secret path keep other processes of this machine
// from taking invocations: the kernel is asked who has made a connection.
//
// https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html
#ifndef BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_
#define BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_

#include <sys/types.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/http/server.h"
#include "core/sync/mutex.h"
#include "local/gateway/guard.h"

namespace byoshin::local::lambda {

// The maximum size of a response: Lambda's limit of 6 MB, to the byte.
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

  // Called on the server's thread, in the order of the process's requests. Must
  // not block.
  struct Callbacks {
    std::function<void()> on_next{};
    std::function<void(Result)> on_result{};
  };

  static absl::StatusOr<std::unique_ptr<RuntimeApi>> Start(Callbacks callbacks);

  RuntimeApi(const RuntimeApi&) = delete;
  RuntimeApi& operator=(const RuntimeApi&) = delete;
  // Closes the connection to the process.
  ~RuntimeApi();

  // The value of AWS_LAMBDA_RUNTIME_API: "127.0.0.1:9001".
  std::string address() const;

  // Serves processes of this group, and no others. Until it is called, requests
  // wait.
  void Serve(pid_t group);

  // Passes the invocation to the waiting process. Returns false if it does not
  // wait: on_next was not called since the last invocation, or the process has
  // gone.
  bool Deliver(const Invocation& invocation);

 private:
  explicit RuntimeApi(Callbacks callbacks) : callbacks_(std::move(callbacks)) {}

  void Handle(const http::ServerRequest& request, http::Responder respond);
  // Whether a process that is served has made the connection from `remote`.
  bool IsServed(const std::string& remote);
  void HandleNext(http::Responder respond);
  void HandleResult(const http::ServerRequest& request,
                    const http::Responder& respond);
  void HandleServed(const http::ServedRequest& served);

  const Callbacks callbacks_;
  const Guard guard_{GuardOptions{}};

  sync::Mutex mutex_;
  sync::Condition changed_;
  // Set by Serve(); 0 once it is known that there will be no process.
  std::optional<pid_t> group_ ABSL_GUARDED_BY(mutex_);
  // Where the last connection that is served comes from. Only used by the
  // server's thread.
  std::string served_remote_;
  // A request for /next that has not been answered.
  std::optional<http::Responder> next_ ABSL_GUARDED_BY(mutex_);
  // The id of the current invocation.
  std::optional<std::string> under_way_ ABSL_GUARDED_BY(mutex_);
  // Whether the process has asked for an invocation.
  bool initialised_ ABSL_GUARDED_BY(mutex_) = false;

  // Last, so that it stops before what its handler uses is destroyed.
  std::unique_ptr<http::Server> server_;
};

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_RUNTIME_API_H_

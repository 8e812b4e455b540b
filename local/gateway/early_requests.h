// Requests that arrive before the cloud is ready for them. They are held until
// it is, so that no client gets an error, which it would not retry, about
// a role or function that is about to exist.
//
//   EarlyRequests early;
//   ... for each request that can wait:
//   if (early.Hold(request, respond)) return;
//   ... once the cloud is ready:
//   early.Handle([&](const http::ServerRequest& request,
//                    http::Responder respond) { ... });
//
// Used only by local/gateway/gateway.h.
#ifndef BYOSHIN_LOCAL_GATEWAY_EARLY_REQUESTS_H_
#define BYOSHIN_LOCAL_GATEWAY_EARLY_REQUESTS_H_

#include <atomic>
#include <cstddef>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/functional/function_ref.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"

namespace byoshin::local {

// Further requests are refused at once.
inline constexpr std::size_t kMaxEarlyRequests = 1000;
// The limit for the bodies of all held requests together.
inline constexpr std::size_t kMaxEarlyBytes = std::size_t{64} << 20;

// The answer to a request that the cloud can't take at present: SDKs of every
// protocol repeat it.
http::ServerResponse Unavailable();

// Thread-safe.
class EarlyRequests {
 public:
  // Holds the request, or refuses it if there is no room or Refuse() was
  // called, and returns true. Returns false once Handle() was called.
  bool Hold(const http::ServerRequest& request, const http::Responder& respond);

  // Passes what is held to `handle`, in the order of arrival, on this thread;
  // nothing is held any more. Skips clients that have disconnected: they may
  // have sent the request again.
  void Handle(
      absl::FunctionRef<void(const http::ServerRequest&, http::Responder)>
          handle);

  // Answers that the cloud is not available, from now on at once. Has no effect
  // after Handle().
  void Refuse();

 private:
  struct Held {
    http::ServerRequest request;
    http::Responder respond;
  };

  std::atomic<bool> finished_ = false;
  sync::Mutex mutex_;
  bool refuses_ ABSL_GUARDED_BY(mutex_) = false;
  std::vector<Held> held_ ABSL_GUARDED_BY(mutex_);
  std::size_t held_bytes_ ABSL_GUARDED_BY(mutex_) = 0;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_EARLY_REQUESTS_H_

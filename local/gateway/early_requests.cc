#include "local/gateway/early_requests.h"

#include <utility>
#include <vector>

#include "absl/functional/function_ref.h"
#include "core/http/server.h"
#include "core/http/server_message.h"
#include "core/sync/mutex.h"

namespace byoshin::local {

// A body would have to be in the form of the protocol.
http::ServerResponse Unavailable() {
  return {.status = 503, .headers = {{"Retry-After", "1"}}};
}

bool EarlyRequests::Hold(const http::ServerRequest& request,
                         const http::Responder& respond) {
  if (finished_) return false;
  {
    const sync::MutexLock lock(mutex_);
    if (finished_) return false;
    if (!refuses_ && held_.size() < kMaxEarlyRequests &&
        request.body.size() <= kMaxEarlyBytes - held_bytes_) {
      held_bytes_ += request.body.size();
      held_.push_back({request, respond});
      return true;
    }
  }
  respond(Unavailable());
  return true;
}

void EarlyRequests::Handle(
    absl::FunctionRef<void(const http::ServerRequest&, http::Responder)>
        handle) {
  std::vector<Held> held;
  {
    const sync::MutexLock lock(mutex_);
    finished_ = true;
    held.swap(held_);
  }
  for (Held& one : held) {
    if (one.respond.connected()) handle(one.request, std::move(one.respond));
  }
}

void EarlyRequests::Refuse() {
  std::vector<Held> held;
  {
    const sync::MutexLock lock(mutex_);
    refuses_ = true;
    held.swap(held_);
  }
  for (const Held& one : held) one.respond(Unavailable());
}

}  // namespace byoshin::local

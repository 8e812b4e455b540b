// A request in progress, from the gateway to a service and back.
//
//   auto exchange = std::make_shared<Exchange>(std::move(start));
//   service.Handle(call, [exchange](Answer answer) {
//     exchange->Send(std::move(answer));
//   });
//
// Used only by local/gateway/gateway.h.
#ifndef BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_
#define BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "core/http/server.h"
#include "core/sync/mutex.h"
#include "core/time/clock.h"
#include "local/gateway/caller_waits.h"
#include "local/gateway/compression.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {

// Thread-safe, except where it says otherwise.
class Exchange : public std::enable_shared_from_this<Exchange> {
 public:
  using OnRequest = std::function<void(const AccessRecord&)>;

  struct Start {
    http::Responder respond;
    // Null if the request is not for a known service.
    const ServiceTraits* traits = nullptr;
    WireProtocol protocol = WireProtocol::kJson10;
    AccessRecord record{};
    // See Guard::Verdict.
    std::string allowed_origin{};
    // What the client accepts and the front end of the service does.
    ContentCoding coding = ContentCoding::kIdentity;
    // Replaces the answer's, if not empty.
    std::string content_type{};
    time::Clock& clock;
    // May be null. Shared, because a service may answer after the gateway is
    // destroyed.
    std::shared_ptr<const OnRequest> on_request;
    // May be null.
    std::shared_ptr<CallerWaits> waits;
  };
  explicit Exchange(Start start);

  // Sends the answer, or begins to, unless one was sent before. Simulated time
  // may advance once it is complete.
  void Send(Answer answer);
  // Sends an error in the form that AWS's front end uses in this protocol.
  void SendError(const absl::Status& status);

  void LetTimePass();
  bool connected() const { return respond_.connected(); }

  const std::string& request_id() const { return record_.request_id; }
  WireProtocol protocol() const { return protocol_; }
  // Call it before the request is passed to the service.
  void SetCaller(const std::string& access_key_id) {
    record_.access_key_id = access_key_id;
  }

 private:
  class StreamedBody;

  // The answer is known, but has not been sent to its end.
  void Report(int status, std::size_t response_bytes);
  void ReleaseTime();

  const http::Responder respond_;
  const ServiceTraits* const traits_;
  const WireProtocol protocol_;
  const std::string allowed_origin_;
  const ContentCoding coding_;
  const std::string content_type_;
  const std::shared_ptr<const OnRequest> on_request_;
  const std::shared_ptr<CallerWaits> waits_;
  const std::chrono::steady_clock::time_point started_;

  sync::Mutex mutex_;
  AccessRecord record_;
  bool answered_ ABSL_GUARDED_BY(mutex_) = false;
  bool reported_ ABSL_GUARDED_BY(mutex_) = false;
  time::Hold hold_ ABSL_GUARDED_BY(mutex_);
  // The caller's work, while this lets time pass.
  std::shared_ptr<CallerWork> paused_ ABSL_GUARDED_BY(mutex_);
  bool lets_time_pass_ ABSL_GUARDED_BY(mutex_) = false;
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_

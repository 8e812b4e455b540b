// One request under way, from the gateway to a service and back.
//
//   auto exchange = std::make_shared<Exchange>(std::move(start));
//   service.Handle(call, [exchange](Answer answer) {
//     exchange->Send(std::move(answer));
//   });
//
// For local/gateway/gateway.h, and only for it.
#ifndef BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_
#define BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "absl/status/status.h"
#include "core/http/server.h"
#include "core/time/clock.h"
#include "local/gateway/gateway.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local {

// Thread-safe, except where it says otherwise.
class Exchange {
 public:
  using OnRequest = std::function<void(const AccessRecord&)>;

  struct Start {
    http::Responder respond;
    // Null if no service here is meant.
    const ServiceTraits* traits = nullptr;
    WireProtocol protocol = WireProtocol::kJson10;
    AccessRecord record{};
    // See Guard::Verdict.
    std::string allowed_origin{};
    time::Clock& clock;
    // May be null. Shared, because a service may still answer when the gateway
    // is gone.
    std::shared_ptr<const OnRequest> on_request;
  };
  explicit Exchange(Start start);

  // Answers, if nobody has. Simulated time may jump afterwards.
  void Send(Answer answer);
  // The same for an error, as AWS's own front writes it in this protocol.
  void SendError(const absl::Status& status);

  void LetTimePass();
  bool connected() const { return respond_.connected(); }

  const std::string& request_id() const { return record_.request_id; }
  WireProtocol protocol() const { return protocol_; }
  // Before the request is handed on.
  void SetCaller(const std::string& access_key_id) {
    record_.access_key_id = access_key_id;
  }

 private:
  const http::Responder respond_;
  const ServiceTraits* const traits_;
  const WireProtocol protocol_;
  const std::string allowed_origin_;
  const std::shared_ptr<const OnRequest> on_request_;
  const std::chrono::steady_clock::time_point started_;

  std::mutex mutex_;
  AccessRecord record_;
  bool answered_ = false;  // guarded by mutex_
  time::Hold hold_;        // guarded by mutex_
};

}  // namespace byoshin::local

#endif  // BYOSHIN_LOCAL_GATEWAY_EXCHANGE_H_

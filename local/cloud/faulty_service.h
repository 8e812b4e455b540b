// A service that fails calls on demand, before they are handled.
#ifndef BYOSHIN_LOCAL_CLOUD_FAULTY_SERVICE_H_
#define BYOSHIN_LOCAL_CLOUD_FAULTY_SERVICE_H_

#include <functional>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/gateway/error.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"

namespace byoshin::local::cloud {

// Thread-safe.
class FaultyService final : public ForwardingService {
 public:
  using Fault = std::function<absl::Status(absl::string_view service,
                                           absl::string_view operation)>;

  // `service` must outlive this.
  FaultyService(Service& service, Fault fault)
      : ForwardingService(service), fault_(std::move(fault)) {}

  void Handle(Call call, AnswerFunction answer) override {
    if (fault_) {
      const absl::Status status = fault_(name(), call.operation);
      if (!status.ok()) {
        return answer(call.protocol == WireProtocol::kQuery
                          ? QueryErrorAnswer(status, call.request_id, "")
                          : JsonErrorAnswer(status, ""));
      }
    }
    service().Handle(std::move(call), std::move(answer));
  }

 private:
  const Fault fault_;
};

}  // namespace byoshin::local::cloud

#endif  // BYOSHIN_LOCAL_CLOUD_FAULTY_SERVICE_H_

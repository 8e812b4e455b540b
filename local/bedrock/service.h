// Bedrock Runtime's API: Converse, ConverseStream, InvokeModel,
// InvokeModelWithResponseStream.
//
//   BedrockService service({.model = model, .clock = clock, …});
//   gateway.Add(service);
#ifndef BYOSHIN_LOCAL_BEDROCK_SERVICE_H_
#define BYOSHIN_LOCAL_BEDROCK_SERVICE_H_

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/time/clock.h"
#include "local/bedrock/call_ledger.h"
#include "local/bedrock/delays.h"
#include "local/bedrock/faults.h"
#include "local/bedrock/model.h"
#include "local/bedrock/stack_limits.h"
#include "local/gateway/service.h"
#include "local/gateway/service_traits.h"

namespace byoshin::local::bedrock {

// Thread-safe.
class BedrockService final : public Service {
 public:
  // All must outlive it.
  struct World {
    Model& model;
    time::Clock& clock;
    Faults& faults;
    StackLimits& limits;
    CallLedger& ledger;
    // The ARN of the role whose session has the access key; empty if it is a
    // key of the account. Never null.
    std::function<std::string(const std::string& access_key_id)> role_of{};
  };
  explicit BedrockService(World world)
      : world_(std::move(world)), delays_(world_.clock) {}

  const ServiceTraits& traits() const override;
  std::vector<NeededPermission> PermissionsFor(const Call& call) const override;
  void Handle(Call call, AnswerFunction answer) override;
  // Slow and hanging models answer now.
  void EndLongPolls() override { delays_.EndAll(); }

 private:
  struct Exchange;
  class PacedReply;

  absl::Status Begin(Exchange& exchange);
  // The model may give up a question whose caller has left.
  static void WatchCaller(const std::shared_ptr<Exchange>& exchange);
  void AskModel(const std::shared_ptr<Exchange>& exchange);
  // Asks for a reply whose events are spread over the fault's delay.
  void AskModelSlowly(const std::shared_ptr<Exchange>& exchange);
  // Passes on a part of a reply; false if nobody wants the rest.
  static bool Pass(Exchange& exchange, const ReplyPiece& piece);
  // The reply is complete, or has failed.
  void Finish(Exchange& exchange, const absl::StatusOr<Reply>& reply);
  void Record(Exchange& exchange, const absl::StatusOr<Reply>& reply);

  const World world_;
  // Last: it calls back.
  Delays delays_;
};

}  // namespace byoshin::local::bedrock

#endif  // BYOSHIN_LOCAL_BEDROCK_SERVICE_H_

// DynamoDB, watched for the scheduler's records as they are stored: lateness is
// known at that moment only, the table does not keep it.
#ifndef BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_
#define BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_

#include <json/json.h>

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/dashboard/series.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"

namespace byoshin::local::stack {

// The record in the body of a PutItem request, without lateness; nothing if it
// is another item.
std::optional<dashboard::SlotRecord> RecordOf(const Json::Value& put_item);

// Thread-safe.
class RecordObserver final : public ForwardingService {
 public:
  using OnRecord = std::function<void(const dashboard::SlotRecord&)>;

  // All outlive it. `window_lag` answers what the scheduler is deployed with.
  // `on_record` is called before the writer gets its answer.
  RecordObserver(Service& dynamodb, const time::Clock& clock,
                 std::function<absl::Duration()> window_lag, OnRecord on_record)
      : ForwardingService(dynamodb),
        clock_(clock),
        window_lag_(std::move(window_lag)),
        on_record_(std::move(on_record)) {}

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const time::Clock& clock_;
  const std::function<absl::Duration()> window_lag_;
  const OnRecord on_record_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_

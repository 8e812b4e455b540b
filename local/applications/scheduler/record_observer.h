// DynamoDB, watched for the scheduler's records as they are stored: lateness is
// known at that moment only, the table does not keep it.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_OBSERVER_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_OBSERVER_H_

#include <functional>
#include <utility>

#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/time/clock.h"
#include "local/applications/scheduler/series.h"
#include "local/gateway/forwarding_service.h"
#include "local/gateway/service.h"

namespace byoshin::local::applications {

// Thread-safe.
class RecordObserver final : public ForwardingService {
 public:
  // What is referred to outlives it.
  struct World {
    const time::Clock& clock;
    // Whether the scheduler's records are in the table of this name or ARN.
    std::function<bool(absl::string_view table)> is_records_table;
    // What the scheduler is deployed with.
    std::function<absl::Duration()> window_lag;
    // Called with each record before the writer gets its answer.
    std::function<void(const SlotRecord&)> on_record;
  };
  RecordObserver(Service& dynamodb, World world)
      : ForwardingService(dynamodb), world_(std::move(world)) {}

  void Handle(Call call, AnswerFunction answer) override;

 private:
  const World world_;
};

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_RECORD_OBSERVER_H_

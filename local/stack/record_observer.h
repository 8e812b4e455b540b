// DynamoDB, watched for the scheduler's records as they are stored: lateness is
// known at that moment only, the table does not keep it.
#ifndef BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_
#define BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "core/time/clock.h"
#include "local/dashboard/series.h"
#include "local/gateway/service.h"

namespace byoshin::local::stack {

// The record in the body of a PutItem request in JSON, without lateness;
// nothing if it is another item.
std::optional<dashboard::SlotRecord> RecordOf(absl::string_view put_item);

// Thread-safe.
class RecordObserver final : public Service {
 public:
  using OnRecord = std::function<void(const dashboard::SlotRecord&)>;

  // All outlive it. `on_record` is called before the writer gets its answer.
  RecordObserver(Service& dynamodb, const time::Clock& clock,
                 OnRecord on_record)
      : dynamodb_(dynamodb), clock_(clock), on_record_(std::move(on_record)) {}

  absl::string_view name() const override { return dynamodb_.name(); }
  void Handle(Call call, AnswerFunction answer) override;
  void EndLongPolls() override { dynamodb_.EndLongPolls(); }

 private:
  Service& dynamodb_;
  const time::Clock& clock_;
  const OnRecord on_record_;
};

}  // namespace byoshin::local::stack

#endif  // BYOSHIN_LOCAL_STACK_RECORD_OBSERVER_H_

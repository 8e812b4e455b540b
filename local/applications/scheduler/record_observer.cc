#include "local/applications/scheduler/record_observer.h"

#include <json/json.h>

#include <optional>
#include <utility>

#include "core/json/value.h"
#include "core/scheduler/lateness.h"
#include "local/applications/scheduler/record_item.h"

namespace byoshin::local::applications {
namespace {

constexpr int kHttpOk = 200;

}  // namespace

void RecordObserver::Handle(Call call, AnswerFunction answer) {
  std::optional<SlotRecord> record;
  if (call.operation == "PutItem" && call.JsonBody().ok() &&
      world_.is_records_table(
          json::TextMember(*call.JsonBody(), "TableName"))) {
    record = RecordOf((*call.JsonBody())["Item"]);
  }
  if (!record.has_value()) {
    return service().Handle(std::move(call), std::move(answer));
  }
  service().Handle(
      std::move(call), [this, record = *record,
                        answer = std::move(answer)](Answer result) mutable {
        if (result.status == kHttpOk) {
          record.lateness = scheduler::Lateness(
              {.slot = record.slot, .window_lag = world_.window_lag()},
              world_.clock.Now());
          world_.on_record(record);
        }
        answer(std::move(result));
      });
}

}  // namespace byoshin::local::applications

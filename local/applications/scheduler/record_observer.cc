#include "local/applications/scheduler/record_observer.h"

#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/value.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/lateness.h"
#include "core/time/iso8601.h"

namespace byoshin::local::applications {
namespace {

constexpr int kHttpOk = 200;

std::string Attribute(const Json::Value& item, const char* name,
                      const char* type) {
  const Json::Value& value = item[name];
  return value.isObject() && value[type].isString() ? value[type].asString()
                                                    : "";
}

}  // namespace

std::optional<SlotRecord> RecordOf(const Json::Value& put_item) {
  if (!put_item.isObject()) return std::nullopt;
  const Json::Value& item = put_item["Item"];
  if (!item.isObject()) return std::nullopt;
  if (Attribute(item, scheduler::kMetricNameKey, "S") !=
      scheduler::kMetricName) {
    return std::nullopt;
  }
  const absl::StatusOr<absl::Time> slot =
      time::ParseIso8601(Attribute(item, scheduler::kSlotTimeKey, "S"));
  std::int64_t count = 0;
  if (!slot.ok() ||
      !absl::SimpleAtoi(Attribute(item, scheduler::kCountAttribute, "N"),
                        &count)) {
    return std::nullopt;
  }
  return SlotRecord{.slot = *slot, .count = count};
}

void RecordObserver::Handle(Call call, AnswerFunction answer) {
  std::optional<SlotRecord> record;
  if (call.operation == "PutItem" && call.JsonBody().ok() &&
      world_.is_records_table(
          json::TextMember(*call.JsonBody(), "TableName"))) {
    record = RecordOf(*call.JsonBody());
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

#include "local/stack/record_observer.h"

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
#include "core/scheduler/constants.h"
#include "core/scheduler/lateness.h"
#include "core/time/iso8601.h"

namespace byoshin::local::stack {
namespace {

constexpr int kHttpOk = 200;

std::string Attribute(const Json::Value& item, const char* name,
                      const char* type) {
  const Json::Value& value = item[name];
  return value.isObject() && value[type].isString() ? value[type].asString()
                                                    : "";
}

}  // namespace

std::optional<dashboard::SlotRecord> RecordOf(const Json::Value& put_item) {
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
  return dashboard::SlotRecord{.slot = *slot, .count = count};
}

void RecordObserver::Handle(Call call, AnswerFunction answer) {
  std::optional<dashboard::SlotRecord> record;
  if (call.operation == "PutItem" && call.JsonBody().ok()) {
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
              {.slot = record.slot, .window_lag = window_lag_()}, clock_.Now());
          on_record_(record);
        }
        answer(std::move(result));
      });
}

}  // namespace byoshin::local::stack

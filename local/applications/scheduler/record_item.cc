#include "local/applications/scheduler/record_item.h"

#include <json/json.h>

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/time/time.h"
#include "core/scheduler/constants.h"
#include "core/scheduler/slot.h"
#include "core/time/iso8601.h"
#include "local/applications/scheduler/series.h"

namespace byoshin::local::applications {
namespace {

std::string Attribute(const Json::Value& item, const char* name,
                      const char* type) {
  const Json::Value& value = item[name];
  return value.isObject() && value[type].isString() ? value[type].asString()
                                                    : "";
}

}  // namespace

std::optional<SlotRecord> RecordOf(const Json::Value& item) {
  if (!item.isObject() || Attribute(item, scheduler::kMetricNameKey, "S") !=
                              scheduler::kMetricName) {
    return std::nullopt;
  }
  const std::string key = Attribute(item, scheduler::kSlotTimeKey, "S");
  const absl::StatusOr<absl::Time> slot = time::ParseIso8601(key);
  std::int64_t count = 0;
  if (!slot.ok() || key != scheduler::CalculateSlotTime(*slot) ||
      !absl::SimpleAtoi(Attribute(item, scheduler::kCountAttribute, "N"),
                        &count)) {
    return std::nullopt;
  }
  return SlotRecord{.slot = *slot, .count = count};
}

}  // namespace byoshin::local::applications

#include "local/applications/scheduler/slot_panel.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/http/server_message.h"
#include "core/json/writer.h"
#include "local/applications/scheduler/answers.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/shown_slots.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/parameters.h"
#include "local/dashboard/time_range.h"

namespace byoshin::local::applications {

// Defined by :embedded_page.
const std::vector<dashboard::Asset>& SchedulerAssets();

namespace {

absl::StatusOr<std::string> AnswerSeries(const http::ServerRequest& request,
                                         ShownSlots& slots) {
  const absl::StatusOr<dashboard::TimeRange> range =
      dashboard::RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> buckets =
      dashboard::BucketsParameter(request);
  if (!buckets.ok()) return buckets.status();
  SeriesBuilder builder({.range = *range,
                         .max_buckets = static_cast<int>(*buckets),
                         .expected = slots.ExpectedSlots()});
  const absl::Status visited =
      slots.VisitRecords(builder.range(), [&](const SlotRecord& record) {
        builder.Add(record);
        return true;
      });
  if (!visited.ok()) return visited;
  return SeriesJson(std::move(builder).Build());
}

absl::StatusOr<std::string> AnswerRecords(const http::ServerRequest& request,
                                          ShownSlots& slots) {
  const absl::StatusOr<dashboard::TimeRange> range =
      dashboard::RangeParameters(request);
  if (!range.ok()) return range.status();
  const absl::StatusOr<std::int64_t> limit = dashboard::IntParameter(
      request, "limit", {.least = 1, .most = 10000, .otherwise = 5000});
  if (!limit.ok()) return limit.status();
  std::vector<SlotRecord> records;
  const absl::Status visited =
      slots.VisitRecords(*range, [&](const SlotRecord& record) {
        records.push_back(record);
        return records.size() <= static_cast<std::size_t>(*limit);
      });
  if (!visited.ok()) return visited;
  return RecordsJson(records, static_cast<std::size_t>(*limit));
}

}  // namespace

void SlotPanel::WriteStatus(json::Writer& json) {
  WriteSlotStatus(slots_.GetStatus(), json);
}

std::vector<dashboard::PanelEndpoint> SlotPanel::endpoints() {
  return {{.method = "GET",
           .name = "series",
           .answer =
               [this](const http::ServerRequest& request) {
                 return AnswerSeries(request, slots_);
               }},
          {.method = "GET",
           .name = "records",
           .answer = [this](const http::ServerRequest& request) {
             return AnswerRecords(request, slots_);
           }}};
}

const std::vector<dashboard::Asset>& SlotPanel::assets() const {
  return SchedulerAssets();
}

}  // namespace byoshin::local::applications

// The JSON documents that the dashboard's API has for slots: see "scheduler" in
// local/dashboard/api.md.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_ANSWERS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_ANSWERS_H_

#include <cstddef>
#include <string>
#include <vector>

#include "core/json/writer.h"
#include "local/applications/scheduler/series.h"
#include "local/applications/scheduler/shown_slots.h"

namespace byoshin::local::applications {

void WriteSlotStatus(const SlotStatus& status, json::Writer& json);
std::string SeriesJson(const Series& series);
// One beyond `limit` only tells where the next page begins.
std::string RecordsJson(const std::vector<SlotRecord>& records,
                        std::size_t limit);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_ANSWERS_H_

// The documents of api.md.
#ifndef BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_
#define BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/dashboard/panel.h"
#include "local/dashboard/quantiles.h"
#include "local/dashboard/queue_series.h"
#include "local/dashboard/source.h"

namespace byoshin::local::dashboard {

// Null without value.
void WriteQuantiles(const std::optional<Quantiles>& quantiles,
                    json::Writer& json);

std::string StatusJson(const Status& status, const std::vector<Panel*>& panels,
                       absl::string_view cursor);
std::string QueueSeriesJson(const QueueSeries& series);
// Of more than `limit`, the newest.
std::string InvocationsJson(const std::vector<Invocation>& invocations,
                            std::size_t limit);
std::string DeadLettersJson(const DeadLetters& letters);
std::string LogsJson(const LogPage& page);
std::string ErrorJson(absl::string_view message);

}  // namespace byoshin::local::dashboard

#endif  // BYOSHIN_LOCAL_DASHBOARD_ANSWERS_H_

#include "local/stepfunctions/execution_log.h"

#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "local/stepfunctions/language/data.h"

namespace byoshin::local::stepfunctions {
namespace {

bool IsFatal(absl::string_view type) {
  return type == "ExecutionAborted" || type == "ExecutionFailed" ||
         type == "ExecutionTimedOut";
}

bool IsError(absl::string_view type) {
  return absl::EndsWith(type, "Failed") || absl::EndsWith(type, "TimedOut") ||
         absl::EndsWith(type, "Aborted") || type == "FailStateEntered";
}

bool IsWanted(absl::string_view level, absl::string_view type) {
  if (level == "ALL") return true;
  if (level == "ERROR") return IsError(type);
  return level == "FATAL" && IsFatal(type);
}

// The member of the event that has what its type is about.
Data DetailsOf(const Data& event) {
  for (const Data::Member& member : event.members()) {
    if (absl::EndsWith(member.name(), "EventDetails")) return member.value;
  }
  return Data::EmptyObject();
}

}  // namespace

std::vector<std::string> LogLines(const kept::Execution& execution,
                                  const kept::Logging& logging,
                                  absl::Span<const HistoryEvent> events) {
  std::vector<std::string> lines;
  const ExecutionData data = logging.include_execution_data()
                                 ? ExecutionData::kIncluded
                                 : ExecutionData::kExcluded;
  for (const HistoryEvent& event : events) {
    const absl::string_view type = HistoryEventTypeName(event.type);
    if (!IsWanted(logging.level(), type)) continue;
    ObjectBuilder line;
    line.Set("id", Data::String(absl::StrCat(event.id)));
    line.Set("type", Data::String(type));
    line.Set("details", DetailsOf(HistoryEventJson(event, data)));
    line.Set("previous_event_id",
             Data::String(absl::StrCat(event.previous_id)));
    line.Set("event_timestamp",
             Data::String(absl::StrCat(absl::ToUnixMillis(event.time))));
    line.Set("execution_arn", Data::String(execution.arn()));
    line.Set("redrive_count",
             Data::String(absl::StrCat(execution.redrive_count())));
    lines.push_back(std::move(line).Build().ToJson());
  }
  return lines;
}

}  // namespace byoshin::local::stepfunctions

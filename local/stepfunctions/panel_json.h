// How executions and their events are written for the page.
#ifndef BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_JSON_H_
#define BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_JSON_H_

#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {

// "STANDARD"
absl::string_view MachineTypeName(kept::Type type);

// As an entry of a list: its ARN, name, status and times.
void WriteListedExecution(const kept::Execution& execution, json::Writer& json);
// With input, output and error, which are cut if they are long.
void WriteExecution(const kept::Execution& execution, json::Writer& json);
// The same of a child of a distributed map.
void WriteExecution(const ChildExecution& child, json::Writer& json);
void WriteEvent(const HistoryEvent& event, json::Writer& json);
// A run of a distributed map, with its newest children.
void WriteMapRun(const MapRun& map_run, json::Writer& json);

}  // namespace byoshin::local::stepfunctions

#endif  // BYOSHIN_LOCAL_STEPFUNCTIONS_PANEL_JSON_H_

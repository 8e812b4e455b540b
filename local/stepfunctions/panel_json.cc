#include "local/stepfunctions/panel_json.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/json/text.h"
#include "core/json/writer.h"
#include "local/stepfunctions/execution/execution.h"
#include "local/stepfunctions/execution/history.h"
#include "local/stepfunctions/executions.h"
#include "local/stepfunctions/kept.pb.h"

namespace byoshin::local::stepfunctions {
namespace {

// Longer data is cut; its length is told.
constexpr std::size_t kMaxShownBytes = std::size_t{64} << 10;
constexpr std::size_t kMaxShownChildren = 100;

void WriteText(absl::string_view name, absl::string_view text,
               json::Writer& json) {
  if (!text.empty()) json.Key(name).String(text);
}

// "input" and "inputBytes"
void WriteData(absl::string_view name, absl::string_view text,
               json::Writer& json) {
  json.Key(name).String(json::CutAtCharacter(text, kMaxShownBytes));
  json.Key(absl::StrCat(name, "Bytes"))
      .Int(static_cast<std::int64_t>(text.size()));
}

void WriteOptional(absl::string_view name,
                   const std::optional<std::string>& text, json::Writer& json) {
  if (text.has_value()) json.Key(name).String(*text);
}

void WriteTimes(absl::Time start, const std::optional<absl::Time>& stop,
                json::Writer& json) {
  json.Key("start").Time(start).Key("stop").Time(stop);
}

void WriteListed(const kept::Execution& execution, json::Writer& json) {
  json.Key("arn").String(execution.arn());
  json.Key("name").String(execution.name());
  json.Key("status").String(StatusName(execution.status()));
  WriteTimes(absl::FromUnixMicros(execution.start_us()),
             execution.status() == kept::RUNNING
                 ? std::nullopt
                 : std::optional(absl::FromUnixMicros(execution.stop_us())),
             json);
  json.Key("redrives").Int(execution.redrive_count());
}

void WriteListed(const ChildExecution& child, json::Writer& json) {
  json.Key("arn").String(child.arn);
  json.Key("name").String(child.name);
  json.Key("status").String(ExecutionStatusName(child.status));
  WriteTimes(child.start_time, child.stop_time, json);
  json.Key("redrives").Int(child.redrive_count);
}

void WriteDetails(const HistoryEventDetails& details, json::Writer& json) {
  WriteOptional("error", details.error, json);
  WriteOptional("cause", details.cause, json);
  WriteText("resourceType", details.resource_type, json);
  WriteText("resource", details.resource, json);
  WriteText("mapRun", details.map_run_arn, json);
  WriteText("location", details.location, json);
  WriteText("worker", details.worker_name, json);
  json.Key("number").Int(details.number);
}

}  // namespace

absl::string_view MachineTypeName(kept::Type type) {
  return type == kept::EXPRESS ? "EXPRESS" : "STANDARD";
}

void WriteListedExecution(const kept::Execution& execution,
                          json::Writer& json) {
  json.Open('{');
  WriteListed(execution, json);
  json.Close('}');
}

void WriteExecution(const kept::Execution& execution, json::Writer& json) {
  json.Open('{');
  WriteListed(execution, json);
  json.Key("machine").String(execution.machine_arn());
  json.Key("machineName").String(execution.machine_name());
  WriteText("version", execution.version_arn(), json);
  WriteText("alias", execution.alias_arn(), json);
  WriteData("input", execution.input(), json);
  if (execution.has_output()) WriteData("output", execution.output(), json);
  if (execution.has_error()) json.Key("error").String(execution.error());
  if (execution.has_cause()) json.Key("cause").String(execution.cause());
  json.Close('}');
}

void WriteExecution(const ChildExecution& child, json::Writer& json) {
  json.Open('{');
  WriteListed(child, json);
  WriteData("input", child.input.ToJson(), json);
  if (child.output.has_value()) {
    WriteData("output", child.output->ToJson(), json);
  }
  WriteOptional("error", child.error, json);
  WriteOptional("cause", child.cause, json);
  json.Close('}');
}

void WriteEvent(const HistoryEvent& event, json::Writer& json) {
  json.Open('{');
  json.Key("id").Int(event.id);
  json.Key("previous").Int(event.previous_id);
  json.Key("t").Time(event.time);
  json.Key("type").String(HistoryEventTypeName(event.type));
  WriteText("name", event.name, json);
  if (event.data.has_value()) WriteData("data", event.data->ToJson(), json);
  if (event.details != nullptr) WriteDetails(*event.details, json);
  json.Close('}');
}

void WriteMapRun(const MapRun& map_run, json::Writer& json) {
  json.Open('{');
  json.Key("arn").String(map_run.arn);
  json.Key("state").String(map_run.state_name);
  json.Key("status").String(ExecutionStatusName(map_run.status));
  json.Key("items").Open('{');
  json.Key("total").Int(map_run.items.total);
  json.Key("running").Int(map_run.items.running);
  json.Key("succeeded").Int(map_run.items.succeeded);
  json.Key("failed").Int(map_run.items.failed + map_run.items.timed_out +
                         map_run.items.aborted);
  json.Close('}');
  json.Key("children").Open('[');
  const std::size_t count = map_run.children.size();
  for (std::size_t i = count - std::min(count, kMaxShownChildren); i < count;
       ++i) {
    json.Open('{');
    WriteListed(*map_run.children[i], json);
    json.Close('}');
  }
  json.Close(']').Close('}');
}

}  // namespace byoshin::local::stepfunctions

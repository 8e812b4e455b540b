#include "local/applications/scheduler/application.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "local/applications/application.h"
#include "local/applications/scheduler/artifact_paths.h"
#include "local/applications/scheduler/commands.h"
#include "local/applications/scheduler/run.h"
#include "local/applications/scheduler/slot_panel.h"
#include "local/cli/format.h"

namespace byoshin::local::applications {
namespace {

std::string FormatStatus(const Json::Value& status) {
  const Json::Value& records = status["records"];
  if (!records.isObject()) return "";
  return absl::StrCat("records       ", cli::FormatCount(records["total"]),
                      ", ", cli::FormatMillis(records["first"]), " to ",
                      cli::FormatMillis(records["last"]), "\n",
                      "missing slots ", cli::FormatCount(records["missing"]),
                      "\n");
}

}  // namespace

Application SchedulerApplication() {
  return {.name = kSchedulerName,
          .stack_name = "byoshin",
          .template_path = kSchedulerTemplate,
          .up_flags = {{.name = kApiPortFlag,
                        .value = "PORT",
                        .help = "of the mock API; 0 for any",
                        .default_value = "3000"}},
          .faults = {{kApiFault, "the polled API"}},
          .commands = {RecordsCommand(), ChartCommand(), TickCommand()},
          .format_status = FormatStatus,
          .run = NewSchedulerRun};
}

}  // namespace byoshin::local::applications

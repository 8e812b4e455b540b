// The commands about slots: records, chart, tick.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_COMMANDS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_COMMANDS_H_

#include "local/cli/command.h"

namespace byoshin::local::applications {

cli::Command RecordsCommand();
cli::Command ChartCommand();
cli::Command TickCommand();

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_COMMANDS_H_

// `byoshin simulate`: hours or days of the scheduler in as much time as their
// work takes, with or without faults, and a report of what is missing.
#ifndef BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

#include "local/cli/command.h"

namespace byoshin::local::cli {

Command SimulateCommand();

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

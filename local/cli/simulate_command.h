// `byoshin simulate`: hours or days of stacks in as much time as their work
// takes, with or without faults, and a report of what is missing.
#ifndef BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

#include <vector>

#include "local/applications/application.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

Command SimulateCommand(
    const std::vector<applications::Application>& applications);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_SIMULATE_COMMAND_H_

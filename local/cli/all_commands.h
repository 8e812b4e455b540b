// The commands of `byoshin`.
#ifndef BYOSHIN_LOCAL_CLI_ALL_COMMANDS_H_
#define BYOSHIN_LOCAL_CLI_ALL_COMMANDS_H_

#include <vector>

#include "local/applications/application.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

// Those that every cloud has, and those of `applications`.
std::vector<Command> AllCommands(
    const std::vector<applications::Application>& applications);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ALL_COMMANDS_H_

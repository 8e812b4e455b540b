// `byoshin down STACK` removes a stack, from a running cloud or from the data
// of one that does not run.
#ifndef BYOSHIN_LOCAL_CLI_DOWN_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_DOWN_COMMAND_H_

#include <vector>

#include "local/applications/application.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

Command DownCommand(const std::vector<applications::Application>& applications);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_DOWN_COMMAND_H_

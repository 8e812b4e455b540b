#include "local/cli/all_commands.h"

#include <vector>

#include "local/applications/application.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/command.h"
#include "local/cli/down_command.h"
#include "local/cli/simulate_command.h"
#include "local/cli/up_command.h"

namespace byoshin::local::cli {

std::vector<Command> AllCommands(
    const std::vector<applications::Application>& applications) {
  std::vector<Command> commands = {UpCommand(applications),
                                   DownCommand(applications),
                                   SimulateCommand(applications),
                                   StatusCommand(applications),
                                   QueuesCommand(),
                                   RedriveCommand(),
                                   LogsCommand(),
                                   InvokeCommand(),
                                   ExecutionsCommand(),
                                   TokenCommand(),
                                   ResetCommand()};
  for (const applications::Application& application : applications) {
    commands.insert(commands.end(), application.commands.begin(),
                    application.commands.end());
  }
  return commands;
}

}  // namespace byoshin::local::cli

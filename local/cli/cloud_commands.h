// The commands that ask a running cloud, whatever its stacks are.
#ifndef BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_
#define BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "local/applications/application.h"
#include "local/cli/cloud_client.h"
#include "local/cli/command.h"

namespace byoshin::local::cli {

// `applications` add lines to the status.
Command StatusCommand(
    const std::vector<applications::Application>& applications);
Command QueuesCommand();
Command RedriveCommand();
Command LogsCommand();
Command ResetCommand();
Command InvokeCommand();
Command ExecutionsCommand();
Command TokenCommand();

// The function with this name or, if there is only one such, with this in its
// name: those in templates have long ones. NotFound lists what there is.
absl::StatusOr<std::string> FindFunction(CloudClient& cloud,
                                         const std::string& wanted);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_CLOUD_COMMANDS_H_

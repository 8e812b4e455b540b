// `byoshin up`: stacks on this machine, in real time.
#ifndef BYOSHIN_LOCAL_CLI_UP_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_UP_COMMAND_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/command.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

// Runs until SIGINT or SIGTERM; a second one ends it at once.
Command UpCommand(const std::vector<applications::Application>& applications);

// What the flags say about the cloud, without the callbacks.
absl::StatusOr<stack::StackCloudOptions> UpOptions(
    const Arguments& arguments, const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_UP_COMMAND_H_

// `byoshin up`: the scheduler on this machine, in real time.
#ifndef BYOSHIN_LOCAL_CLI_UP_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_UP_COMMAND_H_

#include "local/cli/command.h"

namespace byoshin::local::cli {

// Runs until SIGINT or SIGTERM, which main() has blocked for all threads.
Command UpCommand();

// The parameter by which a template of ours is told which API to poll.
inline constexpr char kApiBaseUrlParameter[] = "ApiBaseUrl";

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_UP_COMMAND_H_

// One command of `byoshin`.
#ifndef BYOSHIN_LOCAL_CLI_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_COMMAND_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "core/env/environment.h"
#include "core/http/client.h"
#include "core/time/clock.h"
#include "local/cli/arguments.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

// What commands have to work with.
struct CommandContext {
  http::Client& http_client;
  Terminal& terminal;
  const time::Clock& clock;
  const env::Environment& environment;
  // Standard input, read to its end. Never null.
  std::function<std::string()> read_input;
};

struct Command {
  CommandSpec spec{};
  std::function<absl::Status(const Arguments&, CommandContext&)> run = nullptr;
};

// Finds the command that `words` begin with and runs it; without one, with
// --help, or with "help", prints the help. Returns the exit code: 0, 1 if the
// command failed, 2 if it was not understood. The reason goes to the terminal.
int RunCommand(const std::vector<Command>& commands,
               const std::vector<std::string>& words, CommandContext& context);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_COMMAND_H_

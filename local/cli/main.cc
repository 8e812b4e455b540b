// The command `byoshin`.
#include <csignal>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/time/real_clock.h"
#include "local/cli/chart_command.h"
#include "local/cli/cloud_commands.h"
#include "local/cli/command.h"
#include "local/cli/simulate_command.h"
#include "local/cli/terminal.h"
#include "local/cli/up_command.h"

int main(int argc, char** argv) {
  using namespace byoshin;              // NOLINT: this is all that main() is
  using namespace byoshin::local::cli;  // NOLINT: made of
  const std::vector<std::string> words(argv + 1, argv + argc);
  // Nobody may be reading any more: Print() tells.
  std::signal(SIGPIPE, SIG_IGN);
  const env::Environment environment = env::OfProcess();
  http::CurlClient http_client(http::FindCaFile(environment));
  time::RealClock clock;
  CommandContext context{.http_client = http_client,
                         .terminal = StandardTerminal(),
                         .clock = clock,
                         .environment = environment,
                         .read_input = [] {
                           return std::string(
                               std::istreambuf_iterator<char>(std::cin), {});
                         }};
  return RunCommand(
      {UpCommand(), SimulateCommand(), StatusCommand(), RecordsCommand(),
       ChartCommand(), QueuesCommand(), RedriveCommand(), LogsCommand(),
       InvokeCommand(), TickCommand(), ResetCommand()},
      words, context);
}

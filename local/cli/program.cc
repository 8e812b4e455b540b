#include "local/cli/program.h"

#include <csignal>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "core/env/environment.h"
#include "core/http/ca_file.h"
#include "core/http/curl_client.h"
#include "core/time/real_clock.h"
#include "local/applications/application.h"
#include "local/cli/all_commands.h"
#include "local/cli/command.h"
#include "local/cli/terminal.h"

namespace byoshin::local::cli {

int RunProgram(int argc, char** argv,
               const std::vector<applications::Application>& applications) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  // The output may not be read any more: Print() tells.
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
  return RunCommand(AllCommands(applications), words, context);
}

}  // namespace byoshin::local::cli

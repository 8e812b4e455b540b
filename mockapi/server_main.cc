// Runs the mock API until it is interrupted: on port 3000, or the one that
// --port or the variable PORT names.
//
// Standard output has one JSON object a line, the first of which says where the
// server listens; messages for the user go to standard error.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "core/flags/arguments.h"
#include "core/host/end_signals.h"
#include "core/host/open_files.h"
#include "core/http/server.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/scheduler/constants.h"
#include "core/time/real_clock.h"
#include "mockapi/server.h"

namespace byoshin::mockapi {
namespace {

constexpr char kPortFlag[] = "port";
constexpr char kHelpFlag[] = "help";

constexpr char kUsage[] =
    "Runs the mock API that the scheduler polls.\n\n"
    "Usage: ./bazelw run //mockapi:server -- [FLAGS]\n\n"
    "  --port=PORT   where it listens, 0 for any free port; without it $PORT, "
    "or 3000\n"
    "  -h, --help    print this\n";

flags::CommandSpec Spec() {
  return {.flags = {{.name = kPortFlag, .value = "PORT"},
                    {.name = kHelpFlag, .letter = 'h'}},
          .program = ""};
}

int Fail(const absl::Status& status) {
  std::cerr << "mockapi: " << status.message() << "\n";
  if (absl::IsAlreadyExists(status) || absl::IsPermissionDenied(status)) {
    std::cerr << "Choose another port with --" << kPortFlag
              << ": ./bazelw run //mockapi:server -- --" << kPortFlag
              << "=3001\n";
  }
  return EXIT_FAILURE;
}

void Welcome(const http::Server& server) {
  std::cerr << "The mock API listens on " << server.url()
            << "; Ctrl-C stops it. Try:\n  curl '" << server.url()
            << scheduler::kResponseCountPath << "?" << scheduler::kFromParameter
            << "=2025-12-02T10:23:00Z&" << scheduler::kToParameter
            << "=2025-12-02T10:23:05Z'\n";
}

absl::StatusOr<std::uint16_t> PortOf(const flags::Arguments& arguments) {
  return arguments.Has(kPortFlag)
             ? flags::ParsePort(kPortFlag, arguments.Get(kPortFlag))
             : PortFrom(env::OfProcess());
}

int Run(const std::vector<std::string>& words) {
  host::EndSignals end_signals;
  const absl::StatusOr<flags::Arguments> arguments =
      flags::ParseArguments(Spec(), words);
  if (!arguments.ok()) return Fail(arguments.status());
  if (arguments->Has(kHelpFlag)) {
    std::cout << kUsage;
    return EXIT_SUCCESS;
  }
  host::AllowManyOpenFiles();
  const absl::StatusOr<std::uint16_t> port = PortOf(*arguments);
  if (!port.ok()) return Fail(port.status());
  time::RealClock clock;
  log::StdoutSink sink;
  log::Logger logger(clock, sink);
  const absl::StatusOr<std::unique_ptr<http::Server>> server =
      StartServer({.port = *port, .clock = &clock}, logger);
  if (!server.ok()) return Fail(server.status());
  logger.Info("listening", {{"url", (*server)->url()}});
  Welcome(**server);

  end_signals.Await();
  (*server)->Stop();
  logger.Info("stopped");
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::mockapi

int main(int argc, char** argv) {
  return byoshin::mockapi::Run(std::vector<std::string>(argv + 1, argv + argc));
}

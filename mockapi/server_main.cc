// Runs the mock API: on port 3000, or the one that the variable PORT names,
// until it is interrupted.
//
// Standard output has one JSON object a line, the first of which says where the
// server listens; messages for the user go to standard error.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "core/env/environment.h"
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

int Fail(const absl::Status& status) {
  std::cerr << "mockapi: " << status.message() << "\n";
  if (absl::IsAlreadyExists(status) || absl::IsPermissionDenied(status)) {
    std::cerr << "Choose another port with " << kPortVariable << ": "
              << kPortVariable << "=3001 ./bazelw run //mockapi:server\n";
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

int Run() {
  host::EndSignals end_signals;
  host::AllowManyOpenFiles();
  const absl::StatusOr<std::uint16_t> port = PortFrom(env::OfProcess());
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

int main() { return byoshin::mockapi::Run(); }

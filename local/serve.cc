// Runs the local cloud until it is interrupted: see serve_flags.h for what it
// can be told.
//
// Standard output has one JSON object a line, the first of which says where the
// cloud listens; what is meant for people only goes to standard error.
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/time/time.h"
#include "core/env/environment.h"
#include "core/host/end_signals.h"
#include "core/host/memory.h"
#include "core/host/open_files.h"
#include "core/log/logger.h"
#include "core/log/stdout_sink.h"
#include "core/time/real_clock.h"
#include "core/time/ticker.h"
#include "local/cloud/cloud.h"
#include "local/dynamodb/module.h"
#include "local/gateway/gateway.h"
#include "local/serve_flags.h"
#include "local/sqs/module.h"
#include "local/version.h"

namespace byoshin::local {
namespace {

int Fail(const absl::Status& status, const ServeFlags& flags) {
  std::cerr << "serve: " << status.message() << "\n";
  const bool about_port = absl::StrContains(status.message(), "listen");
  if (about_port) {
    std::cerr << "Choose another port with --port=" << kDefaultPort + 1
              << ", or any that is free with --port=0.\n";
  } else if (!flags.cloud.data_directory.empty()) {
    std::cerr << "Choose another place for data with --data=DIR, or keep "
                 "nothing with --in-memory.\n";
  }
  return EXIT_FAILURE;
}

void Welcome(const cloud::Cloud& cloud, const cloud::CloudOptions& options) {
  std::cerr << "The local cloud listens on " << cloud.url()
            << "; Ctrl-C stops it. "
            << (options.data_directory.empty()
                    ? "Nothing is kept."
                    : "Data is kept in " + options.data_directory + ".")
            << "\nTo use it from a shell:\n"
            << "  export AWS_ENDPOINT_URL=" << cloud.url() << "\n";
  if (options.credentials.empty()) {
    std::cerr << "  export AWS_ACCESS_KEY_ID=test AWS_SECRET_ACCESS_KEY=test\n";
  } else {
    std::cerr << "  export AWS_ACCESS_KEY_ID="
              << options.credentials.front().access_key_id
              << " AWS_SECRET_ACCESS_KEY=...\n";
  }
  std::cerr << "  export AWS_REGION=us-east-1 AWS_DEFAULT_REGION=us-east-1\n"
            << "  aws sqs create-queue --queue-name orders\n"
            << "  aws dynamodb list-tables\n"
            << "Versions of the AWS CLI before 2.13 want --endpoint-url="
            << cloud.url() << " instead of the first variable.\n";
}

void LogAccess(const AccessRecord& record, log::Logger& logger) {
  logger.Info(
      "request",
      {{"service", record.service},
       {"operation", record.operation},
       {"status", record.status},
       {"awsRequestId", record.request_id},
       {"accessKeyId", record.access_key_id},
       {"remote", record.remote},
       {"requestBytes", static_cast<std::int64_t>(record.request_bytes)},
       {"responseBytes", static_cast<std::int64_t>(record.response_bytes)},
       {"milliseconds", absl::ToDoubleMilliseconds(record.duration)}});
}

int Run(const std::vector<std::string>& arguments) {
  host::EndSignals end_signals;
  absl::StatusOr<ServeFlags> flags =
      ParseServeFlags(arguments, env::OfProcess());
  if (!flags.ok()) {
    std::cerr << "serve: " << flags.status().message() << "\n";
    return EXIT_FAILURE;
  }
  if (flags->help) {
    std::cout << kServeUsage;
    return EXIT_SUCCESS;
  }
  if (flags->version) {
    std::cout << "byoshin " << kVersion << "\n";
    return EXIT_SUCCESS;
  }
  host::AllowManyOpenFiles();
  host::KeepLittleFreeMemory();
  time::RealClock clock;
  log::StdoutSink sink;
  log::Logger logger(clock, sink);
  if (flags->access_log) {
    flags->cloud.gateway.on_request = [&](const AccessRecord& record) {
      LogAccess(record, logger);
    };
  }
  flags->cloud.gateway.on_accept_error = [&](const absl::Status& status) {
    logger.Warning("cannot accept", {{"error", status.message()}});
  };
  flags->cloud.on_note = [&](const std::string& note) { logger.Warning(note); };
  const absl::StatusOr<std::unique_ptr<cloud::Cloud>> cloud =
      cloud::Cloud::Start(
          flags->cloud, {dynamodb::DynamoDbModule(), sqs::SqsModule()}, clock);
  if (!cloud.ok()) return Fail(cloud.status(), *flags);
  logger.Info("listening", {{"url", (*cloud)->url()}});
  Welcome(**cloud, flags->cloud);

  host::FreeMemory free_memory;
  const time::Ticker ticker(clock, host::kFreeMemoryInterval,
                            [&](absl::Time) { free_memory.ReturnIfMuch(); });
  end_signals.Await();
  (*cloud)->Stop();
  logger.Info("stopped");
  return EXIT_SUCCESS;
}

}  // namespace
}  // namespace byoshin::local

int main(int argc, char** argv) {
  return byoshin::local::Run(std::vector<std::string>(argv + 1, argv + argc));
}

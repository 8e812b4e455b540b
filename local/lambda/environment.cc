#include "local/lambda/environment.h"

#include <cstdint>
#include <fstream>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"

namespace byoshin::local::lambda {
namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20;

// The memory limit of a function applies to its resident memory, which the
// executor measures. Reserved addresses, such as glibc's arenas of 64 MB per
// thread, are free on Lambda, too, so a limit on addresses (RLIMIT_AS) would
// stop valid functions. Between two measurements, this limit on private
// writable memory keeps a leak from exhausting the machine.
std::uint64_t DataLimitBytes(int memory_mb) {
  return (2 * static_cast<std::uint64_t>(memory_mb) + 256) * kMegabyte;
}

}  // namespace

std::string LogGroupOf(const FunctionConfig& function) {
  return function.logging.group.empty()
             ? absl::StrCat("/aws/lambda/", function.name)
             : function.logging.group;
}

std::map<std::string, std::string> ProcessVariables(
    const Environment::Options& options, const std::string& runtime_api) {
  const FunctionConfig& function = options.function;
  std::map<std::string, std::string> variables = function.variables;
  const std::map<std::string, std::string> reserved = {
      {"_HANDLER", function.handler},
      {"AWS_ACCESS_KEY_ID", options.credentials.access_key_id},
      {"AWS_DEFAULT_REGION", function.region},
      {"AWS_LAMBDA_FUNCTION_MEMORY_SIZE", absl::StrCat(function.memory_mb)},
      {"AWS_LAMBDA_FUNCTION_NAME", function.name},
      {"AWS_LAMBDA_FUNCTION_VERSION", kLatestVersion},
      {"AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand"},
      {"AWS_LAMBDA_LOG_GROUP_NAME", LogGroupOf(function)},
      {"AWS_LAMBDA_LOG_STREAM_NAME", options.log_stream},
      {"AWS_LAMBDA_RUNTIME_API", runtime_api},
      {"AWS_REGION", function.region},
      {"AWS_SECRET_ACCESS_KEY", options.credentials.secret_access_key.Reveal()},
      {"LAMBDA_RUNTIME_DIR", "/var/runtime"},
      {"LAMBDA_TASK_ROOT", function.code.folder},
  };
  for (const auto& [name, value] : reserved) variables[name] = value;
  if (!options.credentials.session_token.empty()) {
    variables["AWS_SESSION_TOKEN"] = options.credentials.session_token.Reveal();
  }
  if (function.logging.format == LoggingConfig::Format::kJson) {
    variables["AWS_LAMBDA_LOG_FORMAT"] = "JSON";
    if (!function.logging.application_level.empty()) {
      variables["AWS_LAMBDA_LOG_LEVEL"] = function.logging.application_level;
    }
  }
  // A function may override these.
  variables.emplace("AWS_ENDPOINT_URL", options.endpoint_url);
  variables.emplace("LANG", "en_US.UTF-8");
  variables.emplace("PATH", "/usr/local/bin:/usr/bin/:/bin:/opt/bin");
  variables.emplace("TZ", ":UTC");
  return variables;
}

absl::StatusOr<std::unique_ptr<Environment>> Environment::Start(
    Options options) {
  std::unique_ptr<Environment> environment(new Environment);
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start(
      {.on_next = options.on_next, .on_result = options.on_result});
  if (!api.ok()) return api.status();
  environment->api_ = *std::move(api);
  process::Child::Options child_options;
  child_options.argv = {
      absl::StrCat(options.function.code.folder, "/bootstrap")};
  child_options.environment =
      ProcessVariables(options, environment->api_->address());
  child_options.working_directory = options.function.code.folder;
  child_options.max_data_bytes = DataLimitBytes(options.function.memory_mb);
  child_options.on_output = [log = &options.log](process::Child::Stream stream,
                                                 absl::string_view bytes) {
    log->WriteOutput(stream, bytes);
  };
  child_options.on_exit = options.on_exit;
  absl::StatusOr<std::unique_ptr<process::Child>> child =
      process::Child::Start(std::move(child_options));
  if (!child.ok()) return child.status();
  environment->child_ = *std::move(child);
  // The child leads a process group.
  environment->api_->Serve(environment->child_->pid());
  return environment;
}

Environment::~Environment() = default;

std::size_t Environment::MaxMemoryBytes() const {
  std::ifstream status(absl::StrCat("/proc/", child_->pid(), "/status"));
  std::string line;
  while (std::getline(status, line)) {
    absl::string_view text = line;
    if (!absl::ConsumePrefix(&text, "VmHWM:")) continue;
    absl::ConsumeSuffix(&text, "kB");
    std::size_t kilobytes = 0;
    return absl::SimpleAtoi(text, &kilobytes) ? kilobytes << 10 : 0;
  }
  return 0;
}

}  // namespace byoshin::local::lambda

// An execution environment: a process of a function and its Runtime API. Runs
// one invocation at a time.
//
//   absl::StatusOr<std::unique_ptr<Environment>> environment =
//       Environment::Start({.function = config, .credentials = credentials,
//                           .endpoint_url = "http://127.0.0.1:4566",
//                           .log_stream = "…", .log = log,
//                           .on_next = …, .on_result = …, .on_exit = …});
//   (*environment)->Deliver({.request_id = …, .payload = …});
#ifndef BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_H_
#define BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_H_

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "core/aws/credentials.h"
#include "local/lambda/environment_log.h"
#include "local/lambda/function.h"
#include "local/lambda/runtime_api.h"
#include "local/process/child.h"

namespace byoshin::local::lambda {

// Thread-safe.
class Environment {
 public:
  struct Options {
    const FunctionConfig& function;
    // The credentials of the function's role.
    aws::Credentials credentials;
    // The URL of the cloud; functions get it as AWS_ENDPOINT_URL.
    std::string endpoint_url;
    std::string log_stream;
    // Receives what the process prints. Must outlive the environment.
    EnvironmentLog& log;
    // Called on internal threads, in the order of the process's actions. Must
    // not block or destroy the environment.
    std::function<void()> on_next;
    std::function<void(RuntimeApi::Result)> on_result;
    std::function<void(const process::ExitStatus&)> on_exit;
  };

  static absl::StatusOr<std::unique_ptr<Environment>> Start(Options options);

  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  // Kills the process and waits for its end.
  ~Environment();

  // As RuntimeApi::Deliver().
  bool Deliver(const RuntimeApi::Invocation& invocation) {
    return api_->Deliver(invocation);
  }

  void Kill() { child_->Kill(); }

  // Writes what the process has printed so far into the log.
  void DrainOutput() { child_->DrainOutput(); }

  // The peak memory of the process; 0 once it has ended.
  std::size_t MaxMemoryBytes() const;

 private:
  Environment() = default;

  // The process is destroyed first: its end is reported to the API's user.
  std::unique_ptr<RuntimeApi> api_;
  std::unique_ptr<process::Child> child_;
};

// The variables of a function's process, as Lambda sets them.
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
std::map<std::string, std::string> ProcessVariables(
    const Environment::Options& options, const std::string& runtime_api);

// The name of the log group that the function writes to.
std::string LogGroupOf(const FunctionConfig& function);

}  // namespace byoshin::local::lambda

#endif  // BYOSHIN_LOCAL_LAMBDA_ENVIRONMENT_H_

#include "tests/integration/lambda_process.h"

#include <utility>

#include "absl/strings/string_view.h"

namespace byoshin::integration {

// https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
std::map<std::string, std::string> LambdaEnvironment() {
  return {
      {"AWS_ACCESS_KEY_ID", kAccessKeyId},
      {"AWS_DEFAULT_REGION", kRegion},
      {"AWS_LAMBDA_FUNCTION_MEMORY_SIZE", "128"},
      {"AWS_LAMBDA_FUNCTION_NAME", "under-test"},
      {"AWS_LAMBDA_FUNCTION_VERSION", "$LATEST"},
      {"AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand"},
      {"AWS_LAMBDA_LOG_GROUP_NAME", "/aws/lambda/under-test"},
      {"AWS_LAMBDA_LOG_STREAM_NAME", "2025/12/02/[$LATEST]0123456789abcdef"},
      {"AWS_REGION", kRegion},
      {"AWS_SECRET_ACCESS_KEY", kSecretAccessKey},
      {"AWS_SESSION_TOKEN", kSessionToken},
      {"LANG", "en_US.UTF-8"},
      {"LAMBDA_RUNTIME_DIR", "/var/runtime"},
      {"LAMBDA_TASK_ROOT", "/var/task"},
      {"PATH", "/usr/local/bin:/usr/bin/:/bin:/opt/bin"},
      {"TZ", ":UTC"},
      {"_HANDLER", "bootstrap"},
  };
}

absl::StatusOr<std::unique_ptr<LambdaProcess>> LambdaProcess::Start(
    Options options) {
  std::unique_ptr<LambdaProcess> function(new LambdaProcess());
  absl::StatusOr<std::unique_ptr<RuntimeApi>> api = RuntimeApi::Start();
  if (!api.ok()) return api.status();
  function->api_ = *std::move(api);

  std::map<std::string, std::string> environment = std::move(options.variables);
  environment.merge(LambdaEnvironment());
  environment["AWS_LAMBDA_RUNTIME_API"] = function->api_->address();
  if (options.first_event.has_value()) {
    function->first_request_id_ = function->api_->Submit(*options.first_event);
  }
  absl::StatusOr<std::unique_ptr<Process>> process = Process::Start(
      {.argv = std::move(options.argv),
       .environment = std::move(environment),
       .on_exit = [api = function->api_.get()](absl::string_view how) {
         api->ProcessEnded(how);
       }});
  if (!process.ok()) return process.status();
  function->process_ = *std::move(process);
  return function;
}

}  // namespace byoshin::integration

// A function as Lambda runs it: a process with the environment of Lambda and
// nothing else, fed by the Runtime API.
//
//   absl::StatusOr<std::unique_ptr<LambdaProcess>> sender =
//       LambdaProcess::Start({.argv = {package.bootstrap()},
//                             .variables = {{"QUEUE_URL", queue_url}}});
//   ASSERT_TRUE(sender.ok()) << sender.status();
//   absl::StatusOr<RuntimeApi::Outcome> outcome =
//       (*sender)->Invoke({.payload = R"({"time":"2025-12-02T10:23:00Z"})"});
#ifndef BYOSHIN_TESTS_INTEGRATION_LAMBDA_PROCESS_H_
#define BYOSHIN_TESTS_INTEGRATION_LAMBDA_PROCESS_H_

#include <sys/types.h>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "tests/integration/process.h"
#include "tests/integration/runtime_api.h"

namespace byoshin::integration {

// The credentials and the region that functions run with.
inline constexpr char kAccessKeyId[] = "AKIDEXAMPLE";
inline constexpr char kSecretAccessKey[] =
    "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
inline constexpr char kSessionToken[] = "session/token+with=signs";
inline constexpr char kRegion[] = "us-east-1";

// What Lambda sets for every function, with the credentials above.
std::map<std::string, std::string> LambdaEnvironment();

// Thread-safe.
class LambdaProcess {
 public:
  struct Options {
    // The executable, as a path, and its arguments.
    std::vector<std::string> argv{};
    // Besides those of LambdaEnvironment(), or instead of them.
    std::map<std::string, std::string> variables{};
    // Waits for the process when it starts.
    std::optional<RuntimeApi::Event> first_event{};
  };

  static absl::StatusOr<std::unique_ptr<LambdaProcess>> Start(Options options);

  LambdaProcess(const LambdaProcess&) = delete;
  LambdaProcess& operator=(const LambdaProcess&) = delete;

  // Blocks until the function has answered; see RuntimeApi::Await.
  absl::StatusOr<RuntimeApi::Outcome> Invoke(const RuntimeApi::Event& event) {
    return api_->Await(api_->Submit(event));
  }

  // Of Options::first_event.
  const std::string& first_request_id() const { return first_request_id_; }

  RuntimeApi& api() { return *api_; }
  Process& process() { return *process_; }

 private:
  LambdaProcess() = default;

  std::string first_request_id_;
  // The process goes first: it calls the API when it ends.
  std::unique_ptr<RuntimeApi> api_;
  std::unique_ptr<Process> process_;
};

}  // namespace byoshin::integration

#endif  // BYOSHIN_TESTS_INTEGRATION_LAMBDA_PROCESS_H_

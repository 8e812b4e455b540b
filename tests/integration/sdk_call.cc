#include "tests/integration/sdk_call.h"

#include <map>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/node.h"
#include "tests/integration/process.h"

namespace byoshin::integration {
namespace {

constexpr char kScript[] = "tests/integration/sdk_call.js";

absl::StatusOr<Json::Value> Call(const SdkCall& call) {
  std::map<std::string, std::string> environment = NodeEnvironment();
  environment.merge(LambdaEnvironment());
  absl::StatusOr<std::unique_ptr<Process>> node = Process::Start(
      {.argv = {NodePath(), kScript, call.service, call.operation,
                call.endpoint, json::WriteValue(call.input)},
       .environment = std::move(environment)});
  if (!node.ok()) return node.status();
  absl::StatusOr<std::string> line = (*node)->AwaitLine("{\"");
  if (!line.ok()) return line.status();
  return json::ParseValue(*line);
}

}  // namespace

Json::Value CallWithSdk(const SdkCall& call) {
  absl::StatusOr<Json::Value> result = Call(call);
  if (result.ok()) return *std::move(result);
  ADD_FAILURE() << result.status();
  return {};
}

}  // namespace byoshin::integration

#include "tests/integration/sdk_call.h"

#include <map>
#include <memory>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "core/http/client.h"
#include "core/http/curl_client.h"
#include "core/json/value.h"
#include "gtest/gtest.h"
#include "tests/integration/lambda_process.h"
#include "tests/integration/node.h"
#include "tests/integration/process.h"

namespace byoshin::integration {
namespace {

constexpr char kScript[] = "tests/integration/sdk_server.js";
constexpr char kReady[] = "listening on ";

struct SdkServer {
  std::unique_ptr<Process> process;
  std::string url;
};

absl::StatusOr<SdkServer> StartServer() {
  std::map<std::string, std::string> environment = NodeEnvironment();
  environment.merge(LambdaEnvironment());
  absl::StatusOr<std::unique_ptr<Process>> process = Process::Start(
      {.argv = {NodePath(), kScript}, .environment = std::move(environment)});
  if (!process.ok()) return process.status();
  const absl::StatusOr<std::string> ready = (*process)->AwaitLine(kReady);
  if (!ready.ok()) return ready.status();
  return SdkServer{*std::move(process),
                   absl::StrCat("http://127.0.0.1:",
                                absl::StripPrefix(*ready, kReady), "/")};
}

absl::StatusOr<Json::Value> Call(const SdkCall& call) {
  // Started once for all tests of the program: loading the SDK takes longer
  // than all of its calls.
  static auto& server = *new absl::StatusOr<SdkServer>(StartServer());
  if (!server.ok()) return server.status();
  Json::Value asked;
  asked["service"] = call.service;
  asked["operation"] = call.operation;
  asked["endpoint"] = call.endpoint;
  asked["input"] = call.input;
  const absl::StatusOr<http::Response> response =
      http::CurlClient(/*ca_file=*/"")
          .Send({.method = "POST",
                 .url = server->url,
                 .body = json::WriteValue(asked),
                 .timeout = kGuard});
  if (!response.ok()) return response.status();
  return json::ParseValue(response->body);
}

}  // namespace

Json::Value CallWithSdk(const SdkCall& call) {
  absl::StatusOr<Json::Value> result = Call(call);
  if (result.ok()) return *std::move(result);
  ADD_FAILURE() << result.status();
  return {};
}

}  // namespace byoshin::integration

#include "infra/gen/testing/function_invocation.h"

#include <json/json.h>

#include <map>
#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/aws/dynamodb/json_client.h"
#include "core/aws/sqs/json_client.h"
#include "core/crypto/hex.h"
#include "core/crypto/md5.h"
#include "core/http/ca_file.h"
#include "core/http/client.h"
#include "core/http/testing/fake_client.h"
#include "core/json/value.h"
#include "core/lambda/handler.h"
#include "core/scheduler/collector.h"
#include "core/scheduler/config.h"
#include "core/scheduler/sender.h"
#include "core/time/iso8601.h"
#include "gtest/gtest.h"
#include "infra/gen/testing/deployed_template.h"

namespace byoshin::infra::testing {
namespace {

namespace core = ::byoshin::scheduler;

constexpr char kScheduledEvent[] = R"({"time":"2025-12-02T10:23:41Z"})";
constexpr char kQueueEvent[] =
    R"({"Records":[{"messageId":"m-1","eventSource":"aws:sqs",)"
    R"("body":"{\"from\":\"2025-12-02T10:23:00Z\",)"
    R"(\"to\":\"2025-12-02T10:23:05Z\"}"}]})";
constexpr char kApiAnswer[] =
    R"({"from":"2025-12-02T10:23:00Z","to":"2025-12-02T10:23:05Z","count":1})";

// Takes every message and every item; answers for the API as it is told.
absl::StatusOr<http::Response> AnswerLikeAws(const http::Request& request,
                                             const http::Response& api) {
  const std::string target = http::testing::HeaderOf(request, "X-Amz-Target");
  if (target.empty()) return api;
  if (target == "DynamoDB_20120810.PutItem") {
    return http::Response{.status = 200, .body = "{}"};
  }
  EXPECT_EQ(target, "AmazonSQS.SendMessageBatch");
  const Json::Value input = json::ParseValue(request.body).value();
  Json::Value output;
  for (const Json::Value& entry : input["Entries"]) {
    Json::Value sent;
    sent["Id"] = entry["Id"];
    sent["MessageId"] = absl::StrCat("m-", entry["Id"].asString());
    sent["MD5OfMessageBody"] =
        crypto::HexEncode(crypto::Md5(entry["MessageBody"].asString()));
    output["Successful"].append(sent);
  }
  return http::Response{.status = 200, .body = json::WriteValue(output)};
}

}  // namespace

const std::map<std::string, std::string>& LambdasOwnVariables() {
  static const auto* const kVariables = new std::map<std::string, std::string>{
      {"AWS_ACCESS_KEY_ID", "AKIDEXAMPLE"},
      {"AWS_DEFAULT_REGION", "us-east-1"},
      {"AWS_REGION", "us-east-1"},
      {"AWS_SECRET_ACCESS_KEY", "secret"},
      {"AWS_SESSION_TOKEN", "token"}};
  return *kVariables;
}

std::map<std::string, std::string> VariablesOf(const DeployedTemplate& deployed,
                                               const std::string& function) {
  std::map<std::string, std::string> variables;
  const Json::Value set =
      deployed.Properties(function)["Environment"]["Variables"];
  for (const std::string& name : set.getMemberNames()) {
    variables[name] = set[name].asString();
  }
  return variables;
}

FunctionInvocation::FunctionInvocation(const DeployedTemplate& deployed,
                                       const std::string& function)
    : variables_(VariablesOf(deployed, function)),
      environment_(
          [this](absl::string_view name) -> std::optional<std::string> {
            read_.insert(std::string(name));
            const auto found = variables_.find(std::string(name));
            if (found == variables_.end()) return std::nullopt;
            return found->second;
          }),
      api_{.status = 200, .body = kApiAnswer},
      clock_(time::ParseIso8601("2025-12-02T10:23:42Z").value()) {
  variables_.insert(LambdasOwnVariables().begin(), LambdasOwnVariables().end());
  http_.AlwaysAnswerBy([this](const http::Request& request) {
    return AnswerLikeAws(request, api_);
  });
  // As every main() does.
  http::FindCaFile(environment_, [](const std::string&) { return true; });
}

void FunctionInvocation::RunSender() {
  aws::sqs::JsonClient queue(
      {.http = http_, .clock = clock_, .environment = environment_});
  const absl::StatusOr<core::SenderConfig> config =
      core::LoadSenderConfig(environment_);
  ASSERT_TRUE(config.ok()) << config.status();
  core::Sender sender(*config,
                      {.queue = queue, .clock = clock_, .logger = logger_});
  Handle(sender, kScheduledEvent);
}

void FunctionInvocation::RunCollector() {
  aws::dynamodb::JsonClient table(
      {.http = http_, .clock = clock_, .environment = environment_});
  const absl::StatusOr<core::CollectorConfig> config =
      core::LoadCollectorConfig(environment_);
  ASSERT_TRUE(config.ok()) << config.status();
  core::Collector collector(*config, {.http_client = http_,
                                      .table = table,
                                      .clock = clock_,
                                      .logger = logger_});
  Handle(collector, kQueueEvent);
}

void FunctionInvocation::Handle(lambda::Handler& handler,
                                absl::string_view payload) {
  const absl::StatusOr<std::string> response =
      handler.Handle({.payload = std::string(payload),
                      .request_id = "r-1",
                      .deadline = clock_.Now() + absl::Seconds(30)});
  EXPECT_TRUE(response.ok()) << response.status();
}

}  // namespace byoshin::infra::testing

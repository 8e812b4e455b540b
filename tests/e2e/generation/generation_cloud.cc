#include "tests/e2e/generation/generation_cloud.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <cmath>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/aws/caller.h"
#include "core/aws/json_protocol.h"
#include "core/aws/rdsdata/client.h"
#include "core/aws/rdsdata/json_client.h"
#include "core/env/environment.h"
#include "core/files/read_file.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "core/random/random.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "local/bedrock/faults.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/source.h"
#include "local/gateway/error.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::e2e {
namespace {

constexpr char kTemplate[] = "infra/gen/generation.template.json";
// Only a hang takes as long.
constexpr absl::Duration kPatience = absl::Minutes(4);
// They are valid for an hour.
constexpr absl::Duration kTokenUse = absl::Minutes(30);

Json::Value ParsedOrEmpty(absl::string_view text) {
  return json::ParseValue(text).value_or(Json::Value(Json::objectValue));
}

std::map<std::string, std::string> ReadZips(const std::string& template_text) {
  std::map<std::string, std::string> zips;
  const Json::Value code =
      ParsedOrEmpty(template_text)["Metadata"]["Byoshin"]["Code"];
  for (const Json::Value& name : code) {
    const std::string file = name.asString();
    zips[file] = files::ReadFile(absl::StrCat("lambdas/", file)).value();
  }
  return zips;
}

std::string TextOf(const aws::rdsdata::Field& field) {
  if (field.text() != nullptr) return *field.text();
  if (field.integer() != nullptr) return absl::StrCat(*field.integer());
  if (field.boolean() != nullptr) return *field.boolean() ? "true" : "false";
  return "";
}

}  // namespace

bool IsOver(const std::string& status) {
  const auto known = generation::ProcessStatusOf(status);
  return known.has_value() && generation::IsFinal(*known);
}

GenerationCloud::GenerationCloud(time::SimulatedClock& clock, Options options)
    : clock_(clock), template_text_(files::ReadFile(kTemplate).value()) {
  absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
      local::stack::StackCloud::Start(
          {.gateway = {.port = 0},
           .on_note =
               [this](const std::string& note) {
                 const sync::MutexLock lock(mutex_);
                 notes_.push_back(note);
               },
           .fault = [this, fault = std::move(options.fault)](
                        absl::string_view service,
                        absl::string_view operation) -> absl::Status {
             if (service == "rds-data" && database_fails_) {
               return local::ServiceError({.code = "StatementTimeoutException",
                                           .message = "simulated fault",
                                           .http_status = 400});
             }
             return fault ? fault(service, operation) : absl::OkStatus();
           },
           .crash = std::move(options.crash)},
          clock_);
  EXPECT_TRUE(cloud.ok()) << cloud.status();
  cloud_ = *std::move(cloud);
  const absl::StatusOr<local::cloudformation::DeployResult> result =
      cloud_->Deploy({.stack_name = generation::kStackName,
                      .template_text = template_text_,
                      .parameters = std::move(options.parameters),
                      .zips = ReadZips(template_text_)});
  EXPECT_TRUE(result.ok()) << result.status();
  if (result.ok()) stack_ = result->stack;
  cloud_->Begin();
  environment_ = env::FromMap({{"AWS_ENDPOINT_URL", cloud_->url()},
                               {"AWS_REGION", "us-east-1"},
                               {"AWS_ACCESS_KEY_ID", "test"},
                               {"AWS_SECRET_ACCESS_KEY", "test"}});
}

std::string GenerationCloud::Output(absl::string_view name) const {
  const auto found = stack_.outputs.find(std::string(name));
  EXPECT_NE(found, stack_.outputs.end()) << name;
  return found == stack_.outputs.end() ? "" : found->second.value;
}

Json::Value GenerationCloud::Aws(const std::string& service,
                                 const std::string& target,
                                 const Json::Value& input) {
  aws::JsonProtocol protocol({.http = http_client_,
                              .clock = wall_clock_,
                              .environment = environment_});
  const absl::StatusOr<Json::Value> output =
      protocol.Send({.service = {.name = service},
                     .target = target,
                     .operation = target,
                     .input = input,
                     .limits = {.attempt_timeout = kPatience,
                                .max_response_bytes = std::size_t{64} << 20}},
                    absl::InfiniteFuture());
  EXPECT_TRUE(output.ok()) << target << ": " << output.status();
  return output.ok() ? *output : Json::Value(Json::objectValue);
}

std::string GenerationCloud::Token(absl::string_view user) {
  const std::string name(user);
  {
    const sync::MutexLock lock(mutex_);
    if (const auto known = tokens_.find(name);
        known != tokens_.end() &&
        clock_.Now() - known->second.given < kTokenUse) {
      return known->second.token;
    }
  }
  const std::string token = json::TextMember(NewTokens(user), "IdToken");
  EXPECT_FALSE(token.empty());
  const sync::MutexLock lock(mutex_);
  tokens_[name] = {.token = token, .given = clock_.Now()};
  return token;
}

Json::Value GenerationCloud::NewTokens(absl::string_view user) {
  Json::Value input(Json::objectValue);
  input["Username"] = std::string(user);
  return Aws("cognito-idp",
             "AWSCognitoIdentityProviderService.ByoshinGiveTokens",
             input)["AuthenticationResult"];
}

Reply GenerationCloud::Send(http::Request request) {
  request.timeout = kPatience;
  request.connect_timeout = kPatience;
  const absl::StatusOr<http::Response> response = http_client_.Send(request);
  EXPECT_TRUE(response.ok()) << response.status();
  if (!response.ok()) return {};
  Reply reply{.status = response->status,
              .body = ParsedOrEmpty(response->body)};
  for (const http::Header& header : response->headers) {
    reply.headers[absl::AsciiStrToLower(header.name)] = header.value;
  }
  return reply;
}

Reply GenerationCloud::Call(absl::string_view user, const std::string& method,
                            const std::string& path, const std::string& body) {
  return CallWithToken(user.empty() ? "" : Token(user), method, path, body);
}

Reply GenerationCloud::CallWithToken(const std::string& token,
                                     const std::string& method,
                                     const std::string& path,
                                     const std::string& body) {
  // The URL names a host of AWS's.
  const std::string url = Output(generation::kApiUrlOutput);
  absl::string_view rest = absl::StripPrefix(url, "https://");
  const absl::string_view host = rest.substr(0, rest.find('/'));
  http::Request request{
      .method = method,
      .url = absl::StrCat(cloud_->url(), rest.substr(host.size()), path),
      .headers = {{"Host", std::string(host)},
                  {"Content-Type", "application/json"}},
      .body = body};
  if (!token.empty()) {
    request.headers.push_back(
        {"Authorization", absl::StrCat("Bearer ", token)});
  }
  Reply reply = Send(std::move(request));
  Json::Value exchange(Json::objectValue);
  exchange["method"] = method;
  exchange["path"] = path;
  exchange["status"] = reply.status;
  exchange["body"] = reply.body;
  for (const auto& [name, value] : reply.headers) {
    exchange["headers"][name] = value;
  }
  const sync::MutexLock lock(mutex_);
  exchanges_.append(std::move(exchange));
  return reply;
}

Json::Value GenerationCloud::exchanges() const {
  const sync::MutexLock lock(mutex_);
  return exchanges_;
}

Json::Value GenerationCloud::Generate(absl::string_view user,
                                      const std::string& type,
                                      const Json::Value& params) {
  Json::Value body(Json::objectValue);
  body["type"] = type;
  body["params"] = params;
  const Reply reply =
      Call(user, "POST", generation::kGeneratePath, json::WriteValue(body));
  EXPECT_EQ(reply.status, 202) << json::WriteValue(reply.body);
  return reply.body["data"];
}

std::string GenerationCloud::Start(absl::string_view user,
                                   const std::string& type,
                                   const Json::Value& params) {
  return json::TextMember(Generate(user, type, params), "processId");
}

Json::Value GenerationCloud::Show(absl::string_view user,
                                  const std::string& process_id) {
  const Reply reply =
      Call(user, "GET", absl::StrCat("/api/ai/async/status/", process_id));
  EXPECT_EQ(reply.status, 200) << json::WriteValue(reply.body);
  return reply.body["data"];
}

Json::Value GenerationCloud::Retry(absl::string_view user,
                                   const std::string& process_id) {
  const Reply reply =
      Call(user, "POST", absl::StrCat("/api/ai/async/retry/", process_id));
  EXPECT_EQ(reply.status, 202) << json::WriteValue(reply.body);
  return reply.body["data"];
}

Json::Value GenerationCloud::GoalParams(const std::string& goal_id) {
  Json::Value params(Json::objectValue);
  params["goalId"] = goal_id;
  params["title"] = "英語で旅行する";
  params["description"] = "海外旅行で困らない会話力を身につける";
  params["deadline"] = "2099-12-31";
  params["background"] = "中学英語は覚えている";
  params["constraints"] = "平日は30分まで";
  return params;
}

Json::Value GenerationCloud::GoalOf(const std::string& goal_id) {
  Json::Value params(Json::objectValue);
  params["goalId"] = goal_id;
  return params;
}

std::string GenerationCloud::NewGoal(absl::string_view user) {
  const std::string goal_id = random::NewUuid();
  const std::string process = Start(user, kSubGoals, GoalParams(goal_id));
  clock_.AwaitIdle();
  EXPECT_EQ(Show(user, process)["status"], "COMPLETED");
  return goal_id;
}

local::bedrock::Faults& GenerationCloud::model() {
  return cloud_->Get<local::bedrock::Faults>();
}

Json::Value GenerationCloud::Execution(const std::string& process_id) {
  Json::Value input(Json::objectValue);
  input["executionArn"] =
      generation::ExecutionArnFor(Output(generation::kStateMachineArnOutput),
                                  process_id)
          .value();
  return Aws("states", "AWSStepFunctions.DescribeExecution", input);
}

std::vector<Json::Value> GenerationCloud::Events(
    const std::string& process_id) {
  Json::Value input(Json::objectValue);
  input["executionArn"] =
      generation::ExecutionArnFor(Output(generation::kStateMachineArnOutput),
                                  process_id)
          .value();
  input["maxResults"] = 1000;
  const Json::Value output =
      Aws("states", "AWSStepFunctions.GetExecutionHistory", input);
  return {output["events"].begin(), output["events"].end()};
}

std::vector<absl::Duration> GenerationCloud::TimesOf(
    const std::string& process_id, absl::string_view event_type) {
  std::vector<absl::Duration> times;
  double start = -1;
  for (const Json::Value& event : Events(process_id)) {
    const double time = event["timestamp"].asDouble();
    if (start < 0) start = time;
    if (event["type"].asString() != event_type) continue;
    times.push_back(absl::Milliseconds(std::llround((time - start) * 1000)));
  }
  return times;
}

std::vector<std::vector<std::string>> GenerationCloud::Query(
    const std::string& sql) {
  aws::rdsdata::JsonClient client({.http = http_client_,
                                   .clock = wall_clock_,
                                   .environment = environment_});
  Json::Value input(Json::objectValue);
  const Json::Value secrets =
      Aws("secretsmanager", "secretsmanager.ListSecrets", input);
  std::string secret;
  for (const Json::Value& one : secrets["SecretList"]) {
    if (absl::StartsWith(one["Name"].asString(), "rds!")) {
      secret = one["ARN"].asString();
    }
  }
  const absl::StatusOr<aws::rdsdata::ExecuteStatementResult> result =
      client.ExecuteStatement(
          {.database = {.resource_arn = Output(generation::kClusterArnOutput),
                        .secret_arn = secret,
                        .name = generation::kDefaultDatabaseName},
           .sql = sql},
          absl::InfiniteFuture());
  EXPECT_TRUE(result.ok()) << result.status();
  std::vector<std::vector<std::string>> rows;
  if (!result.ok()) return rows;
  for (const std::vector<aws::rdsdata::Field>& record : result->records) {
    std::vector<std::string>& row = rows.emplace_back();
    for (const aws::rdsdata::Field& field : record)
      row.push_back(TextOf(field));
  }
  return rows;
}

Json::Value GenerationCloud::Invoke(absl::string_view function,
                                    const std::string& payload) {
  const auto found = stack_.resources.find(absl::StrCat(function, "Function"));
  EXPECT_NE(found, stack_.resources.end()) << function;
  aws::Caller caller({.http = http_client_,
                      .clock = wall_clock_,
                      .environment = environment_});
  const absl::StatusOr<Json::Value> output = caller.Send(
      {.service = {.name = "lambda"},
       .operation = "Lambda Invoke",
       .path = absl::StrCat("2015-03-31/functions/",
                            found->second.state.physical_id, "/invocations"),
       .headers = {{"Content-Type", "application/json"}},
       .body = payload,
       .limits = {.attempt_timeout = kPatience}},
      absl::InfiniteFuture());
  EXPECT_TRUE(output.ok()) << output.status();
  return output.ok() ? *output : Json::Value(Json::objectValue);
}

std::vector<std::string> GenerationCloud::LogLines() {
  std::vector<std::string> lines;
  const absl::StatusOr<local::dashboard::LogPage> page =
      cloud_->source().Logs({.limit = 100'000});
  EXPECT_TRUE(page.ok()) << page.status();
  if (!page.ok()) return lines;
  for (const local::dashboard::LogLine& line : page->lines) {
    lines.push_back(line.text);
  }
  return lines;
}

std::vector<std::string> GenerationCloud::denials() const {
  const sync::MutexLock lock(mutex_);
  std::vector<std::string> denials;
  for (const std::string& note : notes_) {
    if (absl::StartsWith(note, "access denied")) denials.push_back(note);
  }
  return denials;
}

}  // namespace byoshin::e2e

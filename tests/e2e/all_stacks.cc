#include "tests/e2e/all_stacks.h"

#include <gtest/gtest.h>
#include <json/json.h>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "absl/time/time.h"
#include "core/aws/json_protocol.h"
#include "core/env/environment.h"
#include "core/generation/constants.h"
#include "core/http/client.h"
#include "core/json/value.h"
#include "core/mesh/constants.h"
#include "core/random/random.h"
#include "core/scheduler/slot.h"
#include "core/sync/mutex.h"
#include "core/time/simulated_clock.h"
#include "local/applications/applications.h"
#include "local/applications/scheduler/slot_source.h"
#include "local/cli/application_runs.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::e2e {
namespace {

constexpr char kGenerationStack[] = "byoshin-generation";
constexpr char kMeshStack[] = "byoshin-mesh";
// Fewer than a user may start in a minute of real time.
constexpr int kProcessesPerUser = 10;
// Only a hang takes as long.
constexpr absl::Duration kPatience = absl::Minutes(4);

const std::vector<local::applications::Application>& Applications() {
  static const auto* const applications =
      new std::vector(local::applications::AllApplications());
  return *applications;
}

local::cli::Arguments AllStacksArgument() {
  absl::StatusOr<local::cli::Arguments> arguments = local::cli::ParseArguments(
      {.flags = local::cli::ArtifactFlags(Applications())},
      {absl::StrCat("--stack=", local::cli::kAllStacks)});
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  return *std::move(arguments);
}

absl::Status Unexpected(absl::string_view what, const Json::Value& answer) {
  return absl::InternalError(
      absl::StrCat(what, ": ", json::WriteValue(answer)));
}

}  // namespace

AllStacks::AllStacks(time::SimulatedClock& clock, Options options)
    : clock_(clock),
      arguments_(AllStacksArgument()),
      runs_(Applications(),
            {.clock = clock,
             .pace = local::applications::RunWorld::Pace::kSimulated,
             .http_client = http_client_,
             .arguments = arguments_,
             .print = [](const std::string&) {},
             .note = [](const std::string&) {},
             .fails = [](absl::string_view) { return false; }}) {
  absl::StatusOr<std::vector<local::stack::StackDeployment>> deployments =
      local::cli::ReadArtifacts(arguments_, env::FromMap({}), Applications());
  EXPECT_TRUE(deployments.ok()) << deployments.status();
  const absl::Status ready = runs_.Prepare(*deployments);
  EXPECT_TRUE(ready.ok()) << ready;
  absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
      local::stack::StackCloud::Start(
          {.gateway = {.port = 0},
           .data_directory = std::move(options.data_directory),
           .applications = runs_.Modules(),
           .on_note =
               [this](const std::string& note) {
                 const sync::MutexLock lock(mutex_);
                 notes_.push_back(note);
               },
           .bedrock = std::move(options.bedrock)},
          clock);
  EXPECT_TRUE(cloud.ok()) << cloud.status();
  cloud_ = *std::move(cloud);
  const absl::Status deployed = runs_.Deploy(*std::move(deployments), *cloud_);
  EXPECT_TRUE(deployed.ok()) << deployed;
  cloud_->Begin();
  runs_.Begun();
  environment_ = env::FromMap({{"AWS_ENDPOINT_URL", cloud_->url()},
                               {"AWS_REGION", "us-east-1"},
                               {"AWS_ACCESS_KEY_ID", "test"},
                               {"AWS_SECRET_ACCESS_KEY", "test"}});
}

AllStacks::~AllStacks() {
  runs_.Stop();
  cloud_->Stop();
}

std::vector<std::string> AllStacks::notes() const {
  const sync::MutexLock lock(mutex_);
  return notes_;
}

std::string AllStacks::Output(absl::string_view stack,
                              absl::string_view name) const {
  const std::optional<local::cloudformation::Stack> found =
      cloud_->Get<local::cloudformation::Deployer>().Find(std::string(stack));
  if (!found.has_value()) return "";
  const auto output = found->outputs.find(std::string(name));
  return output == found->outputs.end() ? "" : output->second.value;
}

absl::StatusOr<Json::Value> AllStacks::Send(http::Request request) {
  request.timeout = kPatience;
  request.connect_timeout = kPatience;
  const absl::StatusOr<http::Response> response = http_client_.Send(request);
  if (!response.ok()) return response.status();
  if (response->status >= 300) {
    return absl::InternalError(
        absl::StrCat(request.url, ": ", response->status, " ", response->body));
  }
  return json::ParseValue(response->body);
}

absl::StatusOr<Json::Value> AllStacks::Aws(const std::string& service,
                                           const std::string& target,
                                           const Json::Value& input) {
  aws::JsonProtocol protocol({.http = http_client_,
                              .clock = wall_clock_,
                              .environment = environment_});
  return protocol.Send(
      {.service = {.name = service},
       .target = target,
       .operation = target,
       .input = input,
       .limits = {.attempt_timeout = kPatience,
                  .max_response_bytes = std::size_t{64} << 20}},
      absl::InfiniteFuture());
}

absl::Status AllStacks::UseScheduler() {
  const absl::Time minute =
      absl::FromUnixSeconds(60 * (absl::ToUnixSeconds(clock_.Now()) / 60 + 1));
  clock_.RunUntil(minute + absl::Minutes(1) - absl::Seconds(1));
  int stored = 0;
  absl::Status visited =
      cloud_->Get<local::applications::SlotSource>().VisitRecords(
          {minute, minute + absl::Minutes(1)},
          [&](const local::applications::SlotRecord&) {
            ++stored;
            return true;
          });
  if (!visited.ok()) return visited;
  if (stored == scheduler::kSlotsPerMinute) return absl::OkStatus();
  return absl::InternalError(absl::StrCat(stored, " slots are stored"));
}

absl::StatusOr<Json::Value> AllStacks::CallGeneration(const std::string& method,
                                                      const std::string& path,
                                                      const std::string& body) {
  Json::Value input(Json::objectValue);
  input["Username"] = absl::StrCat("user-", processes_ / kProcessesPerUser);
  const absl::StatusOr<Json::Value> tokens =
      Aws("cognito-idp", "AWSCognitoIdentityProviderService.ByoshinGiveTokens",
          input);
  if (!tokens.ok()) return tokens.status();
  // The URL names a host of AWS's.
  const std::string url = Output(kGenerationStack, generation::kApiUrlOutput);
  const absl::string_view rest = absl::StripPrefix(url, "https://");
  const absl::string_view host = rest.substr(0, rest.find('/'));
  return Send(
      {.method = method,
       .url = absl::StrCat(cloud_->url(), rest.substr(host.size()), path),
       .headers = {{"Host", std::string(host)},
                   {"Content-Type", "application/json"},
                   {"Authorization",
                    absl::StrCat("Bearer ",
                                 (*tokens)["AuthenticationResult"]["IdToken"]
                                     .asString())}},
       .body = body});
}

absl::Status AllStacks::UseGeneration() {
  Json::Value body(Json::objectValue);
  body["type"] = "SUBGOAL_GENERATION";
  body["params"]["goalId"] = random::NewUuid();
  for (const char* text : {"title", "description", "background"}) {
    body["params"][text] = "x";
  }
  body["params"]["deadline"] = "2099-12-31";
  body["params"]["constraints"] = "x";
  const absl::StatusOr<Json::Value> begun =
      CallGeneration("POST", generation::kGeneratePath, json::WriteValue(body));
  if (!begun.ok()) return begun.status();
  clock_.AwaitIdle();
  const absl::StatusOr<Json::Value> shown =
      CallGeneration("GET",
                     absl::StrCat("/api/ai/async/status/",
                                  (*begun)["data"]["processId"].asString()),
                     "");
  ++processes_;
  if (!shown.ok()) return shown.status();
  if ((*shown)["data"]["status"] == "COMPLETED") return absl::OkStatus();
  return Unexpected("the process", *shown);
}

absl::StatusOr<Json::Value> AllStacks::Mesh(const std::string& document,
                                            const Json::Value& variables) {
  Json::Value body(Json::objectValue);
  body["query"] = document;
  body["variables"] = variables;
  // The URL has the port of the cloud that the stack was deployed to.
  const std::string url = Output(kMeshStack, mesh::kGraphQlUrlOutput);
  const absl::string_view rest = absl::StripPrefix(url, "http://");
  const absl::StatusOr<Json::Value> answer =
      Send({.method = "POST",
            .url = absl::StrCat(cloud_->url(), rest.substr(rest.find('/'))),
            .headers = {{"Content-Type", "application/json"},
                        {"x-api-key", Output(kMeshStack, mesh::kApiKeyOutput)}},
            .body = json::WriteValue(body)});
  if (!answer.ok()) return answer;
  if (!(*answer)["errors"].empty()) return Unexpected(document, *answer);
  return (*answer)["data"];
}

absl::Status AllStacks::UseMesh() {
  const absl::StatusOr<Json::Value> domain = Mesh("mutation { createDomain }");
  if (!domain.ok()) return domain.status();
  const std::string where =
      absl::StrCat("domain: \"", (*domain)["createDomain"].asString(), "\"");
  const absl::StatusOr<Json::Value> group =
      Mesh(absl::StrCat("mutation { createGroup(name: \"g\", hostId: \"",
                        random::NewUuid(), "\", ", where, ") { id } }"));
  if (!group.ok()) return group.status();
  const std::string node =
      absl::StrCat("(groupId: \"", (*group)["createGroup"]["id"].asString(),
                   "\", ", where, ", nodeId: \"n\"");
  absl::Status joined =
      Mesh(absl::StrCat("mutation { joinGroup", node, ") { id } }")).status();
  if (!joined.ok()) return joined;
  return Mesh(absl::StrCat("mutation { reportDataByNode", node,
                           ", data: [{key: \"k\", value: \"v\"}]) "
                           "{ nodeId groupId domain } }"))
      .status();
}

}  // namespace byoshin::e2e

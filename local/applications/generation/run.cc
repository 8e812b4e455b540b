#include "local/applications/generation/run.h"

#include <json/json.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/generation/constants.h"
#include "core/generation/process.h"
#include "local/apigateway/address.h"
#include "local/applications/application.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/module.h"
#include "local/applications/generation/simulated_users.h"
#include "local/applications/generation/site.h"
#include "local/cli/cloud_flags.h"
#include "local/cloud/module.h"
#include "local/dashboard/time_range.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {
namespace {

class GenerationRun final : public ApplicationRun {
 public:
  explicit GenerationRun(RunWorld world)
      : world_(std::move(world)),
        postgres_url_(world_.arguments.Get(cli::kPostgresFlag)) {}

  absl::Status Prepare(const stack::TemplateInputs& /*inputs*/,
                       stack::StackDeployment& deployment) override {
    return CheckServer(deployment, postgres_url_);
  }

  cloud::ModuleSpec Module() override { return GenerationModule(); }

  absl::Status Deployed(stack::StackCloud& cloud) override {
    GenerationModulePart& part = cloud.Get<GenerationModulePart>();
    const std::optional<GenerationParts> parts = part.parts();
    if (!parts.has_value()) return absl::OkStatus();
    const absl::StatusOr<DemoUser> user = part.EnsureUser();
    if (!user.ok()) {
      return absl::Status(
          user.status().code(),
          absl::StrCat("the user for trying the stack ", parts->stack_name,
                       " can't be made: ", user.status().message()));
    }
    part_ = &part;
    stack_ = parts->stack_name;
    users_.emplace(
        SimulatedUsers::World{.http_client = world_.http_client,
                              .endpoint = cloud.url(),
                              .parts = *parts,
                              .token = [&part](const std::string& user) {
                                return part.TokenOf(user);
                              }});
    greeting_ = GenerationGreeting(*parts, *user, cloud.url());
    return absl::OkStatus();
  }

  std::string Greeting() override { return greeting_; }
  std::string ShownStack() const override { return stack_; }

  void SimulateUsers(absl::Time minute) override {
    if (users_.has_value()) users_->Visit(minute);
  }

  bool HasWorkUnderWay() override { return users_.has_value() && Left() > 0; }

  SimulationReport Report(const dashboard::TimeRange& /*minutes*/) override {
    if (!users_.has_value()) return {};
    return GenerationReport(users_->counts(), Counts());
  }

 private:
  Json::Value Counts() const {
    const absl::StatusOr<Json::Value> counts = part_->Counts();
    if (counts.ok()) return *counts;
    world_.note(absl::StrCat("processes can't be counted: ",
                             counts.status().message()));
    return {Json::objectValue};
  }
  std::int64_t Left() const {
    return GenerationReport(users_->counts(), Counts()).missing;
  }

  const RunWorld world_;
  const std::string postgres_url_;
  // Null, like users_, if no such stack is deployed.
  GenerationModulePart* part_ = nullptr;
  std::optional<SimulatedUsers> users_;
  // Empty if no such stack is deployed.
  std::string stack_;
  std::string greeting_;
};

}  // namespace

std::unique_ptr<ApplicationRun> NewGenerationRun(RunWorld world) {
  return std::make_unique<GenerationRun>(std::move(world));
}

absl::Status CheckServer(const stack::StackDeployment& deployment,
                         absl::string_view postgres_url) {
  // Only the migration function has it.
  if (postgres_url.empty() ||
      !absl::StrContains(deployment.template_text,
                         generation::kReaderSecretVariable)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "the stack ", deployment.stack_name, " can't be deployed with --",
      cli::kPostgresFlag,
      ": its migration creates users of the database, which is not permitted "
      "on a server of your own; leave out --",
      cli::kPostgresFlag, ", and byoshin runs a server for the stack"));
}

SimulationReport GenerationReport(const SimulatedUsers::Counts& users,
                                  const Json::Value& processes) {
  using generation::ProcessStatus;
  const auto count = [&](ProcessStatus status) {
    return processes[std::string(generation::NameOf(status))].asInt64();
  };
  const std::int64_t left =
      count(ProcessStatus::kPending) + count(ProcessStatus::kProcessing);
  return {.text = absl::StrFormat(
              "processes        %d started, %d of them "
              "retries\n"
              "completed        %d\n"
              "failed           %d\n"
              "timed out        %d\n"
              "cancelled        %d\n"
              "not over         %d\n"
              "failed calls     %d\n",
              users.started, users.retried, count(ProcessStatus::kCompleted),
              count(ProcessStatus::kFailed), count(ProcessStatus::kTimeout),
              count(ProcessStatus::kCancelled), left, users.failed_calls),
          .missing = left,
          .missing_text = absl::StrCat(
              left, left == 1 ? " process is" : " processes are", " not over")};
}

std::string GenerationGreeting(const GenerationParts& parts,
                               const DemoUser& user,
                               absl::string_view endpoint) {
  const std::string api =
      apigateway::StageUrl(endpoint, parts.api_id, parts.stage);
  return absl::StrCat(
      "Mandala chart: ", endpoint, kSitePath, "\n", "  user ", user.name,
      ", password ", user.password, "\n", "API: ", api, "\n",
      "  curl -H \"Authorization: Bearer $(byoshin token --user=", user.name,
      ")\" ", api, generation::kHistoryPath, "\n");
}

}  // namespace byoshin::local::applications

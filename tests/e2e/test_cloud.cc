#include "tests/e2e/test_cloud.h"

#include <gtest/gtest.h>

#include <ios>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "core/env/environment.h"
#include "core/http/server_message.h"
#include "core/time/iso8601.h"
#include "local/applications/applications.h"
#include "local/applications/scheduler/application.h"
#include "local/applications/scheduler/run.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/live_report.h"
#include "local/cloudformation/deployer.h"
#include "local/stack/outcomes.h"
#include "mockapi/server.h"

namespace byoshin::e2e {
namespace {

using local::dashboard::FunctionStatus;

const std::vector<local::applications::Application>& Applications() {
  static const auto* const applications =
      new std::vector(local::applications::AllApplications());
  return *applications;
}

local::cli::Arguments NoArguments() {
  absl::StatusOr<local::cli::Arguments> arguments = local::cli::ParseArguments(
      {.flags = local::cli::ArtifactFlags(Applications())}, {});
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  return *std::move(arguments);
}

local::stack::StackDeployment ReadDeployment(
    const local::cli::Arguments& arguments) {
  absl::StatusOr<std::vector<local::stack::StackDeployment>> deployments =
      local::cli::ReadArtifacts(arguments, env::FromMap({}), Applications());
  EXPECT_TRUE(deployments.ok()) << deployments.status();
  return std::move(deployments->front());
}

}  // namespace

TestCloud::TestCloud(time::Clock& clock, std::string data_directory)
    : arguments_(NoArguments()),
      deployment_(ReadDeployment(arguments_)),
      scheduler_(local::applications::NewSchedulerRun(
          {.clock = clock,
           .http_client = http_client_,
           .arguments = arguments_,
           // A line for each slot.
           .print =
               [this](const std::string& line) {
                 const absl::StatusOr<absl::Time> slot =
                     time::ParseIso8601(line.substr(0, line.find(' ')));
                 EXPECT_TRUE(slot.ok()) << slot.status();
                 const std::lock_guard<std::mutex> lock(mutex_);
                 ++stored_[*slot];
               },
           .note = [](const std::string&) {},
           .fails = [](absl::string_view) { return false; }})),
      live_(std::make_unique<local::cli::LiveReport>(
          clock, [this](const std::string& line) {
            const std::lock_guard<std::mutex> lock(mutex_);
            failure_lines_.push_back(line);
          })) {
  absl::StatusOr<std::unique_ptr<http::Server>> api = http::Server::Start(
      {}, [](const http::ServerRequest& request, http::Responder respond) {
        respond(mockapi::Answer(request));
      });
  EXPECT_TRUE(api.ok()) << api.status();
  api_ = *std::move(api);
  deployment_.parameters[local::applications::kApiBaseUrlParameter] =
      api_->url();
  absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
      local::stack::StackCloud::Start(
          {.gateway = {.port = 0},
           .data_directory = std::move(data_directory),
           .applications = {scheduler_->Module()},
           .on_outcome =
               [this](const local::stack::FunctionOutcome& outcome) {
                 live_->AddOutcome(outcome);
               },
           .on_note =
               [this](const std::string& note) {
                 const std::lock_guard<std::mutex> lock(mutex_);
                 notes_.push_back(note);
               }},
          clock);
  EXPECT_TRUE(cloud.ok()) << cloud.status();
  cloud_ = *std::move(cloud);
}

TestCloud::~TestCloud() { live_->Stop(); }

void TestCloud::WatchFailures() {
  ASSERT_TRUE(scheduler_->Deployed(*cloud_).ok());
  live_->Begin(
      {.source = cloud_->source(), .applications = {scheduler_.get()}});
}

std::vector<std::string> TestCloud::failure_lines() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return failure_lines_;
}

absl::Status TestCloud::Deploy(
    const local::stack::StackDeployment& deployment) {
  return cloud_->Deploy(deployment).status();
}

std::map<absl::Time, int> TestCloud::stored() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return stored_;
}

std::vector<std::string> TestCloud::notes() const {
  const std::lock_guard<std::mutex> lock(mutex_);
  return notes_;
}

FunctionStatus TestCloud::StatusOf(absl::string_view function) {
  const absl::StatusOr<local::dashboard::Status> status =
      cloud_->source().GetStatus();
  EXPECT_TRUE(status.ok()) << status.status();
  for (const FunctionStatus& one : status->functions) {
    if (absl::StrContains(one.name, function)) return one;
  }
  ADD_FAILURE() << "there is no function " << function;
  return {};
}

bool TestCloud::Logged(absl::string_view function, absl::string_view text) {
  const std::string name = StatusOf(function).name;
  const absl::StatusOr<local::dashboard::LogPage> page = cloud_->source().Logs(
      {.limit = 1, .function = name, .text = std::string(text)});
  EXPECT_TRUE(page.ok()) << page.status();
  return !page->lines.empty();
}

}  // namespace byoshin::e2e

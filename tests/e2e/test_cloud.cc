#include "tests/e2e/test_cloud.h"

#include <gtest/gtest.h>

#include <ios>
#include <string>
#include <utility>

#include "absl/strings/match.h"
#include "core/env/environment.h"
#include "core/http/server_message.h"
#include "local/cli/arguments.h"
#include "local/cli/artifacts.h"
#include "local/cli/live_report.h"
#include "local/cli/up_command.h"
#include "local/cloudformation/deployer.h"
#include "local/dashboard/series.h"
#include "local/stack/outcomes.h"
#include "mockapi/server.h"

namespace byoshin::e2e {
namespace {

using local::dashboard::FunctionStatus;

local::stack::StackDeployment ReadDeployment() {
  const absl::StatusOr<local::cli::Arguments> arguments =
      local::cli::ParseArguments({.flags = local::cli::ArtifactFlags()}, {});
  EXPECT_TRUE(arguments.ok()) << arguments.status();
  absl::StatusOr<local::stack::StackDeployment> deployment =
      local::cli::ReadArtifacts(*arguments, env::FromMap({}));
  EXPECT_TRUE(deployment.ok()) << deployment.status();
  return *std::move(deployment);
}

}  // namespace

TestCloud::TestCloud(time::Clock& clock, std::string data_directory)
    : deployment_(ReadDeployment()),
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
  deployment_.parameters[local::cli::kApiBaseUrlParameter] = api_->url();
  absl::StatusOr<std::unique_ptr<local::stack::StackCloud>> cloud =
      local::stack::StackCloud::Start(
          {.gateway = {.port = 0},
           .data_directory = std::move(data_directory),
           .on_record =
               [this](const local::dashboard::SlotRecord& record) {
                 live_->AddRecord(record);
                 const std::lock_guard<std::mutex> lock(mutex_);
                 ++stored_[record.slot];
               },
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
  live_->Begin(
      {.source = cloud_->source(), .window_lag = absl::ZeroDuration()});
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

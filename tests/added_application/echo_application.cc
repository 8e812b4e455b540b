#include "tests/added_application/echo_application.h"

#include <json/json.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/json/writer.h"
#include "core/sync/mutex.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/cli/cloud_flags.h"
#include "local/cli/command.h"
#include "local/cloud/host.h"
#include "local/cloud/module.h"
#include "local/cloudformation/deployer.h"
#include "local/cloudformation/stack.h"
#include "local/dashboard/assets.h"
#include "local/dashboard/panel.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::added_application {

// Defined by :embedded_page.
const std::vector<local::dashboard::Asset>& EchoAssets();

namespace {

using local::applications::ApplicationRun;
using local::applications::RunWorld;
using local::cloudformation::Stack;

constexpr char kName[] = "echo";
constexpr char kDescription[] = "A REST API over a function";

// Where the echo is; empty if it is not deployed. Thread-safe.
class EchoPanel final : public local::dashboard::Panel {
 public:
  void Load(const Stack& stack) {
    const auto url = stack.outputs.find("Url");
    if (url == stack.outputs.end() ||
        !absl::StrContains(stack.template_text, kDescription)) {
      return;
    }
    const sync::MutexLock lock(mutex_);
    url_ = url->second.value;
  }
  std::string url() const {
    const sync::MutexLock lock(mutex_);
    return url_;
  }

  absl::string_view name() const override { return kName; }
  bool IsShown() override { return !url().empty(); }
  void WriteStatus(json::Writer& json) override {
    json.Open('{').Key("url").String(url()).Close('}');
  }
  const std::vector<local::dashboard::Asset>& assets() const override {
    return EchoAssets();
  }

 private:
  mutable sync::Mutex mutex_;
  std::string url_ ABSL_GUARDED_BY(mutex_);
};

class EchoModule final : public local::cloud::Module {
 public:
  explicit EchoModule(local::cloud::Host& host)
      : deployer_(host.Get<local::cloudformation::Deployer>()),
        subscription_(deployer_.Subscribe(
            [this](const Stack& stack) { panel_.Load(stack); })) {
    host.Offer(panel_);
    host.Get<local::dashboard::Panels>().Add(panel_);
  }
  ~EchoModule() override { deployer_.Unsubscribe(subscription_); }

 private:
  local::cloudformation::Deployer& deployer_;
  EchoPanel panel_;
  const int subscription_;
};

class EchoRun final : public ApplicationRun {
 public:
  local::cloud::ModuleSpec Module() override {
    return {.name = kName,
            .open = [](local::cloud::Host& host)
                -> absl::StatusOr<std::unique_ptr<local::cloud::Module>> {
              return std::make_unique<EchoModule>(host);
            }};
  }
  absl::Status Deployed(local::stack::StackCloud& cloud) override {
    url_ = cloud.Get<EchoPanel>().url();
    return absl::OkStatus();
  }
  std::string ShownStack() const override {
    return url_.empty() ? "" : "byoshin-echo";
  }
  std::string Greeting() override {
    return url_.empty() ? "" : absl::StrCat("Echo: ", url_, ".");
  }

 private:
  std::string url_;
};

absl::Status PrintUrl(const local::cli::Arguments& arguments,
                      local::cli::CommandContext& context) {
  const absl::StatusOr<Json::Value> status =
      local::cli::ClientFor(arguments, context).Get("status", {});
  if (!status.ok()) return status.status();
  context.terminal.Print(
      absl::StrCat((*status)[kName]["url"].asString(), "\n"));
  return absl::OkStatus();
}

}  // namespace

local::applications::Application EchoApplication() {
  return {.name = kName,
          .stack_name = "byoshin-echo",
          .template_path = "tests/e2e/echo.template.json",
          .zips_folder = "tests/e2e",
          .commands = {{.spec = {.name = "echo",
                                 .summary = "print where the echo is",
                                 .flags = {local::cli::EndpointFlag()}},
                        .run = PrintUrl}},
          .format_status =
              [](const Json::Value& status) {
                return absl::StrCat("echo          ", status["url"].asString(),
                                    "\n");
              },
          .run = [](RunWorld) -> std::unique_ptr<ApplicationRun> {
            return std::make_unique<EchoRun>();
          }};
}

}  // namespace byoshin::added_application

#include "local/applications/generation/run.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "core/generation/constants.h"
#include "local/apigateway/address.h"
#include "local/applications/application.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/module.h"
#include "local/applications/generation/site.h"
#include "local/cli/cloud_flags.h"
#include "local/cloud/module.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {
namespace {

class GenerationRun final : public ApplicationRun {
 public:
  explicit GenerationRun(std::string postgres_url)
      : postgres_url_(std::move(postgres_url)) {}

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
    stack_ = parts->stack_name;
    greeting_ = GenerationGreeting(*parts, *user, cloud.url());
    return absl::OkStatus();
  }

  std::string Greeting() override { return greeting_; }
  std::string ShownStack() const override { return stack_; }

 private:
  const std::string postgres_url_;
  // Empty if no such stack is deployed.
  std::string stack_;
  std::string greeting_;
};

}  // namespace

std::unique_ptr<ApplicationRun> NewGenerationRun(RunWorld world) {
  return std::make_unique<GenerationRun>(
      world.arguments.Get(cli::kPostgresFlag));
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

#include "local/applications/mesh/run.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "core/mesh/constants.h"
#include "core/time/iso8601.h"
#include "local/applications/application.h"
#include "local/applications/mesh/mesh_parts.h"
#include "local/applications/mesh/mesh_source.h"
#include "local/applications/mesh/module.h"
#include "local/applications/mesh/site.h"
#include "local/appsync/model/limits.h"
#include "local/appsync/model/names.h"
#include "local/cloud/module.h"
#include "local/dashboard/time_range.h"
#include "local/stack/stack_cloud.h"
#include "local/stack/template_inputs.h"

namespace byoshin::local::applications {
namespace {

class MeshRun final : public ApplicationRun {
 public:
  explicit MeshRun(RunWorld world) : world_(std::move(world)) {}

  absl::Status Prepare(const stack::TemplateInputs& inputs,
                       stack::StackDeployment& deployment) override {
    SetKeyExpiry(inputs, world_.clock.Now(), deployment);
    return absl::OkStatus();
  }

  cloud::ModuleSpec Module() override {
    if (world_.pace == RunWorld::Pace::kSimulated) return MeshModule({});
    return MeshModule({.on_happening = [this](const std::string& text) {
      world_.print(absl::StrCat(time::FormatIso8601(world_.clock.Now()), "  ",
                                text, "\n"));
    }});
  }

  absl::Status Deployed(stack::StackCloud& cloud) override {
    const std::optional<MeshParts> parts = cloud.Get<MeshSource>().parts();
    if (!parts.has_value()) return absl::OkStatus();
    stack_ = parts->stack_name;
    greeting_ = MeshGreeting(*parts, cloud.url());
    return absl::OkStatus();
  }

  std::string Greeting() override { return greeting_; }
  std::string ShownStack() const override { return stack_; }

  SimulationReport Report(const dashboard::TimeRange& /*minutes*/) override {
    return MeshReport(stack_);
  }

 private:
  const RunWorld world_;
  // Empty if no such stack is deployed.
  std::string stack_;
  std::string greeting_;
};

}  // namespace

std::unique_ptr<ApplicationRun> NewMeshRun(RunWorld world) {
  return std::make_unique<MeshRun>(std::move(world));
}

void SetKeyExpiry(const stack::TemplateInputs& inputs, absl::Time now,
                  stack::StackDeployment& deployment) {
  if (!inputs.parameters.contains(mesh::kApiKeyExpiresParameter) ||
      !inputs.parameters.contains(mesh::kMaxConnectionTimeParameter)) {
    return;
  }
  deployment.parameters.try_emplace(
      mesh::kApiKeyExpiresParameter,
      absl::StrCat(absl::ToUnixSeconds(now + appsync::kMaxKeyLife)));
}

SimulationReport MeshReport(absl::string_view stack) {
  if (stack.empty()) return {};
  return {.text = absl::StrCat(stack, " has no simulated users: nothing calls ",
                               "its API in a simulation.\n")};
}

std::string MeshGreeting(const MeshParts& parts, absl::string_view endpoint) {
  const std::string url = appsync::GraphqlUrl(endpoint, parts.api_id);
  return absl::StrCat(
      "Mesh playground: ", endpoint, kMeshSitePath, "\n", "GraphQL API: ", url,
      "\n", "  key ", parts.api_key, "\n",
      "  curl -H 'x-api-key: ", parts.api_key,
      "' -H 'content-type: application/json' -d '{\"query\":\"mutation { "
      "createDomain }\"}' ",
      url, "\n");
}

}  // namespace byoshin::local::applications

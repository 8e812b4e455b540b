// Asynchronous generation's part of the cloud: the page at /generation/, the
// panel, and the user for trying. After Cognito, the Data API, Bedrock and
// CloudFormation in the list of modules. Offers GenerationModulePart.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_MODULE_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_MODULE_H_

#include <json/json.h>

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/cloud/module.h"

namespace byoshin::local::applications {

// What a run of the cloud asks of the module. Thread-safe.
class GenerationModulePart {
 public:
  virtual ~GenerationModulePart() = default;

  // Without value if no such stack is deployed.
  virtual std::optional<GenerationParts> parts() const = 0;

  // Creates the user for trying, unless it exists. FailedPrecondition if no
  // such stack is deployed. Blocks.
  virtual absl::StatusOr<DemoUser> EnsureUser() = 0;

  // An ID token of the user, who is created if necessary. FailedPrecondition if
  // no such stack is deployed. Blocks.
  virtual absl::StatusOr<std::string> TokenOf(const std::string& user) = 0;

  // How many processes have each status ("COMPLETED"). Blocks.
  virtual absl::StatusOr<Json::Value> Counts() = 0;
};

cloud::ModuleSpec GenerationModule();

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_MODULE_H_

// Asynchronous generation in one run of the cloud: the user for trying, and
// what `up` says about it.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_RUN_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_RUN_H_

#include <json/json.h>

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "local/applications/application.h"
#include "local/applications/generation/demo_user.h"
#include "local/applications/generation/generation_parts.h"
#include "local/applications/generation/simulated_users.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::applications {

std::unique_ptr<ApplicationRun> NewGenerationRun(RunWorld world);

// InvalidArgument if the stack can't be deployed with the server of --postgres,
// which is empty if there is none.
absl::Status CheckServer(const stack::StackDeployment& deployment,
                         absl::string_view postgres_url);

// Returns the result of a simulation, from the numbers of processes by status.
SimulationReport GenerationReport(const SimulatedUsers::Counts& users,
                                  const Json::Value& processes);

// What `up` prints; `endpoint` is the cloud's address.
std::string GenerationGreeting(const GenerationParts& parts,
                               const DemoUser& user,
                               absl::string_view endpoint);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_RUN_H_

// The two artifacts of a stack that the local cloud runs and AWS would get: the
// template and the zips. Those of applications come through Bazel with the
// program; flags name others.
#ifndef BYOSHIN_LOCAL_CLI_ARTIFACTS_H_
#define BYOSHIN_LOCAL_CLI_ARTIFACTS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/applications/application.h"
#include "local/cli/arguments.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

// What --stack calls all applications.
inline constexpr char kAllStacks[] = "all";

// --stack, --template, --zips and --parameter.
std::vector<FlagSpec> ArtifactFlags(
    const std::vector<applications::Application>& applications);

// The stacks that the flags ask for: templates, zips and parameters, read.
// Errors name the file, the stack that there is not, or the parameter that is
// not NAME=VALUE, or that no template has.
absl::StatusOr<std::vector<stack::StackDeployment>> ReadArtifacts(
    const Arguments& arguments, const env::Environment& environment,
    const std::vector<applications::Application>& applications);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ARTIFACTS_H_

// The two artifacts that the local cloud runs and AWS would get: the template
// and the zips. They come through Bazel with the program; flags name others.
#ifndef BYOSHIN_LOCAL_CLI_ARTIFACTS_H_
#define BYOSHIN_LOCAL_CLI_ARTIFACTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/cli/arguments.h"
#include "local/stack/stack_cloud.h"

namespace byoshin::local::cli {

// --template, --zips and --parameter.
std::vector<FlagSpec> ArtifactFlags();

// Template, zips and parameters, read. Errors name the file, or the parameter
// that is not NAME=VALUE. The scheduler's zips may be missing if there is
// another template.
absl::StatusOr<stack::StackDeployment> ReadArtifacts(
    const Arguments& arguments, const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ARTIFACTS_H_

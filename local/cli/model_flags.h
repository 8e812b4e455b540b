// The flags that say which model answers calls of Bedrock.
#ifndef BYOSHIN_LOCAL_CLI_MODEL_FLAGS_H_
#define BYOSHIN_LOCAL_CLI_MODEL_FLAGS_H_

#include <vector>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/bedrock/module.h"
#include "local/cli/arguments.h"

namespace byoshin::local::cli {

std::vector<FlagSpec> ModelFlags();

// The server's API key is read from the environment.
absl::StatusOr<bedrock::BedrockOptions> ReadModelFlags(
    const Arguments& arguments, const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_MODEL_FLAGS_H_

// The flag --data of the commands that run a cloud.
#ifndef BYOSHIN_LOCAL_CLI_DATA_FLAG_H_
#define BYOSHIN_LOCAL_CLI_DATA_FLAG_H_

#include <optional>
#include <string>

#include "absl/status/statusor.h"
#include "core/env/environment.h"
#include "local/cli/arguments.h"

namespace byoshin::local::cli {

inline constexpr char kDataFlag[] = "data";
inline constexpr char kInMemoryFlag[] = "in-memory";

// The folder that --data names, relative to where the user is; nothing if the
// flag was not given. InvalidArgument if it names nothing, or if --in-memory
// was given, too.
absl::StatusOr<std::optional<std::string>> ReadDataFlag(
    const Arguments& arguments, const env::Environment& environment);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_DATA_FLAG_H_

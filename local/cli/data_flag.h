// The flags --data and --in-memory of the commands that run a cloud.
#ifndef BYOSHIN_LOCAL_CLI_DATA_FLAG_H_
#define BYOSHIN_LOCAL_CLI_DATA_FLAG_H_

#include "local/cli/arguments.h"
#include "local/store/data_flags.h"

namespace byoshin::local::cli {

inline constexpr char kDataFlag[] = "data";
inline constexpr char kInMemoryFlag[] = "in-memory";
// The default folder of `up`, below the home directory.
inline constexpr char kDataBelowHome[] = ".local/share/byoshin/up";

DataFlags ReadDataFlags(const Arguments& arguments);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_DATA_FLAG_H_

// The parts of core/flags that commands use, in their namespace.
#ifndef BYOSHIN_LOCAL_CLI_ARGUMENTS_H_
#define BYOSHIN_LOCAL_CLI_ARGUMENTS_H_

#include "core/flags/arguments.h"

namespace byoshin::local::cli {

using flags::Arguments;
using flags::CommandHelp;
using flags::CommandSpec;
using flags::FlagSpec;
using flags::Nearest;
using flags::ParseArguments;
using flags::ParseCount;
using flags::ParseMinutes;
using flags::ParsePort;
using flags::ParseWhen;

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_ARGUMENTS_H_

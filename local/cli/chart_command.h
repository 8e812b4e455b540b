// `byoshin chart`: what was collected, as a picture.
#ifndef BYOSHIN_LOCAL_CLI_CHART_COMMAND_H_
#define BYOSHIN_LOCAL_CLI_CHART_COMMAND_H_

#include "local/cli/command.h"

namespace byoshin::local::cli {

Command ChartCommand();

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_CHART_COMMAND_H_

// The program `byoshin`, with any list of applications.
#ifndef BYOSHIN_LOCAL_CLI_PROGRAM_H_
#define BYOSHIN_LOCAL_CLI_PROGRAM_H_

#include <vector>

#include "local/applications/application.h"

namespace byoshin::local::cli {

// What main() returns; see RunCommand().
int RunProgram(int argc, char** argv,
               const std::vector<applications::Application>& applications);

}  // namespace byoshin::local::cli

#endif  // BYOSHIN_LOCAL_CLI_PROGRAM_H_

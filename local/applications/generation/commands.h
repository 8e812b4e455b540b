// What the command line says about asynchronous generation.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_COMMANDS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_COMMANDS_H_

#include <json/forwards.h>

#include <string>

#include "local/cli/command.h"

namespace byoshin::local::applications {

// `byoshin processes`.
cli::Command ProcessesCommand();

// The lines of `byoshin status`, from the panel's member of the status.
std::string FormatGenerationStatus(const Json::Value& status);

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_COMMANDS_H_

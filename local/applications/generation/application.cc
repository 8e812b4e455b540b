#include "local/applications/generation/application.h"

#include "local/applications/application.h"
#include "local/applications/generation/artifact_paths.h"
#include "local/applications/generation/commands.h"
#include "local/applications/generation/process_panel.h"
#include "local/applications/generation/run.h"

namespace byoshin::local::applications {

Application GenerationApplication() {
  return {.name = kGenerationName,
          .stack_name = "byoshin-generation",
          .template_path = kGenerationTemplate,
          .commands = {ProcessesCommand()},
          .format_status = FormatGenerationStatus,
          .run = NewGenerationRun};
}

}  // namespace byoshin::local::applications

#include "local/applications/applications.h"

#include <vector>

#include "local/applications/application.h"
#include "local/applications/generation/application.h"
#include "local/applications/mesh/application.h"
#include "local/applications/scheduler/application.h"

namespace byoshin::local::applications {

// To add an application is to add a line.
std::vector<Application> AllApplications() {
  return {SchedulerApplication(), GenerationApplication(), MeshApplication()};
}

}  // namespace byoshin::local::applications

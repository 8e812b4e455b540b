// The data-collection scheduler as an application of the local cloud.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_APPLICATION_H_
#define BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_APPLICATION_H_

#include "local/applications/application.h"

namespace byoshin::local::applications {

Application SchedulerApplication();

// The parameter by which a template is told which API to poll. If it is left
// open, a mock API is started.
inline constexpr char kApiBaseUrlParameter[] = "ApiBaseUrl";

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_SCHEDULER_APPLICATION_H_

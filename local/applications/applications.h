// The applications that come with Byoshin.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_APPLICATIONS_H_
#define BYOSHIN_LOCAL_APPLICATIONS_APPLICATIONS_H_

#include <vector>

#include "local/applications/application.h"

namespace byoshin::local::applications {

// The first is what runs if nothing else is asked for.
std::vector<Application> AllApplications();

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_APPLICATIONS_H_

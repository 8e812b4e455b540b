// Asynchronous AI generation: core/generation as a stack, with the page that
// uses it.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_GENERATION_APPLICATION_H_
#define BYOSHIN_LOCAL_APPLICATIONS_GENERATION_APPLICATION_H_

#include "local/applications/application.h"

namespace byoshin::local::applications {

Application GenerationApplication();

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_GENERATION_APPLICATION_H_

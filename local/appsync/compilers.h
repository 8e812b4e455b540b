// The checks of the control plane, by the GraphQL and JavaScript of AppSync.
#ifndef BYOSHIN_LOCAL_APPSYNC_COMPILERS_H_
#define BYOSHIN_LOCAL_APPSYNC_COMPILERS_H_

#include "local/appsync/control/operation.h"
#include "local/appsync/script/runtime.h"

namespace byoshin::local::appsync {

// `runtime` must outlive them.
Compilers NewCompilers(script::Runtime& runtime);

}  // namespace byoshin::local::appsync

#endif  // BYOSHIN_LOCAL_APPSYNC_COMPILERS_H_

// Mesh v2: core/mesh as a stack, with a playground.
#ifndef BYOSHIN_LOCAL_APPLICATIONS_MESH_APPLICATION_H_
#define BYOSHIN_LOCAL_APPLICATIONS_MESH_APPLICATION_H_

#include "local/applications/application.h"

namespace byoshin::local::applications {

Application MeshApplication();

}  // namespace byoshin::local::applications

#endif  // BYOSHIN_LOCAL_APPLICATIONS_MESH_APPLICATION_H_
